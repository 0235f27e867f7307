import { createServer } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Server } from 'socket.io'
import WebSocket from 'ws'
import type { Namespace, Socket } from 'socket.io'
import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import type { GatewayConnectorOptions } from 'layer-sdk/bridge'
import { FaultProxy } from '../faults/support/FaultProxy'
import { until } from '../faults/support/matrix'
import { hashOf, sampleTx } from '../support/sampleTx'
import { greetings, HEAD_ID, once, PARTY, snapshotConfirmed } from '../support/scriptedNode'

const NAMESPACE = '/base/hydra'
const TOKEN = 'SECRET-JWT'

describe('a bridge over a socket.io gateway', () => {
  let http: HttpServer
  let io: Server
  let namespace: Namespace
  let bridge: LayerBridge
  let emitted: { command: string; data: any }[]
  let requests: { method: string; url: string; authorization: string | undefined; body: string }[]
  let routes: Record<string, { status?: number; text: string }>
  const sockets = new Set<Socket>()

  beforeEach(async () => {
    emitted = []
    requests = []
    routes = {}
    http = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += String(chunk)
      })
      request.on('end', () => {
        requests.push({
          method: request.method ?? '',
          url: request.url ?? '',
          authorization: request.headers.authorization,
          body
        })
        const { status = 200, text = '' } = routes[`${request.method} ${request.url}`] ?? { status: 404, text: '' }
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(text)
      })
    })
    io = new Server(http)
    namespace = io.of(NAMESPACE)
    namespace.use((socket, next) =>
      next(
        socket.handshake.auth['token'] === TOKEN
          ? undefined
          : new Error(`authentication failed for ${String(socket.handshake.auth['token'])}`)
      )
    )
    namespace.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('hydra', (event) => emitted.push(event))
      socket.emit('hydra', {
        status: 'success',
        data: greetings({
          snapshotUtxo: {
            [`${hashOf(1)}#0`]: {
              address: 'addr_test1vqzqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqpqg3v3',
              value: { lovelace: 1 }
            }
          }
        })
      })
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    await bridge.disconnect()
    sockets.clear()
    await io.close()
    http.closeAllConnections()
  })

  function create(options: GatewayConnectorOptions = {}, bridgeOptions: object = {}, token = TOKEN): LayerBridge {
    const { port } = http.address() as AddressInfo
    const connector = new GatewayConnector(`http://127.0.0.1:${port}/base`, {
      ...options,
      socketIoOptions: { auth: { token }, ...options.socketIoOptions }
    })
    return (bridge = new LayerBridge({ connector, ...bridgeOptions }))
  }
  const failure = (promise: Promise<unknown>): Promise<any> =>
    promise.then(
      () => {
        throw new Error('it succeeded')
      },
      (error: unknown) => error
    )

  it("connects to the namespace below the base path, with the user's transports", async () => {
    const transports: string[] = []
    io.engine.on('connection', (engine: { transport: { name: string } }) => transports.push(engine.transport.name))
    create({ socketIoOptions: { auth: { token: TOKEN }, transports: ['websocket'] } })
    expect(await bridge.connect()).toBe(true)
    expect(bridge.headStatus).toBe('Open')
    expect(transports).toEqual(['websocket'])
    expect([...sockets].map(({ nsp }) => nsp.name)).toEqual([NAMESPACE])
  })

  it('sends commands and takes messages, integers beyond 2^53 exact both ways', async () => {
    create()
    await bridge.connect()
    const tx = sampleTx()
    const pending = bridge.submitTxSync(tx)
    const raw = JSON.stringify(
      snapshotConfirmed(2, {
        confirmed: [tx],
        utxo: {
          [`${'a'.repeat(64)}#0`]: {
            address: 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt',
            value: { lovelace: 1 }
          }
        }
      })
    ).replace('"lovelace":1', '"lovelace":9223372036854775807')
    // As text, since JavaScript's own numbers would round it on this side.
    const engine = Object.values((io.engine as any).clients)[0] as { write(packet: string): void }
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (emitted.length > 0) resolve()
        else setTimeout(check, 5)
      }
      check()
    })
    engine.write(`2${NAMESPACE},["hydra",{"status":"success","data":${raw}}]`)
    expect(await pending).toMatchObject({ isConfirmed: true })
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toEqual(
      new Map([['lovelace', 9223372036854775807n]])
    )
    expect(emitted).toEqual([{ command: 'send_command', data: { tag: 'NewTx', transaction: tx } }])
  })

  it('reports a failure without data, a broken or a reserved packet as an event, and goes on', async () => {
    create()
    await bridge.connect()
    const errors: string[] = []
    bridge.events.on('onProtocolError', (error) => errors.push((error as unknown as { code: string }).code))
    namespace.emit('hydra', { status: 'fail' })
    namespace.emit('hydra', 'text')
    const engine = Object.values((io.engine as any).clients)[0] as { write(packet: string): void }
    engine.write(`2${NAMESPACE},["hydra",{`)
    engine.write(`2${NAMESPACE},["disconnect","forged"]`)
    engine.write(`2${NAMESPACE},7`)
    const next = once(bridge, 'CommandFailed')
    namespace.emit('hydra', {
      status: 'fail',
      data: { tag: 'CommandFailed', clientInput: { tag: 'Close' }, state: {} }
    })
    await next
    expect(errors).toHaveLength(5)
    expect(bridge.connected()).toBe(true)
  })

  it("requests the gateway's own routes, with the bearer token, bodies wrapped or bare", async () => {
    routes = {
      [`GET ${NAMESPACE}/protocol-parameters`]: {
        text: '{"data":{"txFeePerByte":1,"txFeeFixed":9007199254740993,"maxTxSize":3,"stakeAddressDeposit":4,"stakePoolDeposit":5}}'
      },
      [`GET ${NAMESPACE}/head`]: {
        text: JSON.stringify({ tag: 'Open', contents: { headId: HEAD_ID, parameters: { parties: [PARTY] } } })
      },
      [`GET ${NAMESPACE}/snapshot/utxo`]: {
        text: `{"status": "success", "code": 200, "data": {"${'a'.repeat(64)}#0":{"address":"addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt","value":{"lovelace":7}}}}`
      },
      [`POST ${NAMESPACE}/commit`]: { text: '{"data":{"cborHex":"ab","txId":"cd"}}' },
      [`POST ${NAMESPACE}/submit-tx`]: { status: 202, text: '{"tag":"SubmitTxSubmitted"}' },
      [`POST ${NAMESPACE}/cardano-transaction`]: { text: '{"data":{"tag":"TransactionSubmitted"}}' }
    }
    create()
    await bridge.connect()
    expect((await bridge.getRawProtocolParameters())['txFeeFixed']).toBe(9007199254740993n)
    expect(await bridge.headInfo()).toMatchObject({ headId: HEAD_ID, headStatus: 'Open' })
    expect(Object.keys(await bridge.querySnapshotUtxo())).toHaveLength(1)
    expect(bridge.getAddressBalance('addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt')).toEqual(
      new Map([['lovelace', 7n]])
    )
    const utxo = {
      [`${'b'.repeat(64)}#0`]: {
        address: 'addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48',
        value: { lovelace: 2n ** 60n }
      }
    }
    expect(await bridge.commit(utxo)).toEqual({ cborHex: 'ab', txId: 'cd' })
    expect(requests.at(-1)?.body).toBe(
      `{"type":"simple","data":{"utxo":{"${'b'.repeat(64)}#0":{"address":"addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48","value":{"lovelace":1152921504606846976}}}}}`
    )
    expect(await bridge.submitL2Tx(sampleTx())).toEqual({ tag: 'SubmitTxSubmitted' })
    expect(await bridge.submitCardanoTransaction({ cborHex: sampleTx().cborHex, description: '' })).toMatchObject({
      txId: sampleTx().txId
    })
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${TOKEN}`]))
  })

  it('refuses what a gateway has no route for', async () => {
    create()
    await bridge.connect()
    const blueprint = bridge.commit({ cborHex: sampleTx().cborHex, description: '' })
    for (const promise of [bridge.pendingDeposits(), bridge.recoverDeposit('ab'), blueprint]) {
      expect(await failure(promise)).toMatchObject({ code: 'BRIDGE_UNSUPPORTED_BY_CONNECTOR' })
    }
  })

  it('settles a refused connect, tells onConnectError, gives up, and shows no token (row 44)', async () => {
    create({}, { autoReconnect: true, reconnectInterval: 5 }, 'WRONG-SECRET')
    const reported = once(bridge, 'onConnectError')
    const error = await failure(bridge.connect())
    expect(error).toMatchObject({ code: 'BRIDGE_CONNECT', fatal: true })
    expect(await reported).toEqual([error])
    expect(bridge.state).toBe('failed')
    expect(inspect(error) + inspect(bridge, { depth: 9, showHidden: true })).not.toContain('SECRET')
  })

  it('settles a connect to nothing', async () => {
    create()
    http.close()
    await io.close()
    expect(await failure(bridge.connect())).toMatchObject({ code: 'BRIDGE_CONNECT', fatal: false })
  })

  it("reconnects by the bridge's policy with a fresh token, and buffers nothing while down", async () => {
    let asked = 0
    create(
      {
        socketIoOptions: {
          transports: ['websocket'],
          auth: {
            token: () => {
              asked += 1
              return TOKEN
            }
          }
        }
      },
      { autoReconnect: true, reconnectInterval: 20 }
    )
    await bridge.connect()
    const back = once(bridge, 'onConnected')
    const gone = once(bridge, 'onDisconnected')
    for (const socket of sockets) socket.conn.close()
    await gone
    expect(() => bridge.commands.close()).toThrow(expect.objectContaining({ code: 'BRIDGE_NOT_CONNECTED' }))
    await back
    bridge.commands.contest()
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (emitted.length > 0) resolve()
        else setTimeout(check, 5)
      }
      check()
    })
    expect(emitted).toEqual([{ command: 'send_command', data: { tag: 'Contest' } }])
    expect(asked).toBeGreaterThanOrEqual(2)
  })

  describe.each([['websocket'], ['polling'], ['polling', 'websocket']])(
    'whose sockets go silent (%s %s)',
    (...transports) => {
      let proxy: FaultProxy
      let lost: string[]
      // Node's fetch may hold a spare connection for 4 s after a poll was aborted.
      const limitMs = transports.includes('polling') ? 20_000 : 1_000
      beforeEach(async () => {
        lost = []
        namespace.on('connection', (socket) => socket.on('disconnect', (reason) => lost.push(reason)))
        proxy = await FaultProxy.start((http.address() as AddressInfo).port)
      })
      afterEach(async () => {
        await proxy.stop()
      })
      const connect = async (options: object = {}): Promise<boolean> => {
        const auth = { token: TOKEN }
        bridge = new LayerBridge({
          connector: new GatewayConnector(`http://127.0.0.1:${proxy.port}/base`, {
            socketIoOptions: { auth, transports }
          }),
          ...options
        })
        return bridge.connect()
      }

      it('leaves none of them open after disconnect()', async () => {
        await connect()
        proxy.toxics.blackhole = true
        await bridge.disconnect()
        await until('the sockets are gone', () => proxy.open === 0, limitMs)
      })

      it('leaves none of them open after an attempt that got no answer', async () => {
        proxy.toxics.mute = true
        expect(await failure(connect({ connectTimeout: 60 }))).toMatchObject({ code: 'BRIDGE_CONNECT_TIMEOUT' })
        await until('the sockets are gone', () => proxy.open === 0, limitMs)
      })

      it('says goodbye to a gateway that listens', async () => {
        await connect()
        await bridge.disconnect()
        await until('the gateway knows', () => lost.length > 0, 1_000)
        expect(lost).toEqual(['client namespace disconnect'])
        await until('the sockets are gone', () => proxy.open === 0, limitMs)
      })
    }
  )

  it('begins with a WebSocket by default', async () => {
    const transports: string[] = []
    io.engine.on('connection', (engine: { transport: { name: string } }) => transports.push(engine.transport.name))
    create()
    await bridge.connect()
    expect(transports).toEqual(['websocket'])
    await bridge.disconnect()
    create({ socketIoOptions: { auth: { token: TOKEN }, transports: ['polling'] } })
    await bridge.connect()
    expect(transports).toEqual(['websocket', 'polling'])
  })

  it.each([[[]], [['webtransport']], [['websocket', 'flashsocket']], ['websocket'], [[WebSocket]], [{}]])(
    'refuses transports that it cannot guard: %p',
    (transports) => {
      expect(
        () => new GatewayConnector('http://127.0.0.1', { socketIoOptions: { transports: transports as string[] } })
      ).toThrow(expect.objectContaining({ code: 'BRIDGE_OPTIONS' }))
    }
  )

  it('keeps the cookies of a sticky gateway when withCredentials is given, over polling and through the upgrade', async () => {
    const cookies: (string | undefined)[] = []
    io.engine.on('initial_headers', (headers: Record<string, string>) => {
      headers['set-cookie'] = 'AWSALB=sticky; Path=/'
    })
    http.prependListener('upgrade', (request: { headers: { cookie?: string } }) => cookies.push(request.headers.cookie))
    create({ socketIoOptions: { auth: { token: TOKEN }, transports: ['polling', 'websocket'], withCredentials: true } })
    await bridge.connect()
    await until('the upgrade', () => cookies.length > 0)
    expect(cookies).toEqual(['AWSALB=sticky'])
  })

  describe.each([['websocket'], ['polling']])('with a gateway that compresses what it sends (%s)', (transport) => {
    const limit = 200_000
    let offers: (string | string[] | undefined)[]
    beforeEach(async () => {
      await io.close()
      offers = []
      http = createServer()
      io = new Server(http, {
        perMessageDeflate: { threshold: 1 },
        httpCompression: { threshold: 1 },
        maxHttpBufferSize: 1e8
      })
      http.prependListener('upgrade', (request: { headers: Record<string, string | string[] | undefined> }) =>
        offers.push(request.headers['sec-websocket-extensions'])
      )
      http.prependListener('request', (request: { headers: Record<string, string | string[] | undefined> }) =>
        offers.push(request.headers['accept-encoding'])
      )
      namespace = io.of(NAMESPACE)
      namespace.on('connection', (socket) => {
        socket.emit('hydra', { status: 'success', data: greetings({ snapshotUtxo: {} }) })
      })
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
      create(
        { maxMessageBytes: limit, socketIoOptions: { auth: { token: TOKEN }, transports: [transport] } },
        { autoReconnect: true }
      )
      await bridge.connect()
    })

    it('requests no compression', () => {
      expect(new Set(offers)).toEqual(new Set([transport === 'websocket' ? undefined : 'identity']))
    })

    it('takes a message below maxMessageBytes and ends the connection, for good, at one above', async () => {
      const small = once(bridge, 'onMessage')
      namespace.emit('hydra', { status: 'success', data: { tag: 'Padded', padding: ' '.repeat(limit / 2) } })
      expect(await small).toMatchObject([{ tag: 'Padded' }])
      const failed = once(bridge, 'onConnectError')
      namespace.emit('hydra', { status: 'success', data: { tag: 'Padded', padding: ' '.repeat(limit) } })
      expect(await failed).toMatchObject([{ code: 'BRIDGE_MESSAGE_TOO_LARGE', limitBytes: limit }])
      expect(bridge.state).toBe('failed')
    })
  })

  it('counts a compressed answer to a poll as it is once inflated', async () => {
    let polls = 0
    const hostile = createServer((_request, response) => {
      polls++
      response
        .writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' })
        .end(gzipSync(Buffer.alloc(20_000_000, 52)))
    })
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
    const { port } = hostile.address() as AddressInfo
    bridge = new LayerBridge({
      autoReconnect: true,
      connector: new GatewayConnector(`http://127.0.0.1:${port}`, {
        maxMessageBytes: 100_000,
        socketIoOptions: { transports: ['polling'] }
      })
    })
    expect(await failure(bridge.connect())).toMatchObject({ code: 'BRIDGE_MESSAGE_TOO_LARGE', limitBytes: 100_000 })
    expect(polls).toBe(1)
    hostile.closeAllConnections()
    hostile.close()
  })

  it.each([['websocket'], ['polling']])('gives up when the handshake is refused with 401 (%s)', async (transport) => {
    const refusing = createServer((_request, response) => response.writeHead(401).end())
    refusing.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    )
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    const { port } = refusing.address() as AddressInfo
    bridge = new LayerBridge({
      autoReconnect: true,
      connector: new GatewayConnector(`http://127.0.0.1:${port}`, { socketIoOptions: { transports: [transport] } })
    })
    expect(await failure(bridge.connect())).toMatchObject({ code: 'BRIDGE_CONNECT', fatal: true, httpStatus: 401 })
    expect(bridge.state).toBe('failed')
    refusing.closeAllConnections()
    refusing.close()
  })

  it('refuses a token over plain text to another host', async () => {
    bridge = new LayerBridge({
      connector: new GatewayConnector('http://gateway.example', { socketIoOptions: { auth: { token: TOKEN } } })
    })
    expect(await failure(bridge.connect())).toMatchObject({ code: 'BRIDGE_INSECURE_URL' })
    expect(() => new GatewayConnector('nonsense')).toThrow(expect.objectContaining({ code: 'BRIDGE_OPTIONS' }))
  })
})
