import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { inspect } from 'node:util'
import { isLayerError } from 'layer-sdk'
import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import { locateError } from '../../../src/bridge/connection/locateError.js'
import { BridgeConnectError } from '../../../src/errors/bridge.js'
import { FakeConnector } from '../../support/fakeConnector'
import { ScriptedNode } from '../../support/scriptedNode'

const KEY = 'SECRETKEY'

/** What `connect()` rejects with; nothing of it may show a key. */
async function failureOf(url: string, options: Record<string, unknown> = {}): Promise<BridgeConnectError> {
  const bridge = new LayerBridge({ url, ...options })
  const error = await bridge.connect().then(
    () => {
      throw new Error('connected')
    },
    (reason: unknown) => reason as BridgeConnectError
  )
  await bridge.disconnect()
  expect(inspect(error, { showHidden: true, depth: 9 }) + JSON.stringify(error) + error.stack).not.toMatch(
    /SECRETKEY|user:|secret-path/
  )
  return error
}

describe('a connection that cannot be made says where and what to do', () => {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  async function listen(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      onConnection(socket)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers.splice(0)) server.close()
  })

  it('when nothing listens', async () => {
    const port = await listen(() => undefined)
    await new Promise<void>((resolve) => servers.splice(0)[0]!.close(() => resolve()))
    const error = await failureOf(`ws://127.0.0.1:${port}/secret-path?X-Api-Key=${KEY}`)
    expect(error).toMatchObject({
      code: 'BRIDGE_CONNECT',
      origin: `ws://127.0.0.1:${port}`,
      got: 'ECONNREFUSED',
      fatal: false
    })
    expect(error.message).toBe(
      [
        'The node could not be reached.',
        '- Expected a node that listens there: start it, or correct host and port (npx layer-sdk devnode starts a local one)',
        '- Got ECONNREFUSED',
        `- At ws://127.0.0.1:${port}`,
        'See https://repository.invalid/layer-sdk/errors.html#bridge_connect'
      ].join('\n')
    )
  })

  it('when the host name does not exist', async () => {
    const error = await failureOf(`wss://user:${KEY}@no-such-host.invalid/secret-path`)
    expect(error.origin).toBe('wss://no-such-host.invalid')
    expect(error.message).toMatch(/host name that can be resolved[^]*Got (ENOTFOUND|EAI_AGAIN)/)
  })

  it('when a wss:// URL leads to a server without TLS', async () => {
    const port = await listen((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    expect((await failureOf(`wss://127.0.0.1:${port}/?X-Api-Key=${KEY}`)).message).toContain(
      'use ws:// instead of wss://'
    )
  })

  it('when a ws:// URL leads to a server with TLS', async () => {
    // RFC 8446 6: an alert, as TLS servers send for what is no ClientHello.
    const port = await listen((socket) => socket.once('data', () => socket.end(Buffer.from('15030100020228', 'hex'))))
    expect((await failureOf(`ws://127.0.0.1:${port}`)).message).toContain('use wss:// instead of ws://')
    const resetting = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()))
    expect((await failureOf(`ws://127.0.0.1:${resetting}`)).message).toContain('use wss:// instead of ws://')
  })

  it.each([
    [401, 'check the key or token'],
    [403, 'check the key or token'],
    [302, 'redirects are not followed'],
    [404, 'check the path'],
    [500, 'HTTP 101']
  ])('when the server answers the upgrade with HTTP %i', async (status, advice) => {
    const node = await new ScriptedNode().start()
    node.refuseUpgrade = status
    const error = await failureOf(`${node.url}/secret-path?X-Api-Key=${KEY}`).finally(() => node.stop())
    expect(error).toMatchObject({ origin: node.url, httpStatus: status })
    expect(error.message).toMatch(new RegExp(`Expected [^\n]*${advice}[^]*Got HTTP ${status}\n- At ${node.url}\n`))
  })

  it('when a browser says nothing of the reason', async () => {
    class Silent {
      onerror: ((event: object) => void) | null = null
      readyState = 0
      constructor() {
        queueMicrotask(() => this.onerror?.({}))
      }
      close(): void {
        /* nothing is open */
      }
    }
    const error = await failureOf(`wss://hub.example/secret-path?X-Api-Key=${KEY}`, { webSocketImpl: Silent })
    expect(error.message).toMatch(/check host and port[^]*wss:\/\/[^]*origin[^]*\n- At wss:\/\/hub\.example\n/)
  })

  it('when a server accepts and says nothing', async () => {
    const port = await listen(() => undefined)
    const error: unknown = await failureOf(`ws://127.0.0.1:${port}/?X-Api-Key=${KEY}`, { connectTimeout: 50 })
    if (!isLayerError(error, 'BRIDGE_CONNECT_TIMEOUT')) throw error
    expect(error.origin).toBe(`ws://127.0.0.1:${port}`)
    expect(error.message).toContain(`(option connectTimeout)\n- Got none\n- At ws://127.0.0.1:${port}`)
  })

  it('through a gateway too', async () => {
    const port = await listen((socket) => socket.destroy())
    const bridge = new LayerBridge({
      connector: new GatewayConnector(`http://127.0.0.1:${port}/secret-path?key=${KEY}`)
    })
    const error = await bridge.connect().catch((reason: unknown) => reason)
    await bridge.disconnect()
    expect(error).toMatchObject({ code: 'BRIDGE_CONNECT', origin: `http://127.0.0.1:${port}` })
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toMatch(/SECRETKEY|secret-path/)
  })

  it('not when the url function failed before an origin was known', async () => {
    const port = await listen((socket) => socket.destroy())
    const urls = [`ws://127.0.0.1:${port}`]
    const bridge = new LayerBridge({ url: async () => urls.shift() ?? Promise.reject(new Error('no key')) })
    const failures = [
      await bridge.connect().catch((reason: unknown) => reason),
      await bridge.connect().catch((reason: unknown) => reason)
    ]
    expect(failures).toMatchObject([
      { code: 'BRIDGE_CONNECT', origin: `ws://127.0.0.1:${port}` },
      { code: 'BRIDGE_CONNECT', origin: undefined }
    ])
  })
})

describe('an error of a connector', () => {
  it('of another kind stays as it is, and one that knows its origin keeps it', () => {
    const other = new Error('broken')
    expect(locateError(other, 'ws://a', false)).toBe(other)
    const own = new BridgeConnectError('No.', { origin: 'ws://b' })
    expect(locateError(own, 'ws://a', false)).toBe(own)
    const unknown = new BridgeConnectError('No.')
    expect(locateError(unknown, undefined, false)).toBe(unknown)
  })

  it('keeps what it says of itself', () => {
    const cause = new Error('x')
    const located = locateError(
      new BridgeConnectError('No.', { got: 'close code 1008', closeCode: 1008, fatal: true, cause, details: ['One'] }),
      'ws://a',
      false
    )
    expect(located).toMatchObject({ closeCode: 1008, fatal: true, cause, origin: 'ws://a' })
    expect(located.message).toBe(
      'No.\n- Got close code 1008\n- One\n- At ws://a\nSee https://repository.invalid/layer-sdk/errors.html#bridge_connect'
    )
  })

  it('about a connection that was lost gives no advice on how to make one', () => {
    expect(
      locateError(new BridgeConnectError('Closed.', { got: 'close code 1006' }), 'ws://a', true).message
    ).not.toContain('Expected')
    expect(
      locateError(new BridgeConnectError('Closed.', { got: 'close code 1006' }), 'ws://a', false).message
    ).toContain('Expected')
  })

  it('is located when a bridge reports it', async () => {
    const connector = new FakeConnector()
    const bridge = new LayerBridge({ connector: Object.assign(connector, { origin: 'ws://there' }) })
    const failed = bridge.connect().catch((reason: unknown) => reason)
    connector.last.fail(new BridgeConnectError('No.'))
    expect(await failed).toMatchObject({ origin: 'ws://there' })
  })
})

describe('a request that gets no answer', () => {
  const fetchFailing = (error: unknown): typeof fetch =>
    (async () => {
      throw error
    }) as typeof fetch

  it('names the origin, and in a browser what may forbid it', async () => {
    const options = { url: `ws://127.0.0.1:4001/secret-path?X-Api-Key=${KEY}`, requestTimeout: 5_000 }
    const refused = (await new LayerBridge({
      ...options,
      fetch: fetchFailing(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }))
    })
      .commit({})
      .catch((error: Error) => error)) as Error
    expect(refused.message).toBe(
      'POST /commit failed.\n- Expected an answer of http://127.0.0.1:4001\n- Got ECONNREFUSED\nSee https://repository.invalid/layer-sdk/errors.html#bridge_request'
    )
    const hidden = (await new LayerBridge({ ...options, fetch: fetchFailing(new TypeError('Failed to fetch')) })
      .commit({})
      .catch((error: Error) => error)) as Error
    expect(hidden).toMatchObject({ status: 0, reason: 'no answer from the network' })
    expect(hidden.message).toMatch(/an answer of http:\/\/127\.0\.0\.1:4001;[^\n]*\(CORS\)/)
    expect(inspect([refused, hidden], { showHidden: true, depth: 9 })).not.toMatch(/SECRETKEY|secret-path/)
  })
})

describe('arguments that cannot be right', () => {
  it('of a bridge are named, with an example, and a URL is not repeated', () => {
    const messageOf = (options: unknown): string => {
      try {
        new LayerBridge(options as never)
      } catch (error) {
        if (isLayerError(error, 'BRIDGE_OPTIONS')) return error.message
      }
      return 'no typed error'
    }
    expect(messageOf(`ws://127.0.0.1:4001/?X-Api-Key=${KEY}`)).toBe(
      "The options cannot be used.\n- Expected an object such as { url: 'ws://127.0.0.1:4001' }\n- Got a string\nSee https://repository.invalid/layer-sdk/errors.html#bridge_options"
    )
    for (const none of [{ url: undefined }, { url: null }, {}, undefined, null]) {
      expect(messageOf(none)).toBe(
        'The option url cannot be used.\n- Expected the WebSocket URL of a node, e.g. ws://127.0.0.1:4001, or the option connector\n- Got undefined\nSee https://repository.invalid/layer-sdk/errors.html#bridge_options'
      )
    }
    expect(messageOf({ url: 'ws://127.0.0.1:4001', connector: new FakeConnector() })).toContain(
      'only one of url and connector'
    )
  })

  it.each(['84a3', undefined, null, 7])('of submitCardanoTransaction are named: %p', async (data) => {
    const bridge = new LayerBridge({ connector: new FakeConnector() })
    const error = await bridge.submitCardanoTransaction(data as never).catch((reason: unknown) => reason)
    if (!isLayerError(error, 'INPUT_ARGUMENT')) throw error
    expect(error.argument).toBe('data')
    expect(error.message).toContain('{ cborHex, description }')
  })
})
