import { connect } from 'node:net'
import type { LayerBridge } from 'layer-sdk/bridge'
import { createGateway } from 'layer-sdk/gateway'
import WebSocket from 'ws'
import { join, serve, until } from './support'
import type { RawClient, Served } from './support'

const DEEP = `${'['.repeat(65)}${']'.repeat(65)}`

describe('a gateway, with hostile clients', () => {
  let served: Served
  let healthy: LayerBridge
  const clients: RawClient[] = []
  beforeAll(async () => {
    served = await serve({
      origins: ['https://app.example'],
      limits: { connectionsPerIp: 30, maxMessageBytes: 65_536 }
    })
    healthy = await served.bridge()
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.disconnect()
    // Whatever happened, the others are served.
    expect(healthy.connected()).toBe(true)
    expect((await fetch(`${served.gateway.url}/health/ready`)).status).toBe(200)
  })
  afterAll(() => served.stop())

  const port = (): number => Number(new URL(served.gateway.url).port)
  const engine = (query = '', headers: Record<string, string> = {}): WebSocket =>
    new WebSocket(`ws://127.0.0.1:${port()}/socket.io/?EIO=4&transport=websocket${query}`, { headers })
  const closed = (socket: WebSocket): Promise<unknown> =>
    new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined))
  /** Sends one request as it is written, and gives the first line of the answer. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = ''
      const socket = connect(port(), '127.0.0.1', () => socket.write(text))
      socket.on('data', (data) => (answer += String(data)))
      socket.on('close', () => resolve(answer.split('\r\n')[0]!)).on('error', () => undefined)
    })

  it.each([
    ['a packet of no type', '49'],
    ['a binary event', '451-/hydra,["hydra",{"_placeholder":true,"num":0}]'],
    ['an acknowledgement', '43/hydra,1[]'],
    ['an error of its own', '44/hydra,{}'],
    ['another event', '42/hydra,["connect",{}]'],
    ['an event without a value', '42/hydra,["hydra"]'],
    ['an event of three values', '42/hydra,["hydra",{},{}]'],
    ['broken JSON', '42/hydra,["hydra",{'],
    ['JSON that is too deep', `42/hydra,["hydra",${DEEP}]`],
    ['an integer of 41 digits', `42/hydra,["hydra",${'9'.repeat(41)}]`],
    ['a second join', '40/hydra,{}'],
    ['an event to where it has not joined', '42/other,["hydra",{}]'],
    ['a message that is too large', `42/hydra,["hydra","${'x'.repeat(70_000)}"]`]
  ])('ends the socket that sends %s, and no other', async (_, packet) => {
    const socket = engine()
    socket.on('message', (data) => {
      if (String(data).startsWith('0')) socket.send('40/hydra,{}')
      else if (String(data).startsWith('40')) socket.send(packet)
    })
    await closed(socket)
  })

  it('ends a socket that joins again and again where there is nothing', async () => {
    const socket = engine()
    let refusals = 0
    socket.on('message', (data) => {
      if (String(data).startsWith('44')) refusals++
      if (String(data).startsWith('0') || String(data).startsWith('44')) socket.send(`40/nowhere${refusals},{}`)
    })
    await closed(socket)
    expect(refusals).toBeLessThanOrEqual(20)
  })

  it('ends a socket that never joins', async () => {
    const began = Date.now()
    await closed(engine())
    expect(Date.now() - began).toBeGreaterThan(4_000)
  })

  it.each(['/', '/hydra/', '/hydra?x=1', '//hydra', '/hydra/../hydra', '/%68ydra'])(
    'has no namespace %s',
    async (name) => {
      const socket = engine()
      const answer = await new Promise<string>((resolve) => {
        socket.on('message', (data) => {
          if (String(data).startsWith('0')) socket.send(`40${name === '/' ? '' : `${name},`}{}`)
          if (String(data).startsWith('44')) resolve(String(data))
        })
      })
      expect(answer).toMatch(/Invalid namespace|forbidden/)
      socket.terminate()
    }
  )

  it.each([
    ['GET /hydra/../hydra/head', 404],
    ['GET /hydra%2fhead', 404],
    ['GET //hydra/head', 404],
    ['GET /hydra/head%00', 404],
    ['GET /hydra/head/', 404],
    ['GET /hydra/nope', 404],
    ['GET /metrics', 404],
    ['GET /hydra/head?token=x', 400],
    ['GET /socket.io/?EIO=4&transport=polling&token=x', 400],
    ['GET /socket.io/?EIO=4&transport=polling&auth=x', 400],
    ['GET /socket.io/?EIO=3&transport=polling', 400],
    ['DELETE /hydra/head', 405],
    ['GET /hydra/submit-tx', 405]
  ])('answers %s with %i', async (request, status) => {
    expect(await raw(`${request} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `)
    )
  })

  it.each([
    ['a text', 'text/plain', '{}', 415],
    ['broken JSON', 'application/json', '{', 400],
    ['JSON that is too deep', 'application/json', DEEP, 400],
    ['no transaction', 'application/json', '{"cborHex":"80"}', 400],
    ['a body that is too large', 'application/json', `"${'x'.repeat(70_000)}"`, 413]
  ])('answers a submission of %s with a typed refusal', async (_, type, body, status) => {
    const response = await fetch(`${served.gateway.url}/hydra/submit-tx`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body
    })
    expect([response.status, await response.json()]).toEqual([
      status,
      { status: 'fail', data: { tag: expect.any(String), reason: expect.any(String) } }
    ])
  })

  it('refuses pages of other origins before anything else, and takes those that are allowed', async () => {
    expect(
      (await fetch(`${served.gateway.url}/hydra/head`, { headers: { Origin: 'https://evil.example' } })).status
    ).toBe(403)
    const allowed = await fetch(`${served.gateway.url}/hydra/head`, { headers: { Origin: 'https://app.example' } })
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example'])
    const refused = engine('', { Origin: 'https://evil.example' })
    const status = await new Promise((resolve) =>
      refused.on('unexpected-response', (_, { statusCode }) => resolve(statusCode)).on('error', () => undefined)
    )
    expect(status).toBe(403)
    const socket = engine('', { Origin: 'https://app.example' })
    await new Promise((resolve) => socket.on('open', resolve))
    socket.terminate()
  })

  it('refuses commands beyond the rate, and closes who goes on', async () => {
    const client = await join(`${served.gateway.url}/hydra`)
    clients.push(client)
    for (let i = 0; i < 200; i++) client.send({ command: 'send_command', data: { tag: 'Nope' } })
    await until('the socket is closed', () => !client.socket.connected)
    expect(client.events.some(({ status, data }) => status === 'fail' && data.reason === 'too many commands')).toBe(
      true
    )
    // The rate comes back with time: of so many at once some are beyond it, however slow the machine.
    const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(`${served.gateway.url}/hydra/head`)))
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited.length).toBeGreaterThan(0)
    expect(new Set(limited.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']))
  })

  it('takes no more connections of one address than allowed', async () => {
    let refusal: unknown
    for (let i = 0; i < 31 && refusal === undefined; i++) {
      await join(`${served.gateway.url}/hydra`, { mode: 'delta' }).then(
        (client) => clients.push(client),
        (error: unknown) => (refusal = error)
      )
    }
    expect(refusal).toMatchObject({ message: 'too many connections' })
  })
})

describe('a gateway that ends', () => {
  it('answers the verdict under way, closes its sockets, and is not ready any more', async () => {
    const served = await serve()
    const client = await join(`${served.gateway.url}/hydra`)
    const tx = await served.head.payment(served.head.wallets[1]!.getAddressBech32(), 2_000_000n)
    const body = JSON.stringify({ type: tx.type, description: '', cborHex: tx.cborHex })
    const submitted = fetch(`${served.gateway.url}/hydra/submit-tx`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body
    })
    await client.tagged('TxValid')
    const drained = served.gateway.drain({ timeout: 10_000 })
    expect((await submitted).status).toBe(200)
    await drained
    await until('the socket is closed', () => !client.socket.connected)
    await expect(fetch(`${served.gateway.url}/health/live`)).rejects.toThrow()
    await served.stop()
  })

  it('says which port is taken', async () => {
    const first = await createGateway({
      port: 0,
      readyTimeout: 0,
      heads: [{ path: '/', upstream: 'ws://127.0.0.1:1' }]
    })
    const port = Number(new URL(first.url).port)
    await expect(createGateway({ port, heads: [{ path: '/', upstream: 'ws://127.0.0.1:1' }] })).rejects.toMatchObject({
      code: 'GATEWAY_PORT',
      port
    })
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(503)
    expect((await fetch(`${first.url}/health/live`)).status).toBe(200)
    await first.stop()
    await first.stop()
  })
})
