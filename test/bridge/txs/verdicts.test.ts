import { LayerBridge } from 'layer-sdk/bridge'
import type { SubmitTxResult, Transaction } from 'layer-sdk/bridge'
import { SubmitError } from 'layer-sdk'
import { hashOf, sampleTx } from '../../support/sampleTx'
import { expectNoHang } from '../../support/timing'
import {
  confirmedSnapshot,
  greetings,
  HEAD_ID,
  once,
  output,
  ScriptedNode,
  send,
  snapshotConfirmed
} from '../../support/scriptedNode'

const BAD_INPUTS = 'ConwayUtxowFailure (UtxoFailure (BadInputsUTxO ...))'
const stored = { headId: HEAD_ID, timestamp: '2026-01-01T00:00:00Z' }
let seq = 1_000
const txValid = ({ txId }: Transaction): unknown => ({ tag: 'TxValid', transactionId: txId, seq: seq++, ...stored })
const txInvalid = (transaction: Transaction, reason: string): unknown => ({
  tag: 'TxInvalid',
  transaction,
  utxo: {},
  validationError: { reason },
  seq: seq++,
  ...stored
})
const confirms = (number: number, ...confirmed: Transaction[]): Record<string, unknown> =>
  snapshotConfirmed(number, { confirmed, seq: seq++ })
const echo = (transaction: Transaction): unknown => ({ tag: 'NewTx', transaction })

describe('the verdict on a submitted transaction', () => {
  const tx = sampleTx()
  let node: ScriptedNode
  let bridge: LayerBridge
  let progress: string[]
  let late: string[]
  beforeEach(async () => {
    node = await new ScriptedNode().start()
    node.onConnection = (socket) => send(socket, greetings({ snapshotUtxo: undefined }))
    node.routes['GET /snapshot'] = { body: confirmedSnapshot(1) }
    bridge = new LayerBridge({ url: node.url })
    progress = []
    late = []
    bridge.events.on('onTxProgress', ({ state, txId }) => progress.push(`${state} ${txId.slice(0, 4)}`))
    bridge.events.on('onLateConfirmation', ({ txId, snapshotNumber }) => late.push(`${txId} ${snapshotNumber}`))
    await bridge.connect()
  })
  afterEach(async () => {
    await bridge.disconnect()
    await node.stop()
  })

  /** What the node says to a NewTx. */
  function script(...messages: unknown[]): void {
    node.onInput = (_input, socket) => {
      for (const message of messages) send(socket, message)
    }
  }
  const outcome = (timeout?: number): Promise<any> =>
    bridge.submitTxSync(tx, timeout === undefined ? {} : { timeout }).catch((error: unknown) => error)
  /** Submits, lets `arrived` happen, and only then has the time limit run out: no machine is too slow for the order. */
  const timesOut = async (arrived: () => Promise<unknown>): Promise<any> => {
    // Sockets and immediates stay real.
    jest.useFakeTimers({
      doNotFake: [
        'Date',
        'performance',
        'nextTick',
        'queueMicrotask',
        'setImmediate',
        'clearImmediate',
        'setInterval',
        'clearInterval'
      ]
    })
    try {
      const verdict = outcome(5_000)
      await arrived()
      jest.advanceTimersByTime(5_000)
      return await verdict
    } finally {
      jest.useRealTimers()
    }
  }
  const newTxs = (): unknown[] => node.inputs.filter(({ tag }) => tag === 'NewTx')
  const states = (): string[] => progress.map((line) => line.split(' ')[0] as string)

  it('is confirmed with the snapshot that holds it', async () => {
    script(txValid(tx), confirms(2, tx))
    expect(await outcome()).toMatchObject({
      txId: tx.txId,
      isValid: true,
      isConfirmed: true,
      result: { tag: 'SnapshotConfirmed', snapshot: { number: 2 } }
    })
    expect(states()).toEqual(['submitted', 'valid', 'confirmed'])
    expect(newTxs()).toEqual([{ tag: 'NewTx', transaction: tx }])
  })

  it('is confirmed without or before TxValid (row 16)', async () => {
    script(confirms(2, tx), txValid(tx))
    expect(await outcome()).toMatchObject({ isValid: true, isConfirmed: true })
  })

  it('stays open on TxInvalid once it was valid (row 17)', async () => {
    script(txValid(tx), txInvalid(tx, BAD_INPUTS), confirms(2, tx))
    expect(await outcome()).toMatchObject({ isConfirmed: true })
    expect(states()).toEqual(['submitted', 'valid', 'confirmed'])
  })

  it('is a rejection at once on TxInvalid, and a late confirmation is one event (row 18)', async () => {
    script(txInvalid(tx, 'ValueNotConserved'))
    expect(await outcome()).toMatchObject({
      code: 'BRIDGE_SUBMIT',
      txId: tx.txId,
      tag: 'TxInvalid',
      reason: 'ValueNotConserved',
      outcome: 'none'
    })
    const confirmation = once(bridge, 'onLateConfirmation')
    node.send(confirms(2, tx), confirms(3))
    await confirmation
    expect(late).toEqual([`${tx.txId} 2`])
  })

  it('is a confirmation when its spent inputs were spent by itself', async () => {
    node.send(snapshotConfirmed(2, { utxo: { [`${tx.txId}#1`]: output('addr_test1x', 5) } }))
    await once(bridge, 'SnapshotConfirmed')
    script(txInvalid(tx, BAD_INPUTS))
    expect(await outcome()).toMatchObject({ isConfirmed: true, result: null })
  })

  it.each([
    [
      'CommandFailed',
      () => ({ tag: 'CommandFailed', clientInput: echo(tx), state: { tag: 'Closed', contents: {} } }),
      'the head is Closed'
    ],
    [
      'RejectedInputBecauseUnsynced',
      () => ({ tag: 'RejectedInputBecauseUnsynced', clientInput: echo(tx), drift: 99.5 }),
      'the node is 99.5 s behind the chain'
    ],
    [
      'RejectedInputBecauseBroadcastStalled',
      () => ({
        tag: 'RejectedInputBecauseBroadcastStalled',
        clientInput: echo(tx),
        pendingBroadcasts: 7,
        stallReason: 'NoProgress'
      }),
      'the node does not reach its peers (7 messages wait): it can be sent again later'
    ],
    [
      'InvalidInput',
      () => ({ reason: 'Error in $: txId not matching', input: JSON.stringify(echo(tx)) }),
      'Error in $: txId not matching'
    ]
  ])('is a rejection at once on %s (rows 23, 24)', async (tag, message, reason) => {
    script(message())
    expect(await outcome()).toMatchObject({ tag, outcome: 'none', reason })
  })

  it('says in which states a transaction is taken', async () => {
    script({ tag: 'CommandFailed', clientInput: echo(tx), state: { tag: 'Idle', contents: {} } })
    expect((await outcome()).message).toContain('Allowed while the head is Open')
  })

  it('is not touched by refusals of other inputs, nor by PostTxOnChainFailed', async () => {
    const other = sampleTx(2)
    script(
      { tag: 'CommandFailed', clientInput: echo(other), state: {} },
      { tag: 'CommandFailed', clientInput: { tag: 'Close' }, state: {} },
      { reason: 'bad', input: 'not json' },
      txInvalid(other, 'x'),
      { tag: 'PostTxOnChainFailed', postChainTx: { tag: 'CloseTx' }, postTxError: { tag: 'NoSeedInput' } },
      confirms(2, tx)
    )
    expect(await outcome()).toMatchObject({ isConfirmed: true })
  })

  it('is unknown at the timeout, with one event for a confirmation that comes later', async () => {
    script(txValid(tx))
    expect(await timesOut(() => once(bridge, 'TxValid'))).toMatchObject({ tag: 'Timeout', outcome: 'unknown' })
    expect(states()).toEqual(['submitted', 'valid', 'timedOut'])
    const confirmation = once(bridge, 'onLateConfirmation')
    node.send(confirms(2, tx))
    await confirmation
    expect(late).toEqual([`${tx.txId} 2`])
  })

  it('can be requested again after the timeout without another NewTx, once the node has the transaction', async () => {
    script(txValid(tx))
    await timesOut(() => once(bridge, 'TxValid'))
    const again = outcome(2_000)
    node.send(confirms(2, tx))
    expect(await again).toMatchObject({ isConfirmed: true })
    expect(await outcome()).toMatchObject({ isConfirmed: true })
    expect(newTxs()).toHaveLength(1)
  })

  it('is one for 100 parallel callers, with one NewTx on the wire (row 20)', async () => {
    script(txValid(tx), confirms(2, tx))
    const results = await Promise.all(Array.from({ length: 100 }, () => bridge.submitTxSync(tx)))
    expect(new Set(results.map(({ result }) => result?.snapshot.number))).toEqual(new Set([2]))
    expect(results.map(({ deduplicated }) => deduplicated)).toEqual([
      undefined,
      ...Array.from({ length: 99 }, () => true)
    ])
    expect(newTxs()).toHaveLength(1)
  })

  it('is requested again without another NewTx when the node takes it after the timeout', async () => {
    expect(await timesOut(() => node.until(() => newTxs().length === 1))).toMatchObject({ tag: 'Timeout' })
    const valid = once(bridge, 'TxValid')
    node.send(txValid(tx))
    await valid
    const again = outcome(2_000)
    node.send(confirms(2, tx))
    expect(await again).toMatchObject({ isConfirmed: true })
    expect(states()).toEqual(['submitted', 'timedOut', 'valid', 'confirmed'])
  })

  it('needs another NewTx once a side-loaded snapshot has dropped the transaction', async () => {
    script(txValid(tx))
    expect(await timesOut(() => once(bridge, 'TxValid'))).toMatchObject({ tag: 'Timeout' })
    node.send({ tag: 'SnapshotSideLoaded', snapshotNumber: 1, seq: seq++, ...stored })
    await once(bridge, 'SnapshotSideLoaded')
    script(txValid(tx), confirms(2, tx))
    expect(await outcome()).toMatchObject({ isConfirmed: true })
    expect(newTxs()).toHaveLength(2)
  })

  it('is one for all that a snapshot confirms, when a handler disconnects at the first', async () => {
    const other = sampleTx(2)
    const pending = [outcome(), bridge.submitTxSync(other)]
    await node.until(() => newTxs().length === 2)
    bridge.events.on('onTxProgress', ({ state }) => {
      if (state === 'confirmed') void bridge.disconnect()
    })
    node.send(confirms(2, tx, other))
    expect(await Promise.all(pending)).toEqual([
      expect.objectContaining({ isConfirmed: true }),
      expect.objectContaining({ isConfirmed: true })
    ])
  })

  it('is found for an id in capital letters, which the node writes in small ones', async () => {
    script(confirms(2, tx))
    expect(await bridge.submitTxSync({ ...tx, txId: tx.txId.toUpperCase() })).toMatchObject({
      txId: tx.txId,
      isConfirmed: true
    })
    expect(newTxs()).toEqual([{ tag: 'NewTx', transaction: tx }])
  })

  it('is InvalidInput at once for a transaction that the node cannot read', async () => {
    node.onInput = (input, socket) =>
      send(socket, { reason: 'Error in $.transaction.cborHex', input: JSON.stringify(input) })
    expect(await bridge.submitTxSync(tx).catch((error: unknown) => error)).toMatchObject({
      tag: 'InvalidInput',
      outcome: 'none'
    })
  })

  it.each([NaN, -1, '5'])('is not requested with a timeout of %p', async (timeout) => {
    await expect(bridge.submitTxSync(tx, { timeout: timeout as number })).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'timeout'
    })
    await expect(bridge.submitL2Tx(tx, { timeout: timeout as number })).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'timeout'
    })
    await expect(bridge.commands.decommit({ ...tx, timeout: timeout as number })).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'timeout'
    })
    await expect(bridge.recoverDeposit(tx.txId, { timeout: timeout as number })).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'timeout'
    })
    await expect(bridge.commands.initSync(1, timeout as number)).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'interval'
    })
    expect(node.inputs).toEqual([])
  })

  it('keeps two transactions over the same inputs apart (row 21)', async () => {
    const rival = sampleTx(7, [hashOf(1)])
    node.onInput = ({ transaction }, socket) => {
      if (transaction.txId === tx.txId) send(socket, txValid(tx))
      else for (const message of [txInvalid(rival, BAD_INPUTS), confirms(2, tx)]) send(socket, message)
    }
    const [first, second] = await Promise.all([outcome(), bridge.submitTxSync(rival).catch((error: unknown) => error)])
    expect(first).toMatchObject({ isConfirmed: true })
    expect(second).toMatchObject({ tag: 'TxInvalid', outcome: 'none' })
  })

  it('is NotConnected, with nothing sent, when there is no connection (row 41)', async () => {
    await bridge.disconnect()
    expect(await outcome()).toMatchObject({ tag: 'NotConnected', outcome: 'none' })
    const results = await new Promise<unknown[]>((resolve) => bridge.submitTx(tx, (...args) => resolve(args)))
    expect(results).toEqual([expect.objectContaining({ txId: tx.txId, tag: 'NotConnected' }), null])
    expect(node.inputs).toEqual([])
  })

  it('is Disconnected and unknown when disconnect() comes first (row 39)', async () => {
    const pending = Array.from({ length: 1_000 }, (_, index) =>
      bridge.submitTxSync(sampleTx(index, [hashOf(7)])).catch((error: unknown) => error)
    )
    await node.until(() => node.inputs.length > 0)
    const start = performance.now()
    await bridge.disconnect()
    for (const error of await Promise.all(pending))
      expect(error).toMatchObject({ tag: 'Disconnected', outcome: 'unknown' })
    expectNoHang(1_000, start)
  })

  it('is Disconnected when the connection drops without autoReconnect', async () => {
    const pending = outcome()
    await node.until(() => node.inputs.length === 1)
    node.cut()
    expect(await pending).toMatchObject({ tag: 'Disconnected', outcome: 'unknown' })
  })

  it('reaches a callback once, whose own error goes to onHandlerError (row 37)', async () => {
    script(confirms(2, tx), confirms(3, tx))
    const calls: unknown[] = []
    const failed = once(bridge, 'onHandlerError')
    bridge.submitTx(tx, (error, result) => {
      calls.push([error, result?.isConfirmed])
      throw new Error('mine')
    })
    expect(await failed).toMatchObject([{ message: 'mine' }, 'submitTx'])
    expect(calls).toEqual([[null, true]])
  })

  it('is an error of the callback, never an exception, for what is no transaction', async () => {
    const results = await new Promise<unknown[]>((resolve) =>
      bridge.submitTx({} as Transaction, (...args) => resolve(args))
    )
    expect(results).toEqual([expect.any(SubmitError), null])
    expect(results[0]).toMatchObject({
      code: 'BRIDGE_SUBMIT',
      txId: '',
      tag: 'InvalidInput',
      outcome: 'none',
      cause: { code: 'INPUT_ARGUMENT', argument: 'transaction.cborHex' }
    })
    expect(results[0]).not.toHaveProperty('argument')
    expect(() => bridge.submitTx(tx, undefined as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('tells the callback of newTx that the transaction was sent', async () => {
    const sent = jest.fn()
    bridge.commands.newTx(tx.cborHex, 'mine', sent)
    expect(sent).toHaveBeenCalledTimes(1)
    await node.until(() => node.inputs.length === 1)
    expect(node.inputs[0]).toEqual({
      tag: 'NewTx',
      transaction: { type: 'Tx ConwayEra', description: 'mine', cborHex: tx.cborHex }
    })
    await bridge.disconnect()
    expect(() => bridge.commands.newTx(tx.cborHex, '', sent)).toThrow(
      expect.objectContaining({ code: 'BRIDGE_NOT_CONNECTED' })
    )
    expect(sent).toHaveBeenCalledTimes(1)
  })
})

describe('a transaction whose messages may have been missed', () => {
  const tx = sampleTx()
  const input = `${hashOf(1)}#0`
  let node: ScriptedNode
  let bridge: LayerBridge
  beforeEach(async () => {
    node = await new ScriptedNode().start()
    node.routes['GET /snapshot'] = { body: confirmedSnapshot(1) }
    bridge = new LayerBridge({ url: node.url, autoReconnect: true, reconnectInterval: 5 })
    await bridge.connect()
  })
  afterEach(async () => {
    await bridge.disconnect()
    await node.stop()
  })

  /** Submits, cuts the line, and gives the node another state before the bridge is back. */
  async function gap(
    state: Record<string, unknown>,
    timeout = 3_000
  ): Promise<SubmitTxResult & Record<string, unknown>> {
    const pending = bridge.submitTxSync(tx, { timeout }).catch((error: unknown) => error)
    await node.until(() => node.inputs.length === 1)
    node.routes['GET /snapshot'] = { body: state }
    node.cut()
    return pending as never
  }
  const histories = (): number => node.queries.filter((query) => query.includes('history=yes')).length

  it('is confirmed by the list of the newest snapshot (row 11)', async () => {
    expect(await gap(confirmedSnapshot(5, { confirmed: [tx] }))).toMatchObject({
      isConfirmed: true,
      result: { tag: 'SnapshotConfirmed', snapshot: { number: 5 } }
    })
    expect(node.inputs).toHaveLength(1)
    expect(histories()).toBe(0)
  })

  it('is confirmed by an output of its own', async () => {
    expect(await gap(confirmedSnapshot(9, { utxo: { [`${tx.txId}#1`]: output('addr_test1x', 1) } }))).toMatchObject({
      isConfirmed: true
    })
  })

  it('is waited for while its inputs are unspent, and never sent again', async () => {
    const pending = gap(confirmedSnapshot(5, { utxo: { [input]: output('addr_test1x', 1) } }))
    await node.until(() => node.requests.length >= 2 && node.sockets.size === 1)
    await new Promise<void>((resolve) =>
      bridge.subscribe(() => {
        if (bridge.lastSnapshotNumber === 5) resolve()
      })
    )
    node.send(confirms(6, tx))
    expect(await pending).toMatchObject({ isConfirmed: true, result: { snapshot: { number: 6 } } })
    expect(node.inputs).toHaveLength(1)
  })

  it('is looked up in the history once when the state does not decide: confirmed', async () => {
    node.onConnection = (socket, query) => {
      if (query.includes('history=yes'))
        for (const message of [txInvalid(tx, 'first'), confirms(3, tx), confirms(4)]) send(socket, message)
      send(socket, { tag: 'Greetings', me: { vkey: 'ab' }, headStatus: 'Open', hydraHeadId: HEAD_ID })
    }
    expect(await gap(confirmedSnapshot(9))).toMatchObject({ isConfirmed: true, result: { snapshot: { number: 3 } } })
    expect(histories()).toBe(1)
    expect(node.queries.find((query) => query.includes('yes'))).toBe('/?history=yes&snapshot-utxo=no')
  })

  it('is looked up in the history once when the state does not decide: invalid', async () => {
    node.onConnection = (socket, query) => {
      if (query.includes('history=yes')) send(socket, txInvalid(tx, 'nope'))
      send(socket, { tag: 'Greetings', me: { vkey: 'ab' }, headStatus: 'Open', hydraHeadId: HEAD_ID })
    }
    expect(await gap(confirmedSnapshot(9))).toMatchObject({ tag: 'TxInvalid', reason: 'nope', outcome: 'none' })
  })

  it.each<[string, () => unknown[]]>([
    ['a copy was refused after it was valid', () => [txValid(tx), txInvalid(tx, 'nope')]],
    [
      'a copy was refused for spent inputs, and what came before is gone',
      () => [{ tag: 'EventLogRotated', seq: seq++, timestamp: stored.timestamp }, txInvalid(tx, BAD_INPUTS)]
    ]
  ])('is unknown, not refused, when in the history %s', async (_name, past) => {
    node.onConnection = (socket, query) => {
      if (query.includes('history=yes')) for (const message of past()) send(socket, message)
      send(socket, { tag: 'Greetings', me: { vkey: 'ab' }, headStatus: 'Open', hydraHeadId: HEAD_ID })
    }
    expect(await gap(confirmedSnapshot(9))).toMatchObject({ tag: 'Disconnected', outcome: 'unknown' })
  })

  it('is joined, not refused as unsent, by a caller who comes while the connection is away', async () => {
    const first = bridge.submitTxSync(tx)
    await node.until(() => node.inputs.length === 1)
    node.routes['GET /snapshot'] = { body: confirmedSnapshot(5, { confirmed: [tx] }) }
    const lost = once(bridge, 'onDisconnected')
    node.cut()
    await lost
    expect(bridge.connected()).toBe(false)
    const second = bridge.submitTxSync(tx)
    expect(await Promise.all([first, second])).toEqual([
      expect.objectContaining({ isConfirmed: true }),
      expect.objectContaining({ isConfirmed: true })
    ])
    expect(node.inputs).toHaveLength(1)
  })

  it('is waited for in a head that opened on the same connection', async () => {
    const headId = 'bb'.repeat(28)
    node.send(
      { tag: 'HeadIsFinalized', utxo: {}, seq: seq++, ...stored },
      { ...stored, tag: 'HeadIsOpen', headId, parties: [], seq: seq++ }
    )
    await once(bridge, 'HeadIsOpen')
    node.onConnection = (socket) =>
      send(socket, { tag: 'Greetings', me: { vkey: 'ab' }, headStatus: 'Open', hydraHeadId: headId })
    const pending = gap(confirmedSnapshot(0, { headId, utxo: { [input]: output('addr_test1x', 1) } }))
    await node.until(() => node.requests.length >= 2 && node.sockets.size === 1)
    await new Promise<void>((resolve) =>
      bridge.subscribe(() => {
        if (bridge.lastSnapshotNumber === 0) resolve()
      })
    )
    // Time enough for a look into the history.
    for (let count = 0; count < 10; count++) await bridge.querySnapshotUtxo()
    expect(histories()).toBe(0)
    node.send(snapshotConfirmed(1, { headId, confirmed: [tx] }))
    expect(await pending).toMatchObject({ isConfirmed: true })
  })

  it('is waited for when it spends what another of ours, answered already, makes', async () => {
    const parent = sampleTx(2)
    node.routes['POST /transaction'] = { status: 202, body: { tag: 'SubmitTxSubmitted' } }
    await bridge.submitL2Tx(parent)
    const child = sampleTx(3, [parent.txId])
    const pending = bridge.submitTxSync(child, { timeout: 3_000 })
    await node.until(() => node.inputs.length === 1)
    node.routes['GET /snapshot'] = {
      body: confirmedSnapshot(5, { utxo: { [`${hashOf(2)}#0`]: output('addr_test1x', 1) } })
    }
    node.cut()
    await new Promise<void>((resolve) =>
      bridge.subscribe(() => {
        if (bridge.lastSnapshotNumber === 5) resolve()
      })
    )
    // Time enough for a look into the history.
    for (let count = 0; count < 10; count++) await bridge.querySnapshotUtxo()
    expect(histories()).toBe(0)
    node.send(confirms(6, parent, child))
    expect(await pending).toMatchObject({ isConfirmed: true, result: { snapshot: { number: 6 } } })
  })

  it('is unknown when neither state nor history tell', async () => {
    expect(await gap(confirmedSnapshot(9))).toMatchObject({ tag: 'Disconnected', outcome: 'unknown' })
    expect(histories()).toBe(1)
  })

  it('is decided as soon as HTTP answers again within its timeout', async () => {
    const pending = bridge.submitTxSync(tx, { timeout: 10_000 })
    await node.until(() => node.inputs.length === 1)
    let failures = 0
    node.routes['GET /snapshot'] = () =>
      ++failures <= 4 ? { status: 503, text: 'busy' } : { body: confirmedSnapshot(5, { confirmed: [tx] }) }
    node.cut()
    expect(await pending).toMatchObject({ isConfirmed: true })
  })

  it('is decided by the state while an address filter may hide its snapshot', async () => {
    await bridge.disconnect()
    bridge = new LayerBridge({ url: node.url, address: 'addr_test1x' })
    await bridge.connect()
    const pending = bridge.submitTxSync(tx, { timeout: 5_000 })
    await node.until(() => node.inputs.length === 1)
    node.routes['GET /snapshot'] = { body: confirmedSnapshot(2, { confirmed: [tx] }) }
    expect(await pending).toMatchObject({ isConfirmed: true, result: { snapshot: { number: 2 } } })
  })

  it('is decided by the state when snapshot numbers skip on a living connection (row 12)', async () => {
    node.send(snapshotConfirmed(5, { seq: seq++ }))
    await once(bridge, 'SnapshotConfirmed')
    const pending = bridge.submitTxSync(tx)
    await node.until(() => node.inputs.length === 1)
    node.routes['GET /snapshot'] = {
      body: confirmedSnapshot(9, { utxo: { [`${tx.txId}#0`]: output('addr_test1x', 1) } })
    }
    node.send(snapshotConfirmed(9, { seq: seq++ }))
    expect(await pending).toMatchObject({ isConfirmed: true })
    expect(bridge.lastSnapshotNumber).toBe(9)
  })
})
