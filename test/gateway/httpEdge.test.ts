import { connect } from 'node:net'
import type { Socket as TcpSocket } from 'node:net'
import { SignJWT } from 'jose'
import { io } from 'socket.io-client'
import { join, serve, until } from './support'
import type { Served } from './support'

const SECRET = 'SECRET-of-thirty-two-bytes-or-more!'
const PAGE = 'https://app.example'

/** One request as it is written, and its whole answer. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (data) => (answer += String(data))).on('close', () => resolve(answer))
    socket.on('error', () => undefined)
  })
}

const portOf = (url: string): number => Number(new URL(url).port)

describe('pages of a browser at a gateway', () => {
  let served: Served
  beforeAll(async () => {
    served = await serve({ origins: [PAGE], metrics: { port: 0 } })
  })
  afterAll(() => served.stop())

  it('may join by polling from an allowed origin: handshake, preflight and polls have the headers', async () => {
    const base = `${served.gateway.url}/socket.io/?EIO=4&transport=polling`
    const headers = { Origin: PAGE }
    const allowed = (response: Response): unknown => [
      response.status,
      response.headers.get('access-control-allow-origin'),
      response.headers.get('vary')
    ]
    const opened = await fetch(base, { headers })
    expect(allowed(opened)).toEqual([200, PAGE, 'Origin'])
    const { sid } = JSON.parse((await opened.text()).slice(1)) as { sid: string }
    const session = `${base}&sid=${sid}`
    const preflight = await fetch(session, {
      method: 'OPTIONS',
      headers: { ...headers, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' }
    })
    expect(allowed(preflight)).toEqual([204, PAGE, 'Origin'])
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type')
    expect(allowed(await fetch(session, { method: 'POST', headers, body: '40/hydra,{}' }))).toEqual([
      200,
      PAGE,
      'Origin'
    ])
    const polled = await fetch(session, { headers })
    expect(allowed(polled)).toEqual([200, PAGE, 'Origin'])
    expect(await polled.text()).toContain('40/hydra,{"sid"')
    expect(allowed(await fetch(`${base}&sid=unknown`, { headers }))).toEqual([400, PAGE, 'Origin'])
  })

  it('are refused from any other origin, without headers that would let them read it', async () => {
    for (const path of ['/socket.io/?EIO=4&transport=polling', '/hydra/snapshot']) {
      const response = await fetch(served.gateway.url + path, { headers: { Origin: 'https://evil.example' } })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null])
    }
  })

  it('an unmodified client joins, polling first', async () => {
    const socket = io(`${served.gateway.url}/hydra`, {
      extraHeaders: { Origin: PAGE },
      reconnection: false,
      forceNew: true
    })
    const greeted = new Promise<{ data: { tag: string } }>((resolve) => socket.once('hydra', resolve))
    await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject))
    expect((await greeted).data.tag).toBe('Greetings')
    socket.disconnect()
  })

  it.each(['/hydra/snapshot', '/health/ready', '/socket.io/?EIO=4&transport=polling'])(
    'do not reach %s by a name of their own that leads to the gateway (DNS rebinding)',
    async (path) => {
      const ask = (host: string): Promise<string> =>
        raw(portOf(served.gateway.url), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect(await ask('attacker.example')).toMatch(/^HTTP\/1.1 403 /)
      expect(await ask('localhost:5001')).toMatch(/^HTTP\/1.1 200 /)
    }
  )

  it('do not reach a WebSocket or the metrics that way either', async () => {
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
    const path = '/socket.io/?EIO=4&transport=websocket'
    expect(
      await raw(portOf(served.gateway.url), `GET ${path} HTTP/1.1\r\nHost: attacker.example\r\n${upgrade}\r\n\r\n`)
    ).toMatch(/^HTTP\/1.1 403 /)
    const metrics = (host: string): Promise<string> =>
      raw(portOf(served.gateway.metricsUrl!), `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(await metrics('attacker.example')).toMatch(/^HTTP\/1.1 403 /)
    expect(await metrics('127.0.0.1')).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('refusals of a gateway with tokens', () => {
  let served: Served
  beforeAll(async () => {
    served = await serve({ auth: { secret: SECRET, algorithms: ['HS256'] }, anonymous: ['read'] })
  })
  afterAll(() => served.stop())

  const submit = (token?: string): Promise<Response> =>
    fetch(`${served.gateway.url}/hydra/submit-tx`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` })
      },
      body: '{}'
    })
  const challenged = async (response: Promise<Response>): Promise<unknown> => {
    const { status, headers } = await response
    return [status, headers.get('www-authenticate')]
  }

  it('name the scheme: 401 without a token and for one that does not hold, 403 for one without the scope (RFC 6750)', async () => {
    const token = await new SignJWT({ scope: 'read' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(SECRET))
    expect(await challenged(submit())).toEqual([401, 'Bearer'])
    expect(await challenged(submit('no-token'))).toEqual([401, 'Bearer error="invalid_token"'])
    expect(await challenged(submit(token))).toEqual([403, 'Bearer error="insufficient_scope", scope="submit"'])
  })

  it.each([
    ['without a token', '/hydra/submit-tx', 'POST'],
    ['of what is not there', '/nothing', 'GET']
  ])('are limited too: requests %s', async (_, path, method) => {
    const statuses: number[] = []
    for (let i = 0; i < 40; i++) statuses.push((await fetch(served.gateway.url + path, { method })).status)
    expect(statuses).toContain(429)
    // Whoever may ask is served.
    expect((await fetch(`${served.gateway.url}/hydra/snapshot/last-seen`)).status).toBe(200)
  })
})

describe('connections to a gateway', () => {
  it('count before they join, and whoever waits without joining ends', async () => {
    const served = await serve({ limits: { connectionsPerIp: 50, connections: 100 } })
    const sockets: TcpSocket[] = []
    let open = 0
    for (let i = 0; i < 300; i++) {
      const socket = connect(portOf(served.gateway.url), '127.0.0.1')
      sockets.push(socket)
      socket.on('connect', () => void open++).on('close', () => void open--)
      socket.on('error', () => undefined).resume()
    }
    await until('all have been tried', () => sockets.every(({ connecting }) => !connecting))
    await until('those beyond the limit have ended', () => open <= 82)
    for (const socket of sockets) socket.destroy()
    const joins = (): Promise<boolean> =>
      join(`${served.gateway.url}/hydra`).then(
        (client) => Boolean(client.socket.disconnect()),
        () => new Promise<boolean>((resolve) => setTimeout(resolve, 500, false))
      )
    await until('there is room again', joins)
    await served.stop()
  })
})
