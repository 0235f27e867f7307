import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { LayerBridge } from 'layer-sdk/bridge'
import type { InitLayerBridgeOptions } from 'layer-sdk/bridge'
import { sampleTx } from '../support/sampleTx'
import { toTxRefs } from '../../src/bridge/txs/txRefs'
import {
  confirmedSnapshot,
  greetings,
  HEAD_ID,
  once,
  output,
  PARTY,
  ScriptedNode,
  send,
  snapshotConfirmed
} from '../support/scriptedNode'
import type { Route, RouteReply } from '../support/scriptedNode'

const stored = { headId: HEAD_ID, timestamp: '2026-01-01T00:00:00Z' }
const PARAMETERS = {
  txFeePerByte: 44,
  txFeeFixed: 155381,
  maxTxSize: 16384,
  stakeAddressDeposit: 2000000,
  stakePoolDeposit: 500000000,
  utxoCostPerByte: 4310,
  costModels: { PlutusV3: [1, 2] },
  protocolVersion: { major: 11, minor: 0 }
}

const HELD = output('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt', 5)

let node: ScriptedNode
let bridge: LayerBridge
beforeEach(async () => {
  node = await new ScriptedNode().start()
  bridge = new LayerBridge({ url: node.url })
})
afterEach(async () => {
  await bridge.disconnect()
  await node.stop()
})
const create = (options: Partial<InitLayerBridgeOptions>): LayerBridge =>
  (bridge = new LayerBridge({ url: node.url, ...options } as InitLayerBridgeOptions))
const asked = (method: string): number => node.requests.filter((request) => request.method === method).length
const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('it succeeded')
    },
    (error: unknown) => error
  )

describe('a GET to the node', () => {
  it('is repeated a bounded number of times on passing failures (row 26)', async () => {
    for (const status of [408, 425, 429, 500, 502, 503, 504, 520]) {
      node.requests.length = 0
      node.routes['GET /protocol-parameters'] = { status, text: '"busy"', headers: { 'Retry-After': '0' } }
      expect(await failure(bridge.getRawProtocolParameters())).toMatchObject({
        code: 'BRIDGE_REQUEST',
        status,
        reason: 'busy'
      })
      expect(asked('GET')).toBe(3)
    }
  })

  it('succeeds when a repetition does, and honours Retry-After as a date', async () => {
    let count = 0
    node.routes['GET /protocol-parameters'] = () =>
      count++ === 0
        ? { status: 503, headers: { 'Retry-After': new Date(Date.now() - 1).toUTCString() } }
        : { body: PARAMETERS }
    expect((await bridge.getRawProtocolParameters()).protocolVersion).toEqual({ major: 11, minor: 0 })
  })

  it('is not repeated when Retry-After lies beyond its deadline', async () => {
    create({ requestTimeout: 200 })
    node.routes['GET /protocol-parameters'] = { status: 503, headers: { 'Retry-After': '60' } }
    expect(await failure(bridge.getRawProtocolParameters())).toMatchObject({ status: 503 })
    expect(asked('GET')).toBe(1)
  })

  it('measures a date in Retry-After by the clock of the node', async () => {
    create({ requestTimeout: 200 })
    // Ten years ago by the local clock, a minute from now by the node's: beyond the deadline.
    node.routes['GET /protocol-parameters'] = {
      status: 503,
      headers: { Date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'Retry-After': 'Wed, 21 Oct 2015 07:29:00 GMT' }
    }
    expect(await failure(bridge.getRawProtocolParameters())).toMatchObject({ status: 503 })
    expect(asked('GET')).toBe(1)
  })

  it('ends at its deadline while the node says nothing, or drips (row 27)', async () => {
    create({ requestTimeout: 80 })
    node.routes['GET /protocol-parameters'] = 'hang'
    expect(await failure(bridge.getRawProtocolParameters())).toMatchObject({ code: 'BRIDGE_TIMEOUT', timeoutMs: 80 })
    const sockets = new Set<Socket>()
    const dripping = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{')
      const timer = setInterval(() => socket.write(' '), 10)
      socket.on('close', () => clearInterval(timer))
    })
    await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve))
    create({ url: `ws://127.0.0.1:${(dripping.address() as AddressInfo).port}`, requestTimeout: 80 })
    expect(await failure(bridge.getRawProtocolParameters())).toMatchObject({ code: 'BRIDGE_TIMEOUT' })
    for (const socket of sockets) socket.destroy()
    dripping.close()
  })

  it.each<[string, Route, string]>([
    ['HTML', { text: '<html>hello</html>' }, 'BRIDGE_PROTOCOL'],
    ['nothing', { text: '' }, 'BRIDGE_PROTOCOL'],
    ['an array', { text: '[1]' }, 'BRIDGE_PROTOCOL'],
    ['a redirect', { status: 302, headers: { Location: 'http://127.0.0.1:9/' } }, 'BRIDGE_REQUEST'],
    ['a reset', 'reset', 'BRIDGE_REQUEST'],
    ['an unknown route', { status: 400, body: 'Resource not found' }, 'BRIDGE_UNSUPPORTED_BY_NODE']
  ])('is a typed error for %s', async (_name, route, code) => {
    node.routes['GET /protocol-parameters'] = route
    expect(await failure(bridge.getRawProtocolParameters())).toMatchObject({ code })
  })

  it('takes no body beyond the cap, compressed or not', async () => {
    create({ maxMessageBytes: 10_000 })
    node.routes['GET /protocol-parameters'] = { text: JSON.stringify({ big: 'x'.repeat(20_000) }) }
    expect(await failure(bridge.getRawProtocolParameters())).toMatchObject({ code: 'BRIDGE_MESSAGE_TOO_LARGE' })
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20))
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
        socket.end(bomb)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    create({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, maxMessageBytes: 10_000 })
    expect(await failure(bridge.getRawProtocolParameters())).toMatchObject({ code: 'BRIDGE_MESSAGE_TOO_LARGE' })
    server.close()
  })

  it('follows no redirect that would carry the key away', async () => {
    const other = await new ScriptedNode().start()
    create({ url: `${node.url}/?X-Api-Key=SECRET` })
    node.routes['GET /head'] = { status: 307, headers: { Location: `http://127.0.0.1:${other.port}/head` } }
    const error = await failure(bridge.headInfo())
    expect(inspect(error)).not.toContain('SECRET')
    expect(other.requests).toEqual([])
    await other.stop()
  })

  it('is ended by disconnect()', async () => {
    await bridge.connect()
    node.routes['GET /head'] = 'hang'
    const pending = failure(bridge.headInfo())
    await node.until(() => asked('GET') > 0)
    await bridge.disconnect()
    expect(await pending).toMatchObject({ code: 'BRIDGE_DISCONNECTED', outcome: 'unknown' })
  })
})

describe('requests to the node', () => {
  it('gives protocol parameters raw and mapped', async () => {
    node.routes['GET /protocol-parameters'] = { body: PARAMETERS }
    expect(await bridge.getRawProtocolParameters()).toEqual(PARAMETERS)
    const protocol = await bridge.getProtocolParameters()
    expect(protocol).toMatchObject({
      min_fee_a: 44,
      min_fee_b: 155381,
      max_tx_size: 16384,
      key_deposit: '2000000',
      pool_deposit: '500000000',
      utxo_cost_per_byte: 4310
    })
    expect(Object.keys(protocol)).not.toEqual(
      expect.arrayContaining(['costModels', 'cost_models', 'protocolVersion', 'protocol_version'])
    )
    node.routes['GET /protocol-parameters'] = { body: { ...PARAMETERS, stakePoolDeposit: null } }
    expect(await failure(bridge.getProtocolParameters())).toMatchObject({ code: 'BRIDGE_PROTOCOL' })
  })

  it('gives the head in public terms', async () => {
    node.routes['GET /head'] = {
      body: {
        tag: 'Closed',
        contents: { headId: HEAD_ID, parameters: { parties: [PARTY], contestationPeriod: 60 }, readyToFanoutSent: true }
      }
    }
    expect(await bridge.headInfo()).toEqual({
      headId: HEAD_ID,
      headStatus: 'FanoutPossible',
      vkey: PARTY.vkey,
      parties: [PARTY],
      contestationPeriod: 60
    })
  })

  it('takes a node without GET /head at its messages', async () => {
    await bridge.connect()
    expect(await bridge.headInfo()).toEqual({ headId: HEAD_ID, headStatus: 'Open', vkey: null, parties: [] })
  })

  it('gives the outputs of the snapshot, those being committed included, exactly as the node wrote them, and keeps them in the cache', async () => {
    const utxo = `{"${'a'.repeat(64)}#0":{"address":"addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt","value":{"lovelace":45000000000000001,"${'ab'.repeat(28)}":{"":9223372036854775807}},"odd":[1.5]}}`
    const commit = `{"${'b'.repeat(64)}#7":{"address":"addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48","value":{"lovelace":2}}}`
    node.routes['GET /snapshot'] = {
      text: `{"tag":"ConfirmedSnapshot","signatures":{"multiSignature":[]},"snapshot":{"headId":"${HEAD_ID}","version":1,"number":4,"confirmed":[],"utxo":${utxo},"utxoToCommit":${commit},"utxoToDecommit":null}}`
    }
    node.onConnection = () => undefined
    node.routes['GET /protocol-parameters'] ??= { body: { txFeeFixed: 0 } }
    await bridge.connect()
    const snapshot = await bridge.querySnapshotUtxo()
    expect(Object.keys(snapshot)).toEqual([`${'a'.repeat(64)}#0`, `${'b'.repeat(64)}#7`])
    expect(snapshot[`${'a'.repeat(64)}#0`]).toEqual({
      address: 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt',
      value: { lovelace: 45000000000000001n, ['ab'.repeat(28)]: { '': 9223372036854775807n } },
      odd: [1.5]
    })
    expect(bridge.lastSnapshotNumber).toBe(4)
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toEqual(
      new Map([
        ['lovelace', 45000000000000001n],
        ['ab'.repeat(28), 9223372036854775807n]
      ])
    )
    expect(bridge.getAddressBalance('addr_test1vqpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsxqc7thun8')).toEqual(
      new Map()
    )
    expect(await bridge.addressesInHead()).toEqual([
      'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt',
      'addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48'
    ])
    expect(await bridge.queryAddressUTxO('addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48')).toEqual([
      {
        input: { txHash: 'b'.repeat(64), index: 7 },
        output: {
          address: 'addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48',
          amount: [{ unit: 'lovelace', quantity: '2' }]
        }
      }
    ])
    bridge.commands.partialFanout(snapshot)
    let text = ''
    node.onInput = (_input, _socket, raw) => {
      text = raw
    }
    await node.until(() => text !== '')
    expect(text).toContain(`{"lovelace":45000000000000001,"${'ab'.repeat(28)}":{"":9223372036854775807}}`)
  })

  it('answers nothing from a cold cache, and fills none that no connection keeps up to date', async () => {
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toBeNull()
    expect(() => bridge.snapshotUtxoArray()).toThrow(expect.objectContaining({ code: 'BRIDGE_CACHE_COLD' }))
    node.routes['GET /snapshot'] = {
      body: confirmedSnapshot(4, {
        utxo: { [`${'a'.repeat(64)}#0`]: output('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt', 5) }
      })
    }
    expect(
      await bridge.queryAddressUTxO('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')
    ).toHaveLength(1)
    expect(await bridge.addressesInHead()).toEqual(['addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'])
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toBeNull()
  })

  it('takes nodes without GET /snapshot at GET /snapshot/utxo', async () => {
    node.onConnection = () => undefined
    node.routes['GET /protocol-parameters'] ??= { body: { txFeeFixed: 0 } }
    node.routes['GET /snapshot/utxo'] = {
      body: { [`${'a'.repeat(64)}#0`]: output('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt', 5) }
    }
    await bridge.connect()
    expect(Object.keys(await bridge.querySnapshotUtxo())).toHaveLength(1)
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toEqual(
      new Map([['lovelace', 5n]])
    )
  })

  it('is empty when there is no head', async () => {
    node.routes['GET /snapshot'] = { status: 404 }
    expect(await bridge.querySnapshotUtxo()).toEqual({})
  })
})

describe('a POST to the node', () => {
  const tx = sampleTx()

  it('is never repeated', async () => {
    for (const status of [408, 429, 500, 502, 503, 504]) {
      node.requests.length = 0
      node.routes['POST /commit'] = { status, text: '"busy"', headers: { 'Retry-After': '0' } }
      expect(await failure(bridge.commit({}))).toMatchObject({ code: 'BRIDGE_REQUEST', status })
      expect(asked('POST')).toBe(1)
    }
  })

  it("commits a blueprint, outputs, or the node's own request", async () => {
    node.routes['POST /commit'] = { body: { type: 'Tx ConwayEra', description: '', cborHex: 'ab', txId: 'cd' } }
    const utxo = {
      [`${'a'.repeat(64)}#0`]: output('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt', 5)
    } as never
    expect(await bridge.commit(utxo)).toEqual({ type: 'Tx ConwayEra', description: '', cborHex: 'ab', txId: 'cd' })
    await bridge.commit({ cborHex: tx.cborHex, description: 'd' })
    await bridge.commit({ cborHex: tx.cborHex, description: 'd', utxo, changeAddress: 'addr_test1c' })
    await bridge.commit({ blueprintTx: tx, utxo, changeAddress: 'addr_test1c' })
    const blueprintTx = { type: 'Tx ConwayEra', description: 'd', cborHex: tx.cborHex, txId: tx.txId }
    expect(node.requests.map(({ body }) => JSON.parse(body))).toEqual([
      utxo,
      { blueprintTx, utxo: {} },
      { blueprintTx, utxo, changeAddress: 'addr_test1c' },
      { blueprintTx: tx, utxo, changeAddress: 'addr_test1c' }
    ])
  })

  it("rejects a commit with the node's reason", async () => {
    node.routes['POST /commit'] = { status: 400, body: { tag: 'DepositTooLow', providedValue: 1, minimumValue: 2 } }
    expect(await failure(bridge.commit({}))).toMatchObject({
      code: 'BRIDGE_REQUEST',
      status: 400,
      body: { tag: 'DepositTooLow', minimumValue: 2 }
    })
    node.routes['POST /commit'] = { status: 400, body: 'Head is not open' }
    expect((await failure(bridge.commit({}))).message).toContain('Head is not open')
  })

  it('submits to the base ledger', async () => {
    node.routes['POST /cardano-transaction'] = { body: { tag: 'TransactionSubmitted' } }
    expect(await bridge.submitCardanoTransaction({ cborHex: tx.cborHex, description: '' })).toEqual({
      txId: tx.txId,
      tag: 'TransactionSubmitted'
    })
    node.routes['POST /cardano-transaction'] = {
      status: 400,
      body: { tag: 'FailedToPostTx', failureReason: 'MissingVKeyWitnessesUTXOW' }
    }
    expect(await failure(bridge.submitCardanoTransaction({ cborHex: tx.cborHex, description: '' }))).toMatchObject({
      reason: 'MissingVKeyWitnessesUTXOW'
    })
  })
})

describe('submitL2Tx', () => {
  const tx = sampleTx()
  const snapshotWith = (number: number, ...confirmed: unknown[]): unknown => snapshotConfirmed(number, { confirmed })
  const verdict = (reply: RouteReply, options?: object): Promise<any> => {
    node.routes['POST /transaction'] = reply
    return bridge.submitL2Tx(tx, options)
  }

  it('resolves with every verdict of the node', async () => {
    // Another transaction each time: what the node has taken is not sent again.
    let salt = 0
    const verdict = (reply: RouteReply): Promise<any> => {
      node.routes['POST /transaction'] = reply
      return bridge.submitL2Tx(sampleTx(++salt))
    }
    expect(await verdict({ status: 200, body: { tag: 'SubmitTxConfirmed', snapshotNumber: 3 } })).toEqual({
      tag: 'SubmitTxConfirmed',
      snapshotNumber: 3
    })
    expect(await verdict({ status: 202, body: { tag: 'SubmitTxSubmitted' } })).toEqual({ tag: 'SubmitTxSubmitted' })
    expect(
      await verdict({
        status: 202,
        body: { tag: 'SubmitTxSubmitted', timeout: 'Transaction submission timed out after 300s seconds' }
      })
    ).toEqual({
      tag: 'SubmitTxSubmitted',
      timedOut: true
    })
    expect(await verdict({ status: 400, body: { tag: 'SubmitTxInvalid', validationError: 'BadInputs' } })).toEqual({
      tag: 'SubmitTxInvalid',
      validationError: 'BadInputs'
    })
    expect(await verdict({ status: 400, body: 'Error in $: txId not matching' })).toEqual({
      tag: 'SubmitTxInvalid',
      validationError: 'Error in $: txId not matching'
    })
    expect(
      await verdict({
        status: 503,
        body: { tag: 'SubmitTxRejected', reason: 'Node is out of sync with chain, drift: 123.4s' }
      })
    ).toEqual({
      tag: 'SubmitTxRejected',
      reason: 'Node is out of sync with chain, drift: 123.4s'
    })
    expect(node.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))).toEqual(
      [1, 2, 3, 4, 5, 6].map((each) => sampleTx(each))
    )
  })

  it("takes 503 for another client's when the node says our transaction is valid", async () => {
    await bridge.connect()
    const pending = verdict({ status: 503, body: { tag: 'SubmitTxRejected', reason: 'out of sync' } })
    await node.until(() => asked('POST') === 1)
    node.send({ tag: 'TxValid', transactionId: tx.txId, seq: 5, ...stored })
    expect(await pending).toEqual({ tag: 'SubmitTxSubmitted' })
  })

  it('leaves no timer behind when disconnect() cuts that off', async () => {
    await bridge.connect()
    const started = jest.spyOn(globalThis, 'setTimeout')
    const stopped = jest.spyOn(globalThis, 'clearTimeout')
    const pending = failure(verdict({ status: 503, body: { tag: 'SubmitTxRejected', reason: 'out of sync' } }))
    const graces = (): unknown[] =>
      started.mock.results
        .filter((_, index) => started.mock.calls[index]?.[1] === 1_000)
        .map(({ value }) => value as unknown)
    await node.until(() => graces().length === 1)
    await bridge.disconnect()
    expect(await pending).toMatchObject({ tag: 'Disconnected' })
    expect(stopped.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(graces()))
    jest.restoreAllMocks()
  })

  it("does not wait for the node's limit when the head is not open", async () => {
    await bridge.connect()
    const pending = verdict('hang')
    await node.until(() => asked('POST') === 1)
    node.send({
      tag: 'CommandFailed',
      clientInput: { tag: 'NewTx', transaction: tx },
      state: { tag: 'Idle', contents: {} }
    })
    expect(await pending).toEqual({ tag: 'SubmitTxRejected', reason: 'CommandFailed: the head is Idle' })
  })

  it('is posted once for parallel calls and with submitTxSync', async () => {
    await bridge.connect()
    const sync = bridge.submitTxSync(tx).catch(() => undefined)
    node.routes['POST /transaction'] = { status: 202, body: { tag: 'SubmitTxSubmitted' } }
    await node.until(() => node.inputs.length === 1)
    const calls = [bridge.submitL2Tx(tx), bridge.submitL2Tx(tx)]
    node.send({ tag: 'TxValid', transactionId: tx.txId, seq: 5, ...stored })
    expect(await Promise.all(calls)).toEqual([
      { tag: 'SubmitTxSubmitted', deduplicated: true },
      { tag: 'SubmitTxSubmitted', deduplicated: true }
    ])
    expect(asked('POST')).toBe(0)
    await bridge.disconnect()
    await sync
    expect(await Promise.all([bridge.submitL2Tx(tx), bridge.submitL2Tx(tx)])).toHaveLength(2)
    expect(asked('POST')).toBe(1)
  })

  it.each<[string, RouteReply, object]>([
    ['submitted', { status: 202, body: { tag: 'SubmitTxSubmitted' } }, { tag: 'SubmitTxSubmitted' }],
    [
      'confirmed',
      { status: 200, body: { tag: 'SubmitTxConfirmed', snapshotNumber: 2 } },
      { tag: 'SubmitTxConfirmed', snapshotNumber: 2 }
    ]
  ])(
    'sends nothing again, by submitTxSync neither, once the reply said %s, though TxValid has not come',
    async (_name, reply, expected) => {
      await bridge.connect()
      expect(await verdict(reply)).toEqual(expected)
      const again = bridge.submitL2Tx(tx)
      expect(await again).toEqual({ tag: 'SubmitTxSubmitted', deduplicated: true })
      const sync = bridge.submitTxSync(tx)
      node.send({ tag: 'TxValid', transactionId: tx.txId, seq: 5, ...stored }, snapshotWith(2, tx))
      expect(await sync).toMatchObject({ isConfirmed: true, deduplicated: true })
      expect([asked('POST'), node.inputs.length]).toEqual([1, 0])
    }
  )

  it("is sent by submitTxSync all the same when the node's own limit ran out before it had a verdict", async () => {
    await bridge.connect()
    expect(await verdict({ status: 202, body: { tag: 'SubmitTxSubmitted', timeout: 'timed out' } })).toEqual({
      tag: 'SubmitTxSubmitted',
      timedOut: true
    })
    const sync = bridge.submitTxSync(tx)
    await node.until(() => node.inputs.length === 1)
    node.send(snapshotWith(2, tx))
    expect(await sync).not.toHaveProperty('deduplicated')
  })

  it('is answered by the messages or the state when the reply is lost, without another POST (row 19)', async () => {
    await bridge.connect()
    const byMessage = verdict('reset')
    await node.until(() => asked('POST') === 1)
    node.send({ tag: 'TxValid', transactionId: tx.txId, seq: 5, ...stored })
    expect(await byMessage).toEqual({ tag: 'SubmitTxSubmitted' })
    const other = sampleTx(2)
    node.routes['GET /snapshot'] = { body: confirmedSnapshot(8, { confirmed: [other] }) }
    expect(await bridge.submitL2Tx(other)).toEqual({ tag: 'SubmitTxConfirmed', snapshotNumber: 8 })
    expect(asked('POST')).toBe(2)
  })

  it('is what the messages say when the answer never comes', async () => {
    await bridge.connect()
    const pending = verdict('hang', { timeout: 300 })
    await node.until(() => asked('POST') === 1)
    node.send(snapshotWith(2, tx))
    expect(await pending).toEqual({ tag: 'SubmitTxConfirmed', snapshotNumber: 2 })
  })

  it('is the refusal of the messages when the answer never comes', async () => {
    const utxo = Object.fromEntries(toTxRefs(tx.txId, tx.cborHex).inputs.map((key) => [key, HELD]))
    node.onConnection = (socket) => send(socket, greetings({ snapshotUtxo: utxo }))
    await bridge.connect()
    const pending = verdict('hang', { timeout: 300 })
    await node.until(() => asked('POST') === 1)
    node.send({ tag: 'TxInvalid', transaction: tx, utxo, validationError: { reason: 'no witness' }, seq: 5, ...stored })
    expect(await pending).toEqual({ tag: 'SubmitTxInvalid', validationError: 'no witness' })
  })

  it('tells everybody who waits for the same transaction what its answer was', async () => {
    await bridge.connect()
    const pending = verdict({ status: 503, body: { tag: 'SubmitTxRejected', reason: 'out of sync' } })
    const other = failure(bridge.submitTxSync(tx))
    expect(await pending).toMatchObject({ tag: 'SubmitTxRejected' })
    expect(await other).toMatchObject({ tag: 'RejectedInputBecauseUnsynced', reason: 'out of sync' })
  })

  it.each<[string, () => unknown, object]>([
    ['confirmed', () => snapshotWith(2, tx), { tag: 'SubmitTxConfirmed', snapshotNumber: 2 }],
    ['valid', () => ({ tag: 'TxValid', transactionId: tx.txId, seq: 5, ...stored }), { tag: 'SubmitTxSubmitted' }]
  ])('is no refusal of a copy while the transaction itself is %s', async (_name, message, expected) => {
    await bridge.connect()
    const arrived = once(bridge, 'onMessage')
    node.routes['POST /transaction'] = async () => {
      node.send(message())
      await arrived
      return { status: 400, body: { tag: 'SubmitTxInvalid', validationError: 'BadInputsUTxO' } }
    }
    expect(await bridge.submitL2Tx(tx)).toEqual(expected)
  })

  it('is confirmed, whatever the answer to a copy, when its own outputs are in the head', async () => {
    node.onConnection = (socket) =>
      send(
        socket,
        greetings({
          snapshotUtxo: {
            [`${tx.txId}#0`]: output('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt', 5)
          }
        })
      )
    await bridge.connect()
    expect(
      await verdict({ status: 400, body: { tag: 'SubmitTxInvalid', validationError: 'BadInputsUTxO' } })
    ).toMatchObject({ tag: 'SubmitTxConfirmed' })
  })

  it("requests the head's state before a copy sent again counts as refused", async () => {
    await bridge.connect()
    expect(
      await verdict({ status: 400, body: { tag: 'SubmitTxInvalid', validationError: 'no witness' } })
    ).toMatchObject({ tag: 'SubmitTxInvalid' })
    node.routes['GET /snapshot'] = { body: confirmedSnapshot(8, { confirmed: [tx] }) }
    expect(await verdict({ status: 400, body: { tag: 'SubmitTxInvalid', validationError: 'BadInputsUTxO' } })).toEqual({
      tag: 'SubmitTxConfirmed',
      snapshotNumber: 8
    })
  })

  it.each<[string, RouteReply, string[]]>([
    [
      'invalid',
      { status: 400, body: { tag: 'SubmitTxInvalid', validationError: 'no witness' } },
      ['submitted', 'invalid', 'confirmed']
    ],
    ['rejected', { status: 503, body: { tag: 'SubmitTxRejected', reason: 'out of sync' } }, ['submitted', 'confirmed']],
    [
      "unknown, by the node's own limit,",
      { status: 202, body: { tag: 'SubmitTxSubmitted', timeout: 'timed out' } },
      ['submitted', 'timedOut', 'confirmed']
    ]
  ])('is one event when what was answered as %s is confirmed later', async (_name, reply, states) => {
    await bridge.connect()
    const progress: string[] = []
    const late: string[] = []
    bridge.events.on('onTxProgress', ({ state }) => progress.push(state))
    bridge.events.on('onLateConfirmation', ({ txId }) => late.push(txId))
    await verdict(reply)
    node.send(snapshotWith(2, tx))
    await once(bridge, 'SnapshotConfirmed')
    expect(late).toEqual([tx.txId])
    expect(progress).toEqual(states)
  })

  it('is unknown when neither tells in time, and honours its own timeout and signal', async () => {
    await bridge.connect()
    expect(await failure(verdict('hang', { timeout: 40 }))).toMatchObject({
      code: 'BRIDGE_SUBMIT',
      tag: 'Timeout',
      outcome: 'unknown'
    })
    expect(
      await failure(bridge.submitL2Tx(sampleTx(3), { signal: AbortSignal.abort(new Error('mine')) }))
    ).toMatchObject({ message: 'mine' })
    expect(await failure(bridge.submitL2Tx(sampleTx(3), { signal: AbortSignal.timeout(20) }))).toMatchObject({
      name: 'TimeoutError'
    })
  })

  it('leaves nothing behind at a signal that outlives it', async () => {
    const { signal } = new AbortController()
    const added = jest.spyOn(signal, 'addEventListener')
    const removed = jest.spyOn(signal, 'removeEventListener')
    await verdict({ body: { tag: 'SubmitTxConfirmed', snapshotNumber: 2 } }, { signal })
    const listeners = (spy: jest.SpyInstance): unknown[] =>
      spy.mock.calls.map(([name, listener]: unknown[]) => [name, listener])
    expect(added).toHaveBeenCalled()
    expect(listeners(removed)).toEqual(expect.arrayContaining(listeners(added)))
  })

  it('names submitTxSync on nodes without the route', async () => {
    expect((await failure(verdict({ status: 400, body: 'Resource not found' }))).message).toContain('submitTxSync')
    node.onConnection = (socket) =>
      send(socket, { tag: 'Greetings', me: PARTY, headStatus: 'Idle', hydraNodeVersion: '0.22.4' })
    await bridge.connect()
    node.requests.length = 0
    expect(await failure(bridge.submitL2Tx(sampleTx(3)))).toMatchObject({ code: 'BRIDGE_UNSUPPORTED_BY_NODE' })
    expect(node.requests).toEqual([])
  })

  it('rejects what never reached the node at once', async () => {
    const port = node.port
    await node.stop()
    create({ url: `ws://127.0.0.1:${port}` })
    expect(await failure(bridge.submitL2Tx(tx))).toMatchObject({
      code: 'BRIDGE_REQUEST',
      status: 0,
      reason: 'ECONNREFUSED'
    })
  })
})

describe('recoverDeposit', () => {
  const id = 'cd'.repeat(32)
  const recovered = (recoveredTxId: string): unknown => ({
    tag: 'CommitRecovered',
    recoveredTxId,
    recoveredUTxO: {},
    seq: Math.floor(performance.now() * 1000),
    ...stored
  })

  it.each([true, false])(
    "is unknown, in the node's own words, when the node's own limit runs out (connected: %s)",
    async (connected) => {
      if (connected) await bridge.connect()
      node.routes[`DELETE /commits/${id}`] = {
        status: 202,
        body: { tag: 'RecoverSubmitted', timeout: 'Operation timed out after 300s seconds' }
      }
      const error = await failure(bridge.recoverDeposit(id))
      expect(error).toMatchObject({
        name: 'NodeTimeoutError',
        code: 'BRIDGE_NODE_TIMEOUT',
        outcome: 'unknown',
        reason: 'Operation timed out after 300s seconds'
      })
      expect(error.message).toContain('Operation timed out after 300s seconds')
      expect(error.message).not.toMatch(/\b0 ms/)
    }
  )

  it("resolves with the node's text once this very deposit is recovered", async () => {
    await bridge.connect()
    node.routes[`DELETE /commits/${id}`] = { body: 'OK' }
    let done = false
    const pending = bridge.recoverDeposit(id).then((text) => {
      done = true
      return text
    })
    await node.until(() => asked('DELETE') === 1)
    node.send(recovered('ab'.repeat(32)))
    await once(bridge, 'CommitRecovered')
    expect(done).toBe(false)
    node.send(recovered(id))
    expect(await pending).toBe('OK')
  })

  it('quotes the id for nodes before 1.3', async () => {
    node.onConnection = (socket) =>
      send(socket, { tag: 'Greetings', me: PARTY, headStatus: 'Idle', hydraNodeVersion: '1.2.0' })
    await bridge.connect()
    node.routes[`DELETE /commits/%22${id}%22`] = () => {
      node.send(recovered(id))
      return { body: 'OK' }
    }
    expect(await bridge.recoverDeposit(id)).toBe('OK')
  })

  it("rejects with the node's reason, over HTTP or as a failure on the chain", async () => {
    await bridge.connect()
    node.routes[`DELETE /commits/${id}`] = { status: 400, body: 'Recover failed' }
    expect(await failure(bridge.recoverDeposit(id))).toMatchObject({ code: 'BRIDGE_REQUEST', reason: 'Recover failed' })
    node.routes[`DELETE /commits/${id}`] = 'hang'
    const pending = failure(bridge.recoverDeposit(id))
    await node.until(() => asked('DELETE') === 2)
    node.send({
      tag: 'PostTxOnChainFailed',
      postChainTx: { tag: 'RecoverTx', recoverTxId: id },
      postTxError: { tag: 'FailedToConstructRecoverTx', failureReason: 'too early' }
    })
    expect(await pending).toMatchObject({ reason: 'too early' })
  })

  it('sends the input Recover where DELETE is not possible, and times out as unknown', async () => {
    await bridge.connect()
    // The wait ends once the input has come, however busy the machine is.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] })
    try {
      const pending = failure(bridge.recoverDeposit(id, { timeout: 60 }))
      await node.until(() => node.inputs.length > 0)
      jest.advanceTimersByTime(60)
      expect(await pending).toMatchObject({ code: 'BRIDGE_TIMEOUT', outcome: 'unknown' })
    } finally {
      jest.useRealTimers()
    }
    expect(node.inputs).toEqual([{ tag: 'Recover', recoverTxId: id }])
  })

  it('finds a deposit whose id is given in capital letters', async () => {
    await bridge.connect()
    node.routes[`DELETE /commits/${id}`] = () => {
      node.send(recovered(id))
      return { body: 'OK' }
    }
    expect(await bridge.recoverDeposit(id.toUpperCase())).toBe('OK')
    expect(await failure(bridge.recoverDeposit('no hex'))).toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'depositTxId'
    })
  })

  it.each([408, 502, 504])('goes on waiting when a proxy has lost the answer (%p)', async (status) => {
    await bridge.connect()
    node.routes[`DELETE /commits/${id}`] = () => {
      setTimeout(() => node.send(recovered(id)), 30)
      return { status, text: 'Gateway Timeout' }
    }
    expect(await bridge.recoverDeposit(id)).toBe('OK')
  })

  it('sends the input over a connection that comes while DELETE fails, and believes its list of deposits', async () => {
    node.routes[`DELETE /commits/${id}`] = async () => {
      await bridge.connect()
      return { status: 400, body: 'Resource not found' }
    }
    node.routes['GET /commits'] = { body: [] }
    expect(await bridge.recoverDeposit(id)).toBe('OK')
    expect(node.inputs).toEqual([{ tag: 'Recover', recoverTxId: id }])
  })

  it('goes on waiting when the connection of the request is cut', async () => {
    await bridge.connect()
    node.routes[`DELETE /commits/${id}`] = () => {
      setTimeout(() => node.send(recovered(id)), 30)
      return 'reset'
    }
    expect(await bridge.recoverDeposit(id)).toBe('OK')
  })

  it('takes the word of a node before 1.0, which answers at once, when there is no connection', async () => {
    node.onConnection = (socket) =>
      send(socket, { tag: 'Greetings', me: PARTY, headStatus: 'Idle', hydraNodeVersion: '0.22.4' })
    await bridge.connect()
    await bridge.disconnect()
    node.routes[`DELETE /commits/%22${id}%22`] = { body: 'OK' }
    node.routes['GET /commits'] = { body: [id] }
    expect(await bridge.recoverDeposit(id)).toBe('OK')
  })

  it('requests the pending deposits when there is no connection to receive messages on', async () => {
    node.routes[`DELETE /commits/${id}`] = { body: 'OK' }
    node.routes['GET /commits'] = { body: [] }
    expect(await bridge.recoverDeposit(id)).toBe('OK')
    node.routes['GET /commits'] = { body: [id] }
    expect(await failure(bridge.recoverDeposit(id))).toMatchObject({ code: 'BRIDGE_REQUEST' })
    expect(await bridge.pendingDeposits()).toEqual([id])
  })

  it('does not request them of a node before 0.20, which has no such list', async () => {
    node.onConnection = (socket) =>
      send(socket, { tag: 'Greetings', me: PARTY, headStatus: 'Idle', hydraNodeVersion: '0.19.0' })
    node.routes['GET /commits'] = { body: [id] }
    await bridge.connect()
    node.requests.length = 0
    expect(await failure(bridge.pendingDeposits())).toMatchObject({
      code: 'BRIDGE_UNSUPPORTED_BY_NODE',
      message: expect.stringContaining('a node from 0.20')
    })
    expect(node.requests).toEqual([])
  })
})
