// Failures and hostile answers of transports (docs/reliability.md), against a real HTTP server on loopback.
import { gzipSync } from 'node:zlib'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { IndexerProvider, RpcProvider } from 'layer-sdk/providers'
import { createLimiter } from '../../src/providers/shared/rateLimiter.js'
import { expectNoHang } from '../support/timing.js'
import { entry, error, IndexerServer, KEY } from './support/indexerServer.js'

const ADDRESS = 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg'

let server: IndexerServer
beforeEach(async () => {
  server = await new IndexerServer().listen()
  server.utxos.set(ADDRESS, [entry(ADDRESS, 1)])
})
afterEach(async () => {
  await server.close()
  expect(server.failures).toEqual([])
})

const ask = (more: object = {}, options: object = {}): Promise<unknown[]> =>
  new IndexerProvider({
    apiKey: KEY,
    network: 'preprod',
    baseUrl: server.baseUrl,
    retry: { delay: 1 },
    ...more
  }).fetcher.fetchAddressUTxOs(ADDRESS, undefined, options)

describe('a status', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('%i is asked again until an answer comes', async (status) => {
    server.fault = (response, _, count) => (count <= 3 ? error(response, status) : false)
    expect(await ask()).toHaveLength(1)
    expect(server.seen).toHaveLength(4)
  })

  it.each([408, 425, 429, 500, 502, 503, 504])('%i is reported after the last attempt', async (status) => {
    server.fault = (response) => error(response, status, 'over the limit')
    await expect(ask()).rejects.toMatchObject({
      code: 'PROVIDER_HTTP',
      status,
      method: 'GET',
      url: `${server.baseUrl}/addresses/${ADDRESS}/utxos`,
      message: expect.stringContaining('over the limit')
    })
    expect(server.seen).toHaveLength(4)
    await expect(ask({ retry: { attempts: 1 } })).rejects.toMatchObject({ status })
    expect(server.seen).toHaveLength(5)
  })

  it.each([400, 402, 405, 418, 451])('%i is reported at once', async (status) => {
    server.fault = (response) => error(response, status)
    await expect(ask()).rejects.toMatchObject({ code: 'PROVIDER_HTTP', status })
    expect(server.seen).toHaveLength(1)
  })

  it.each([401, 403])('%i is reported at once as a matter of the key', async (status) => {
    server.fault = (response) => error(response, status)
    await expect(ask()).rejects.toMatchObject({ code: 'PROVIDER_AUTH', status })
    expect(server.seen).toHaveLength(1)
  })

  it.each([204, 200])('%i with an empty body is no answer', async (status) => {
    server.fault = (response) => void response.writeHead(status).end()
    await expect(ask()).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
  })
})

describe('Retry-After', () => {
  /** How long the second attempt waits, ms, on a virtual clock. */
  const waits = async (headers: Record<string, string>): Promise<number> => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] })
    const attempts: number[] = []
    const fetch = async (): Promise<Response> =>
      attempts.push(performance.now()) === 1 ? new Response('{}', { status: 429, headers }) : new Response('[]')
    try {
      const asked = ask({ fetch })
      for (let turn = 0; turn < 100 && attempts.length < 2; turn++) {
        await new Promise((resolve) => setImmediate(resolve))
        await jest.advanceTimersByTimeAsync(100)
      }
      await asked
      return attempts[1]! - attempts[0]!
    } finally {
      jest.useRealTimers()
    }
  }

  it('in seconds is waited for', async () => {
    expect(await waits({ 'retry-after': '3' })).toBe(3_000)
  })

  it("as a date is waited for, by the server's own clock", async () => {
    // The server's clock is ten years behind: only the difference counts.
    expect(await waits({ date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:02 GMT' })).toBe(
      2_000
    )
  })

  it('beyond the deadline ends the request at once, and is told', async () => {
    server.fault = (response) => error(response, 429, undefined, { 'retry-after': '120' })
    const start = performance.now()
    await expect(ask()).rejects.toMatchObject({ status: 429, retryAfterMs: 120_000 })
    expectNoHang(100, start)
    expect(server.seen).toHaveLength(1)
  })

  it.each(['soon', '', '-1'])('that makes no sense (%j) is as none', async (value) => {
    expect(await waits({ 'retry-after': value })).toBeLessThan(10)
  })
})

describe('a connection', () => {
  it('that is reset before the answer is tried again', async () => {
    server.fault = (response, _, count) => (count < 3 ? void response.socket!.resetAndDestroy() : false)
    expect(await ask()).toHaveLength(1)
  })

  it.each<[string, (response: import('node:http').ServerResponse) => void]>([
    [
      'reset in the middle of the body',
      (response) => response.writeHead(200).write('[{"address":', () => response.socket!.resetAndDestroy())
    ],
    [
      'ended before its Content-Length',
      (response) => response.writeHead(200, { 'content-length': '1000' }).write('[]', () => response.socket!.destroy())
    ]
  ])('that is %s is tried again, and never half an answer taken', async (_, misbehave) => {
    server.fault = (response, _seen, count) => (count < 3 ? misbehave(response) : false)
    expect(await ask()).toHaveLength(1)
    expect(server.seen).toHaveLength(3)
    server.fault = (response) => misbehave(response)
    await expect(ask()).rejects.toMatchObject({ code: 'PROVIDER_NETWORK' })
  })

  it("that cannot be made is reported with the system's code", async () => {
    const { baseUrl } = server
    await server.close()
    await expect(ask({ baseUrl })).rejects.toMatchObject({
      code: 'PROVIDER_NETWORK',
      reason: 'ECONNREFUSED',
      method: 'GET'
    })
    await server.listen()
  })
})

describe('the deadline', () => {
  it('covers the wait for the first byte', async () => {
    server.fault = () => undefined
    await expect(ask({ timeout: 80 })).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT', timeoutMs: 80 })
    expect(server.seen).toHaveLength(1)
  })

  it('covers a body that drips for ever', async () => {
    server.fault = (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    }
    await expect(ask({ timeout: 120 })).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' })
  })

  it('covers all attempts together', async () => {
    // It answers within the task that asks, so on the busiest machine the deadline falls between two attempts, never
    // into one.
    let requests = 0
    const fetch = async (): Promise<Response> => {
      requests++
      return new Response(null, { status: 503 })
    }
    const start = performance.now()
    await expect(ask({ timeout: 300, fetch, retry: { attempts: 100, delay: 50, maxDelay: 50 } })).rejects.toMatchObject(
      { status: 503 }
    )
    expectNoHang(300, start)
    expect(requests).toBeGreaterThan(1)
    expect(requests).toBeLessThan(8)
  })

  it('covers a server that takes the connection and says nothing', async () => {
    const sockets: Socket[] = []
    const mute = createServer((socket) => void sockets.push(socket))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as AddressInfo
    await expect(ask({ baseUrl: `http://127.0.0.1:${port}`, timeout: 80 })).rejects.toMatchObject({
      code: 'PROVIDER_TIMEOUT'
    })
    const overSocket = new RpcProvider({ apiEndpoint: `ws://127.0.0.1:${port}`, network: 'preprod', timeout: 80 })
    await expect(overSocket.fetcher.fetchTip()).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' })
    for (const socket of sockets) socket.destroy()
    mute.close()
  })

  it('covers a fetch that knows no signal', async () => {
    await expect(ask({ timeout: 50, fetch: () => new Promise(() => undefined) })).rejects.toMatchObject({
      code: 'PROVIDER_TIMEOUT'
    })
  })
})

describe("the caller's signal", () => {
  it('ends the request with its own reason, also between two attempts', async () => {
    const controller = new AbortController()
    const reason = new Error('the user left')
    server.fault = (response) => {
      error(response, 503)
      setImmediate(() => controller.abort(reason))
    }
    await expect(ask({ retry: { delay: 10_000, maxDelay: 10_000 } }, { signal: controller.signal })).rejects.toBe(
      reason
    )
    await expect(ask({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(server.seen).toHaveLength(1)
  })

  it('leaves nothing behind: no listener on it, no further request', async () => {
    const controller = new AbortController()
    let listeners = 0
    const add = controller.signal.addEventListener.bind(controller.signal)
    const remove = controller.signal.removeEventListener.bind(controller.signal)
    controller.signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args))
    controller.signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args))
    await ask({}, { signal: controller.signal })
    expect(listeners).toBe(0)
  })

  it('ends the other pages when one fails', async () => {
    server.utxos.set(
      ADDRESS,
      Array.from({ length: 1000 }, (_, i) => entry(ADDRESS, i))
    )
    let aborted = 0
    server.fault = (response, { query }) => {
      const page = Number(query.get('page'))
      if (page < 3) return false
      if (page === 5) return error(response, 403)
      response.on('close', () => aborted++)
      return true
    }
    await expect(ask()).rejects.toMatchObject({ code: 'PROVIDER_AUTH' })
    while (aborted < 2) await new Promise((resolve) => setImmediate(resolve))
  })

  it('leaves no timer of the other pages behind when one fails with what is else tried again', async () => {
    server.utxos.set(
      ADDRESS,
      Array.from({ length: 1000 }, (_, i) => entry(ADDRESS, i))
    )
    server.fault = (response, { query }) => {
      const page = Number(query.get('page'))
      if (page < 3) return false
      if (page === 3) return error(response, 429)
      return true
    }
    const started = jest.spyOn(globalThis, 'setTimeout')
    try {
      await expect(ask({ retry: { attempts: 2, delay: 200 } })).rejects.toMatchObject({ status: 429 })
      await new Promise((resolve) => setImmediate(resolve))
      const timers = started.mock.results.map(({ value }) => value as { _destroyed: boolean })
      expect(timers.length).toBeGreaterThan(5)
      expect(timers.filter((timer) => !timer._destroyed)).toEqual([])
    } finally {
      started.mockRestore()
    }
  })

  it.each([1, 2, 3, 5])(
    "ends a list with the caller's reason, and all that is on the way, at page %i",
    async (last) => {
      server.utxos.set(
        ADDRESS,
        Array.from({ length: 1000 }, (_, i) => entry(ADDRESS, i))
      )
      const controller = new AbortController()
      const reason = new Error('enough')
      let closed = 0
      let held = 0
      server.fault = (response, { query }) => {
        const page = Number(query.get('page'))
        if (page < last) return false
        held++
        response.on('close', () => closed++)
        if (page === last) controller.abort(reason)
        return true
      }
      await expect(ask({}, { signal: controller.signal })).rejects.toBe(reason)
      while (closed < held) await new Promise((resolve) => setImmediate(resolve))
      expect(server.seen.length).toBeLessThanOrEqual(11)
    }
  )

  it('gives up the pages that are on the way when one that came cannot be read', async () => {
    const unhandled = jest.fn()
    process.on('unhandledRejection', unhandled)
    const good = Array.from({ length: 100 }, (_, i) => entry(ADDRESS, i))
    let aborted = 0
    server.fault = (response, { query }) => {
      if (query.get('page') === '1')
        return void response.end(JSON.stringify([...good.slice(1), { ...good[0], amount: [] }]))
      response.on('close', () => aborted++)
      return true
    }
    await expect(ask()).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE', field: 'amount' })
    while (server.seen.length > 1 && aborted < 1) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('the body cap', () => {
  it('holds while the answer streams in', async () => {
    server.fault = (response) => {
      response.writeHead(200)
      const more = (): void => void (!response.destroyed && response.write('x'.repeat(65536), () => setImmediate(more)))
      more()
    }
    await expect(ask({ maxBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
      message: expect.stringContaining('1000000 bytes')
    })
    expect(server.seen).toHaveLength(1)
  })

  it('counts what a compressed answer unpacks to', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, ' '))
    expect(bomb.length).toBeLessThan(50_000)
    server.fault = (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    await expect(ask({ maxBytes: 1_000_000 })).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with status %i is an error, and the key goes nowhere', async (status) => {
    const elsewhere = await new IndexerServer().listen()
    server.fault = (response) =>
      void response.writeHead(status, { location: `${elsewhere.baseUrl}/addresses/${ADDRESS}/utxos` }).end()
    await expect(ask()).rejects.toMatchObject({
      code: 'PROVIDER_HTTP',
      status,
      message: expect.stringContaining('redirect')
    })
    expect(elsewhere.seen).toEqual([])
    await elsewhere.close()
  })

  it('as browsers show it is an error too', async () => {
    const opaque = Object.defineProperty(new Response(null), 'status', { value: 0 })
    Object.defineProperty(opaque, 'ok', { value: false })
    await expect(ask({ fetch: async () => opaque })).rejects.toMatchObject({
      code: 'PROVIDER_HTTP',
      status: 0,
      message: expect.stringContaining('redirect')
    })
  })
})

describe('the rate limit', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())
  const flush = async (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms)
  const never = (): AbortSignal => new AbortController().signal

  it('lets a burst through, then as many as are added each second, in order', async () => {
    const take = createLimiter({ perSecond: 10, burst: 500 })
    const done: number[] = []
    for (let i = 0; i < 520; i++) void take(never()).then(() => done.push(i))
    await flush(0)
    expect(done).toHaveLength(500)
    await flush(99)
    expect(done).toHaveLength(500)
    await flush(1)
    expect(done).toHaveLength(501)
    await flush(1900)
    expect(done).toEqual(Array.from({ length: 520 }, (_, i) => i))
    await flush(60_000)
    for (let i = 0; i < 501; i++) void take(never()).then(() => done.push(i))
    await flush(0)
    expect(done).toHaveLength(1020)
  })

  it('gives back the turn of a request that was given up', async () => {
    const take = createLimiter({ perSecond: 1, burst: 1 })
    const controller = new AbortController()
    await take(never())
    void take(controller.signal)
    controller.abort()
    await flush(0)
    let isDone = false
    void take(never()).then(() => (isDone = true))
    await flush(1000)
    expect(isDone).toBe(true)
  })
})

describe('the option rateLimit', () => {
  it('spaces the requests of all calls of one provider, repetitions included', async () => {
    const { fetcher } = new IndexerProvider({
      apiKey: KEY,
      network: 'preprod',
      baseUrl: server.baseUrl,
      rateLimit: { perSecond: 20, burst: 1 },
      retry: { delay: 1 }
    })
    server.fault = (response, _, count) => (count === 1 ? error(response, 503) : false)
    const start = performance.now()
    await Promise.all([fetcher.fetchTip(), fetcher.fetchTip()])
    expect(server.seen).toHaveLength(3)
    expect(performance.now() - start).toBeGreaterThanOrEqual(95)
  })

  it('refuses what is no rate', () => {
    for (const rateLimit of [
      { perSecond: 0, burst: 1 },
      { perSecond: 1, burst: 0 },
      { perSecond: NaN, burst: 1 },
      {},
      true
    ]) {
      expect(() => new IndexerProvider({ apiKey: KEY, network: 'preprod', rateLimit: rateLimit as never })).toThrow(
        expect.objectContaining({ code: 'INPUT_ARGUMENT', argument: 'rateLimit' })
      )
    }
  })
})

describe('a missing fetch', () => {
  it('is named, with what to pass instead', async () => {
    const { fetch } = globalThis
    try {
      Reflect.deleteProperty(globalThis, 'fetch')
      await expect(ask()).rejects.toMatchObject({ code: 'RUNTIME_UNSUPPORTED', missing: 'fetch' })
      await expect(
        new RpcProvider({ apiEndpoint: 'http://localhost:1', network: 'preprod' }).fetcher.fetchTip()
      ).rejects.toMatchObject({
        code: 'RUNTIME_UNSUPPORTED'
      })
    } finally {
      globalThis.fetch = fetch
    }
  })
})
