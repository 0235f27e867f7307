import { inspect } from 'node:util'
import { LayerBridge } from 'layer-sdk/bridge'
import type { ConnectorBridgeOptions, LayerPayload } from 'layer-sdk/bridge'
import { FakeConnector } from '../support/fakeConnector'
import { sampleTx } from '../support/sampleTx'
import { snapshotConfirmed } from '../support/scriptedNode'

const message = (tag: string, fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  tag,
  timestamp: '2026-01-01T00:00:00Z',
  ...fields
})

let connector: FakeConnector
let bridge: LayerBridge
beforeEach(() => {
  connector = new FakeConnector()
})
afterEach(async () => {
  await bridge.disconnect()
})
async function connect(options: Partial<ConnectorBridgeOptions> = {}): Promise<LayerBridge> {
  bridge = new LayerBridge({ connector, ...options })
  const done = bridge.connect()
  connector.last.greet()
  await done
  return bridge
}
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('events', () => {
  it('shields handlers from each other and sends what they throw or reject with to onHandlerError', async () => {
    await connect()
    const seen: unknown[] = []
    const errors: unknown[] = []
    bridge.events.on('onHandlerError', (error, event) => errors.push([(error as Error).message, event]))
    bridge.events.on('onMessage', () => {
      throw new Error('first')
    })
    bridge.events.on('onMessage', async () => {
      throw new Error('second')
    })
    bridge.events.on('onMessage', ({ tag }) => seen.push(tag))
    bridge.subscribe(() => {
      throw new Error('third')
    })
    connector.last.say(message('NodeSynced', { chainSlot: 1, chainTime: '2026-01-01T00:00:00Z', drift: 0 }))
    await tick()
    expect(seen).toEqual(['NodeSynced'])
    expect(errors).toEqual([
      ['first', 'onMessage'],
      ['third', 'subscribe'],
      ['second', 'onMessage']
    ])
  })

  it('survives an error handler that fails itself, and writes nothing by itself', async () => {
    const spies = (['log', 'debug', 'info', 'warn', 'error'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation(() => undefined)
    )
    await connect()
    bridge.events.on('onMessage', () => {
      throw new Error('mine')
    })
    connector.last.say(message('A'))
    bridge.events.on('onHandlerError', () => {
      throw new Error('worse')
    })
    connector.last.say(message('B'))
    await tick()
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
  })

  it('ends a subscription by the returned function and by off, also from inside a handler', async () => {
    await connect()
    const seen: string[] = []
    const handler = (): unknown => seen.push('a')
    bridge.events.on('onMessage', handler)
    const off = bridge.events.on('onMessage', () => {
      seen.push('b')
      bridge.events.off('onMessage', handler)
      off()
    })
    connector.last.say(message('A'))
    connector.last.say(message('B'))
    expect(seen).toEqual(['a', 'b'])
  })

  it('raises each tag as an event of its own after onMessage', async () => {
    await connect()
    const seen: string[] = []
    bridge.events.on('ReadyToFanout', ({ headId }) => seen.push(`own ${headId}`))
    bridge.events.on('onMessage', ({ tag }) => seen.push(tag))
    connector.last.say(message('ReadyToFanout', { headId: 'ab', seq: 1 }))
    expect(seen).toEqual(['ReadyToFanout', 'own ab'])
  })

  it('keeps the socket drained and the queue bounded under a slow handler, and tells once (row 36)', async () => {
    await connect()
    const handled: number[] = []
    const slow: unknown[] = []
    bridge.events.on('onSlowConsumer', (backlog) => slow.push(backlog))
    bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
      handled.push(snapshot.number)
      for (const end = performance.now() + 12; performance.now() < end;);
    })
    for (let number = 1; number <= 5_000; number++) connector.last.say(snapshotConfirmed(number))
    // All are applied although almost none has been handled.
    expect(bridge.lastSnapshotNumber).toBe(5_000)
    expect(handled).toEqual([1])
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (slow.length > 0 && handled.length > 3) resolve()
        else setTimeout(check, 5)
      }
      check()
    })
    expect(slow).toEqual([{ queued: 4_096, dropped: 1 }])
    expect(handled.slice(0, 3)).toEqual([1, 906, 907])
  })

  it('delivers at once while handlers are quick', async () => {
    await connect()
    let count = 0
    bridge.events.on('onMessage', () => {
      count += 1
    })
    for (let number = 1; number <= 100; number++) {
      connector.last.say(message('X', { seq: number }))
      await tick()
    }
    expect(count).toBe(100)
  })
})

describe('waiting for messages', () => {
  it('waitFor resolves with the next message of a tag', async () => {
    await connect()
    const next = bridge.waitFor('HeadIsOpen')
    connector.last.say(message('HeadIsOpen', { headId: 'ab', parties: [], seq: 1 }))
    expect((await next).headId).toBe('ab')
  })

  it('waitFor ends with its timeout, its signal, and disconnect()', async () => {
    await connect()
    await expect(bridge.waitFor('HeadIsOpen', { timeout: 5 })).rejects.toMatchObject({ code: 'BRIDGE_TIMEOUT' })
    await expect(bridge.waitFor('HeadIsOpen', { signal: AbortSignal.abort(new Error('mine')) })).rejects.toThrow('mine')
    const open = bridge.waitFor('HeadIsOpen')
    await bridge.disconnect()
    await expect(open).rejects.toMatchObject({ code: 'BRIDGE_DISCONNECTED' })
  })

  it('messages() yields everything from then on and ends with disconnect()', async () => {
    await connect()
    const tags: string[] = []
    const reading = (async () => {
      for await (const { tag } of bridge.messages()) tags.push(tag)
    })()
    for (const tag of ['A', 'B']) connector.last.say(message(tag))
    await tick()
    connector.last.say(message('C'))
    await bridge.disconnect()
    await reading
    expect(tags).toEqual(['A', 'B', 'C'])
  })

  it('messages() answers calls of next() that overlap, in their order', async () => {
    await connect()
    const stream = bridge.messages()
    const both = Promise.all([stream.next(), stream.next()])
    await tick()
    for (const tag of ['A', 'B']) connector.last.say(message(tag))
    expect((await both).map(({ value }) => value.tag)).toEqual(['A', 'B'])
  })

  it('messages() ends with its signal or a break, and throws when the connection is lost for good', async () => {
    await connect()
    const abort = new AbortController()
    const aborted = (async () => {
      for await (const payload of bridge.messages({ signal: abort.signal })) void payload
    })()
    abort.abort()
    await aborted
    const first = (async (): Promise<string | undefined> => {
      for await (const { tag } of bridge.messages()) return tag
      return undefined
    })()
    connector.last.say(message('A'))
    expect(await first).toBe('A')
    const lost = (async () => {
      for await (const payload of bridge.messages()) void payload
    })()
    connector.last.fail()
    await expect(lost).rejects.toMatchObject({ code: 'BRIDGE_DISCONNECTED' })
  })

  it('messages() loses the oldest beyond a bound and says so', async () => {
    await connect()
    const slow = jest.fn()
    bridge.events.on('onSlowConsumer', slow)
    const stream = bridge.messages()
    for (let number = 1; number <= 4_296; number++) connector.last.say(message('X', { seq: number }))
    expect(((await stream.next()).value as LayerPayload).seq).toBe(201)
    expect(slow).toHaveBeenCalledTimes(1)
    await stream.return?.()
  })
})

describe('what a bridge shows', () => {
  it('follows the head and tells subscribers once per burst', async () => {
    await connect()
    const before = bridge.getSnapshot()
    expect(bridge.getSnapshot()).toBe(before)
    expect(before).toMatchObject({
      state: 'connected',
      headStatus: 'Idle',
      headId: null,
      snapshotNumber: null,
      ready: false
    })
    const listener = jest.fn()
    const off = bridge.subscribe(listener)
    connector.last.say(message('HeadIsOpen', { headId: 'ab', parties: [], seq: 1 }))
    connector.last.say(snapshotConfirmed(1, { headId: 'ab' }))
    connector.last.say(
      message('HeadIsClosed', {
        headId: 'ab',
        snapshotNumber: 1,
        contestationDeadline: '2026-01-01T00:00:00.123456789Z',
        seq: 500
      })
    )
    await tick()
    expect(listener).toHaveBeenCalledTimes(1)
    expect(bridge.getSnapshot()).toMatchObject({
      headStatus: 'Closed',
      headId: 'ab',
      snapshotNumber: 1,
      ready: true,
      contestationDeadline: Date.parse('2026-01-01T00:00:00.123Z')
    })
    expect(Object.isFrozen(bridge.getSnapshot())).toBe(true)
    expect(bridge.contestationDeadline).toBe(Date.parse('2026-01-01T00:00:00.123Z'))
    off()
    connector.last.say(message('HeadIsFinalized', { headId: 'ab', utxo: {}, seq: 501 }))
    await tick()
    expect(listener).toHaveBeenCalledTimes(1)
    expect(bridge.headStatus).toBe('Idle')
  })

  it('tells slot 0 and whether the node has caught up', async () => {
    bridge = new LayerBridge({ connector })
    expect([
      bridge.slotZeroTimestamp,
      bridge.synced,
      bridge.headStatus,
      bridge.contestationDeadline,
      bridge.lastSnapshotNumber
    ]).toEqual([null, null, null, null, -1])
    const done = bridge.connect()
    connector.last.greet({ currentSlot: 1_000, chainSyncedStatus: 'CatchingUp' })
    await done
    expect(Math.abs(Date.now() - 1_000_000 - (bridge.slotZeroTimestamp as number))).toBeLessThan(5_000)
    expect(bridge.synced).toBe(false)
    connector.last.say(message('NodeSynced', { chainSlot: 100, chainTime: '2026-01-01T00:01:40.000000Z', drift: 0 }))
    expect(bridge.synced).toBe(true)
    expect(bridge.slotZeroTimestamp).toBe(Date.parse('2026-01-01T00:00:00Z'))
  })

  it('starts the cache afresh with each head and after each drop, never serving old money', async () => {
    const utxo = {
      [`${'a'.repeat(64)}#0`]: {
        address: 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt',
        value: { lovelace: 5 }
      }
    }
    await connect({ autoReconnect: true, reconnectInterval: 1 })
    connector.last.say(message('HeadIsOpen', { headId: 'h1', parties: [], seq: 1 }))
    connector.last.say(snapshotConfirmed(50, { headId: 'h1', utxo, seq: 2 }))
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toEqual(
      new Map([['lovelace', 5n]])
    )
    connector.last.say(snapshotConfirmed(49, { headId: 'h1', seq: 3 }))
    expect(bridge.lastSnapshotNumber).toBe(50)
    connector.last.say(message('HeadIsFinalized', { headId: 'h1', utxo: {}, seq: 4 }))
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toBeNull()
    connector.last.say(message('HeadIsOpen', { headId: 'h2', parties: [], seq: 5 }))
    connector.last.say(snapshotConfirmed(1, { headId: 'h2', seq: 6 }))
    expect(bridge.lastSnapshotNumber).toBe(1)
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toEqual(
      new Map()
    )
    connector.last.fail()
    expect(bridge.lastSnapshotNumber).toBe(-1)
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toBeNull()
  })
})

describe('commands', () => {
  it('are sent as the node reads them, and only while connected', async () => {
    await connect()
    const { commands } = bridge
    commands.init()
    commands.close()
    commands.safeClose()
    commands.contest()
    commands.fanout()
    commands.recover('ab')
    commands.partialFanout({ 'ab#0': { address: 'a', value: { lovelace: 2n ** 60n } } })
    commands.sideLoadSnapshot({ tag: 'InitialSnapshot', headId: 'ab' })
    expect(connector.last.sent).toEqual([
      '{"tag":"Init"}',
      '{"tag":"Close"}',
      '{"tag":"SafeClose"}',
      '{"tag":"Contest"}',
      '{"tag":"Fanout"}',
      '{"tag":"Recover","recoverTxId":"ab"}',
      '{"tag":"PartialFanout","utxoToFanout":{"ab#0":{"address":"a","value":{"lovelace":1152921504606846976}}}}',
      '{"tag":"SideLoadSnapshot","snapshot":{"tag":"InitialSnapshot","headId":"ab"}}'
    ])
    await bridge.disconnect()
    for (const call of [
      commands.init,
      commands.close,
      commands.safeClose,
      commands.contest,
      commands.fanout,
      () => commands.recover('a')
    ]) {
      expect(call).toThrow(expect.objectContaining({ code: 'BRIDGE_NOT_CONNECTED' }))
    }
    await expect(commands.decommit(sampleTx(1))).rejects.toMatchObject({ code: 'BRIDGE_NOT_CONNECTED' })
    await expect(commands.initSync()).rejects.toMatchObject({ code: 'BRIDGE_NOT_CONNECTED' })
    expect(connector.last.sent).toHaveLength(8)
  })

  it("teach when they are refused: the state, the states that allow them, the node's reason", async () => {
    await connect()
    const errors: Error[] = []
    bridge.events.on('onCommandRefused', (error) => errors.push(error))
    connector.last.say({ tag: 'CommandFailed', clientInput: { tag: 'Close' }, state: { tag: 'Idle', contents: {} } })
    connector.last.say({ tag: 'RejectedInputBecauseUnsynced', clientInput: { tag: 'Init' }, drift: 12.5 })
    connector.last.say({ reason: 'Cannot SafeClose with non-ADA assets present: x', input: '{"tag":"SafeClose"}' })
    connector.last.say({
      tag: 'SideLoadSnapshotRejected',
      clientInput: { tag: 'SideLoadSnapshot', snapshot: {} },
      requirementFailure: { tag: 'SideLoadInvalidMultisignature' }
    })
    connector.last.say({
      tag: 'CommandFailed',
      clientInput: { tag: 'Contest' },
      state: { tag: 'Closed', contents: {} }
    })
    expect(
      errors.map(({ message: text }) =>
        text.replace('\nSee https://repository.invalid/layer-sdk/errors.html#bridge_command_refused', '')
      )
    ).toEqual([
      'The node refused Close.\n- Expected the head to be Open\n- Got Idle\n- CommandFailed: the head is Idle',
      'The node refused Init.\n- Got Idle\n- RejectedInputBecauseUnsynced: the node is 12.5 s behind the chain',
      'The node refused SafeClose.\n- Expected the head to be Open\n- Got Idle\n- InvalidInput: Cannot SafeClose with non-ADA assets present: x',
      'The node refused SideLoadSnapshot.\n- Expected the head to be Open\n- Got Idle\n- SideLoadSnapshotRejected: SideLoadInvalidMultisignature',
      'The node refused Contest.\n- Got Closed\n- CommandFailed: no node takes it: contesting is automatic'
    ])
    expect(errors[0]).toMatchObject({
      command: 'Close',
      headState: 'Idle',
      allowedStates: ['Open'],
      reason: 'the head is Idle'
    })
  })

  it('decommit resolves with its own approval and rejects with its own refusal', async () => {
    await connect()
    const { cborHex, txId: mine } = sampleTx(1)
    const other = 'cd'.repeat(32)
    const approved = bridge.commands.decommit({ cborHex, txId: mine })
    await tick()
    connector.last.say(message('DecommitApproved', { headId: 'h', decommitTxId: other, utxoToDecommit: {}, seq: 1 }))
    connector.last.say(message('DecommitApproved', { headId: 'h', decommitTxId: mine, utxoToDecommit: {}, seq: 2 }))
    expect((await approved).seq).toBe(2)
    const refuse = async (payload: unknown): Promise<unknown> => {
      const promise = bridge.commands.decommit({ cborHex, txId: mine, timeout: 50 }).catch((error: unknown) => error)
      await tick()
      connector.last.say(payload)
      return promise
    }
    const decommitTx = { cborHex, txId: mine }
    expect(
      await refuse(
        message('DecommitInvalid', {
          headId: 'h',
          decommitTx,
          decommitInvalidReason: {
            tag: 'DecommitTxInvalid',
            localUTxO: {},
            validationError: { reason: 'MissingVKey' }
          },
          seq: 3
        })
      )
    ).toMatchObject({ tag: 'DecommitInvalid', reason: 'MissingVKey' })
    expect(
      await refuse(
        message('DecommitInvalid', {
          headId: 'h',
          decommitTx,
          decommitInvalidReason: { tag: 'DecommitAlreadyInFlight', otherDecommitTxId: other },
          seq: 4
        })
      )
    ).toMatchObject({ reason: `${other} is in flight` })
    expect(
      await refuse({
        tag: 'CommandFailed',
        clientInput: { tag: 'Decommit', decommitTx },
        state: { tag: 'Idle', contents: {} }
      })
    ).toMatchObject({
      tag: 'CommandFailed',
      headState: 'Idle'
    })
    expect(
      await refuse({ reason: 'txId not matching', input: JSON.stringify({ tag: 'Decommit', decommitTx }) })
    ).toMatchObject({ tag: 'InvalidInput' })
    expect(
      await refuse({ tag: 'RejectedInputBecauseUnsynced', clientInput: { tag: 'Decommit', decommitTx }, drift: 1 })
    ).toMatchObject({
      tag: 'RejectedInputBecauseUnsynced'
    })
    expect(await refuse({ tag: 'CommandFailed', clientInput: { tag: 'Close' }, state: {} })).toMatchObject({
      code: 'BRIDGE_TIMEOUT'
    })
  })

  it('initSync sends Init again only while there is no head, and at most retry times', async () => {
    await connect()
    connector.onRequest = async () => ({ status: 200, text: '{"tag":"Idle","contents":{}}' })
    await expect(bridge.commands.initSync(3, 10)).rejects.toMatchObject({ code: 'BRIDGE_TIMEOUT' })
    expect(connector.last.sent).toEqual(Array(3).fill('{"tag":"Init"}'))
    let asked = 0
    connector.onRequest = async () => ({
      status: 200,
      text:
        ++asked === 1
          ? '{"tag":"Idle","contents":{}}'
          : '{"tag":"Open","contents":{"headId":"ab","parameters":{"parties":[]}}}'
    })
    expect(await bridge.commands.initSync(3, 10)).toMatchObject({ tag: 'HeadIsOpen', headId: 'ab' })
    expect(connector.last.sent).toHaveLength(4)
    expect(await bridge.commands.initSync()).toMatchObject({ tag: 'HeadIsOpen' })
    expect(connector.last.sent).toHaveLength(4)
  })

  it('initSync resolves with the message that opens the head and rejects when the node is out of sync', async () => {
    await connect()
    connector.onRequest = async () => ({ status: 200, text: '{"tag":"Idle","contents":{}}' })
    const opened = bridge.commands.initSync()
    await tick()
    connector.last.say(message('HeadIsOpen', { headId: 'ab', parties: [{ vkey: 'cd' }], seq: 1 }))
    expect(await opened).toMatchObject({ tag: 'HeadIsOpen', seq: 1 })
    const refused = bridge.commands.initSync()
    await tick()
    connector.last.say({ tag: 'RejectedInputBecauseUnsynced', clientInput: { tag: 'Init' }, drift: 3 })
    await expect(refused).rejects.toMatchObject({ code: 'BRIDGE_COMMAND_REFUSED', tag: 'RejectedInputBecauseUnsynced' })
    await expect(bridge.commands.initSync(0)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })
})

describe('verbose', () => {
  it('writes to the given logger, without keys', async () => {
    const lines: string[] = []
    const logger = { debug: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) }
    await connect({ verbose: true, logger })
    bridge.events.on('onMessage', () => {
      throw new Error('see wss://user:SECRET@hub.io/?X-Api-Key=SECRET&b=SECRET, Authorization: Bearer SECRET')
    })
    connector.last.say(message('A'))
    expect(lines.join('\n')).toContain('received A')
    expect(lines.join('\n')).toContain('onMessage failed')
    expect(lines.join('\n') + inspect(bridge)).not.toContain('SECRET')
  })
})
