import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { LayerBridge, WebsocketConnector } from 'layer-sdk/bridge'
import type { InitLayerBridgeOptions } from 'layer-sdk/bridge'
import { once, ScriptedNode, send } from '../../support/scriptedNode'

describe('a direct connection', () => {
  let node: ScriptedNode
  const bridges: LayerBridge[] = []
  beforeEach(async () => {
    node = await new ScriptedNode().start()
  })
  afterEach(async () => {
    await Promise.all(bridges.splice(0).map((bridge) => bridge.disconnect()))
    await node.stop()
  })
  const create = (options: Partial<InitLayerBridgeOptions> = {}): LayerBridge => {
    const bridge = new LayerBridge({ url: node.url, ...options } as InitLayerBridgeOptions)
    bridges.push(bridge)
    return bridge
  }
  const raw = (data: string | Buffer, binary = false): void => {
    for (const socket of node.sockets) socket.send(data, { binary })
  }

  it("sends the key of a hub in the socket's query and as a header of HTTP requests", async () => {
    node.routes['GET /head'] = { body: { tag: 'Idle', contents: {} } }
    const bridge = create({ url: `${node.url}/hub?X-Api-Key=KEY&a=1&a=2` })
    node.routes['GET /hub/head'] = { body: { tag: 'Idle', contents: {} } }
    await bridge.connect()
    await bridge.headInfo()
    expect(node.queries).toEqual(['/hub?X-Api-Key=KEY&a=1&a=2&history=no'])
    const request = node.requests.find(({ url }) => url.startsWith('/hub/head'))
    expect(request).toMatchObject({ url: '/hub/head?a=1&a=2', headers: { 'x-api-key': 'KEY' } })
  })

  it('calls a url function again for every attempt and request', async () => {
    let count = 0
    const bridge = create({
      url: async () => `${node.url}/?X-Api-Key=k${++count}`,
      autoReconnect: true,
      reconnectInterval: 5
    })
    await bridge.connect()
    const again = once(bridge, 'onConnected')
    node.cut()
    await again
    expect(node.queries.length).toBe(2)
    expect(node.queries[0]).not.toBe(node.queries[1])
  })

  it.each([
    [401, true],
    [403, true],
    [404, false],
    [426, false],
    [500, false]
  ])('takes HTTP %i at the upgrade as fatal: %s', async (status, fatal) => {
    node.refuseUpgrade = status
    const bridge = create({ url: `${node.url}/?X-Api-Key=SECRET`, autoReconnect: true, reconnectInterval: 60_000 })
    const told = once(bridge, 'onConnectError')
    const error = await bridge.connect().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'BRIDGE_CONNECT', httpStatus: status, fatal })
    expect(await told).toEqual([error])
    expect(bridge.state).toBe(fatal ? 'failed' : 'reconnecting')
    expect(inspect(error) + inspect(bridge, { depth: 9, showHidden: true }) + JSON.stringify(bridge)).not.toContain(
      'SECRET'
    )
  })

  it.each([
    [1000, false],
    [1001, false],
    [1002, true],
    [1003, true],
    [1007, true],
    [1008, true],
    [1009, true],
    [1010, true],
    [1011, false],
    [1012, false],
    [1013, false],
    [4401, true],
    [4403, true],
    [4000, false]
  ])('takes close code %i as fatal: %s', async (code, fatal) => {
    const bridge = create({ autoReconnect: true, reconnectInterval: 60_000 })
    await bridge.connect()
    const gone = once(bridge, 'onDisconnected')
    for (const socket of node.sockets) socket.close(code)
    await gone
    expect(bridge.state).toBe(fatal ? 'failed' : 'reconnecting')
  })

  it('rejects at once when nothing listens', async () => {
    const port = node.port
    await node.stop()
    await expect(create({ url: `ws://127.0.0.1:${port}` }).connect()).rejects.toMatchObject({
      code: 'BRIDGE_CONNECT',
      message: expect.stringContaining('ECONNREFUSED')
    })
  })

  it('rejects with ConnectTimeoutError when a server accepts and says nothing', async () => {
    const mute = createServer(() => undefined)
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const bridge = create({ url: `ws://127.0.0.1:${(mute.address() as AddressInfo).port}`, connectTimeout: 50 })
    await expect(bridge.connect()).rejects.toMatchObject({ name: 'ConnectTimeoutError' })
    mute.close()
  })

  it('refuses a message over the cap and does not come back for it', async () => {
    const bridge = create({ maxMessageBytes: 1_000, autoReconnect: true, reconnectInterval: 60_000 })
    await bridge.connect()
    const told = once(bridge, 'onConnectError')
    raw(JSON.stringify({ tag: 'Big', text: 'x'.repeat(2_000) }))
    expect((await told)[0]).toMatchObject({ code: 'BRIDGE_MESSAGE_TOO_LARGE', limitBytes: 1_000 })
    expect(bridge.state).toBe('failed')
  })

  it('reports binary frames, broken JSON and wrong types, and keeps the socket', async () => {
    const bridge = create()
    await bridge.connect()
    const errors: string[] = []
    bridge.events.on('onProtocolError', (error) => errors.push((error as { code?: string }).code ?? String(error)))
    const known = once(bridge, 'ReadyToFanout')
    raw(Buffer.from('{"tag":"ReadyToFanout"}'), true)
    for (const text of [
      '{',
      'null',
      '7',
      '[]',
      '""',
      '{"tag":7}',
      `${'['.repeat(100_000)}`,
      '{"tag":"TxValid","headId":7,"seq":-1}',
      '{"tag":"SnapshotConfirmed","headId":"a","snapshot":{},"signatures":{}}'
    ])
      raw(text)
    raw('{"tag":"ReadyToFanout","headId":"ab","seq":9,"timestamp":"2026-01-01T00:00:00Z"}')
    await known
    expect(errors).toEqual(Array(10).fill('BRIDGE_PROTOCOL'))
    expect(bridge.connected()).toBe(true)
  })

  it('passes unknown tags and fields on, and lets no tag forge an event of the bridge', async () => {
    const bridge = create()
    await bridge.connect()
    const forged: unknown[] = []
    bridge.events.on('onDisconnected', () => forged.push('onDisconnected'))
    const seen: unknown[] = []
    bridge.events.on('onMessage', (payload) => seen.push(payload))
    const last = once(bridge, 'Other')
    raw('{"tag":"onDisconnected"}')
    raw('{"tag":"__proto__"}')
    raw('{"tag":"Other","extra":{"deep":[1]},"timestamp":"t"}')
    await last
    expect(seen).toMatchObject([
      { tag: 'onDisconnected' },
      { tag: '__proto__' },
      { tag: 'Other', extra: { deep: [1] }, timestamp: 't' }
    ])
    expect(forged).toEqual([])
  })

  it('delivers a stored message once when history and live overlap, and a resent one once', async () => {
    const stored = (seq: number): unknown => ({
      tag: 'ReadyToFanout',
      headId: 'ab',
      seq,
      timestamp: '2026-01-01T00:00:00Z'
    })
    node.onConnection = (socket) => {
      for (const seq of [3, 7, 9]) send(socket, stored(seq))
      send(socket, { tag: 'Greetings', me: { vkey: 'ab' }, headStatus: 'Closed', hydraHeadId: 'ab', snapshotUtxo: {} })
      for (const seq of [7, 9, 12, 12]) send(socket, stored(seq))
      send(socket, { tag: 'Done' })
    }
    const bridge = create({ history: true })
    const seqs: unknown[] = []
    bridge.events.on('ReadyToFanout', ({ seq }) => seqs.push(seq))
    const done = once(bridge, 'Done')
    await bridge.connect()
    await done
    expect(node.queries).toEqual(['/?history=yes'])
    expect(seqs).toEqual([3, 7, 9, 12])
  })

  it("keeps to what the node's CORS allows in browsers", async () => {
    node.routes['POST /hub/commit'] = { body: { cborHex: '00', txId: 'ab' } }
    const connector = new WebsocketConnector({ websocketUrl: `${node.url}/hub?X-Api-Key=KEY`, browser: true })
    const bridge = create({ url: undefined, connector } as never)
    await bridge.connect()
    await bridge.commit({})
    const request = node.requests.find(({ method }) => method === 'POST')
    expect(request?.url).toBe('/hub/commit?X-Api-Key=KEY')
    expect(request?.headers['content-type']).toBe('text/plain')
    expect(request?.headers['x-api-key']).toBeUndefined()
    node.onInput = ({ tag, recoverTxId }, socket) => {
      if (tag === 'Recover')
        send(socket, {
          tag: 'CommitRecovered',
          headId: 'ab',
          recoveredTxId: recoverTxId,
          recoveredUTxO: {},
          seq: 1,
          timestamp: '2026-01-01T00:00:00Z'
        })
    }
    expect(await bridge.recoverDeposit('cd'.repeat(32))).toBe('OK')
    expect(node.requests.some(({ method }) => method === 'DELETE')).toBe(false)
  })

  it('wants exactly one of url and connector, and numbers in their range', () => {
    const connector = new WebsocketConnector({ websocketUrl: node.url })
    for (const options of [
      {},
      { url: node.url, connector },
      { url: 7 },
      undefined,
      { url: node.url, reconnectInterval: NaN },
      { url: node.url, connectTimeout: 0 },
      { url: node.url, reconnectJitter: 2 }
    ]) {
      expect(() => new LayerBridge(options as never)).toThrow(expect.objectContaining({ code: 'BRIDGE_OPTIONS' }))
    }
    expect(() => new WebsocketConnector({} as never)).toThrow(expect.objectContaining({ code: 'BRIDGE_OPTIONS' }))
  })

  it('fires no timer at once for a time beyond what timers take', async () => {
    const bridge = create({ connectTimeout: 2 ** 40, livenessTimeout: 2 ** 40, requestTimeout: 2 ** 40 })
    expect(await bridge.connect()).toBe(true)
    await bridge.getRawProtocolParameters().catch(() => undefined)
    expect(bridge.connected()).toBe(true)
  })
})
