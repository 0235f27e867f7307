import { connect } from 'node:net'
import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import type { RunningDevNode } from '../../../src/devnode'
import { startDevNode } from '../../../src/devnode'
import { setUp } from '../harness'

const FACES = ['', '/api/v0', '/kupo']
const MIB = 1024 * 1024

/** Deterministic bytes: the same hostile requests on every run. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/**
 * Bytes as they are on a TCP connection; resolves with what came back until the other side ended, or a while passed.
 */
function raw(port: number, ...parts: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const done = (): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('data', (data) => (answer += data.toString('latin1')))
    socket.on('error', done)
    socket.on('close', done)
    socket.on('connect', () => parts.forEach((part) => socket.write(part)))
    setTimeout(done, 1000).unref()
  })
}

function openSocket(node: RunningDevNode): Promise<WebSocket> {
  const socket = new WebSocket(node.rpcUrl!.replace('http', 'ws'))
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket))
    socket.on('error', reject)
  })
}

const closeCode = (socket: WebSocket): Promise<number> =>
  new Promise((resolve) => socket.on('close', resolve).on('error', () => {}))

describe('hostile requests to the endpoints of the base ledger', () => {
  let node: RunningDevNode
  const port = (): number => Number(new URL(node.rpcUrl!).port)
  const tip = async (): Promise<unknown> => (await (await fetch(`${node.indexerUrl}/blocks/latest`)).json()) as unknown

  beforeAll(async () => {
    node = await startDevNode({ port: 0, accounts: 1 })
  })
  afterEach(async () => {
    // The running node goes on.
    expect(await tip()).toMatchObject({ confirmations: 0 })
  })
  afterAll(() => node.stop())

  it.each(FACES)('refuses a body that is too large for %s/', async (face) => {
    const response = await fetch(`${node.rpcUrl}${face}/tx/submit`, {
      method: 'POST',
      body: new Uint8Array(5 * MIB)
    }).catch((error: unknown) => error)
    // Some runtimes see the connection end before they have read the answer.
    if (response instanceof Response) expect(response.status).toBe(413)
  })

  it('ends a connection that announces more than it may send', async () => {
    const answer = await raw(
      port(),
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${100 * MIB}\r\n\r\n`,
      new Uint8Array(5 * MIB)
    )
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(answer).toContain('Connection: close')
  })

  it('answers broken HTTP with 400 and long headers with 431', async () => {
    expect(await raw(port(), 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    expect(await raw(port(), `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 /
    )
    expect(await raw(port(), `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /)
    expect(await raw(port(), 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')).toMatch(
      /^HTTP\/1.1 400 /
    )
    // Half a request, and away.
    await raw(port(), 'POST /api/v0/tx/submit HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc')
  })

  it('answers an upgrade that is none with 400', async () => {
    expect(await raw(port(), 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 /
    )
    expect(await raw(port(), 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 /
    )
  })

  it.each([
    ['larger than 4 MiB', 1009, (socket: WebSocket) => socket.send(new Uint8Array(5 * MIB))],
    ['that is no UTF-8', 1007, (socket: WebSocket) => socket.send(Uint8Array.of(0xc3, 0x28), { binary: false })],
    [
      'that breaks RFC 6455',
      1002,
      (socket: WebSocket) =>
        void (socket as unknown as { _socket: { write(data: Uint8Array): void } })._socket.write(
          Uint8Array.of(0xf3, 0x80, 0, 0, 0, 0)
        )
    ]
  ])('closes a WebSocket for a frame %s', async (_what, code, send) => {
    const socket = await openSocket(node)
    const closed = closeCode(socket)
    send(socket)
    expect(await closed).toBe(code)
  })

  it('closes a WebSocket that sends faster than it is answered, and answers others meanwhile', async () => {
    const socket = await openSocket(node)
    const closed = closeCode(socket)
    const request = '{"jsonrpc":"2.0","method":"queryLedgerState/utxo"}'
    for (let i = 0; i < 5000; i++) socket.send(request)
    expect(await tip()).toMatchObject({ confirmations: 0 })
    expect(await closed).toBe(1008)
  })

  it('answers every message on a WebSocket with an error of its own, in order', async () => {
    const socket = await openSocket(node)
    const answers: any[] = []
    const all = new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer) => answers.push(JSON.parse(data.toString())) === 6 && resolve())
    )
    socket.send('')
    socket.send('{"id":2,"method":7}')
    socket.send(Buffer.from('{"id":3,"method":"queryNetwork/tip"}'))
    socket.send(`${'['.repeat(100_000)}`)
    socket.send('{"id":5,"method":"submitTransaction","params":{"transaction":{"cbor":"ff"}}}')
    socket.send('{"id":6,"method":"__proto__"}')
    await all
    socket.close()
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32600],
      [2, -32600],
      [3, undefined],
      [null, -32600],
      [5, -32602],
      [6, -32600]
    ])
  })

  it('takes so many connections and no more, and new ones when those have gone', async () => {
    const sockets = Array.from({ length: 600 }, () => connect(port(), '127.0.0.1').on('error', () => {}))
    // Those beyond the limit are dropped; without one, this would wait until the test is over.
    await new Promise<void>((resolve) => {
      let dropped = 0
      for (const socket of sockets) socket.on('close', () => ++dropped >= 600 - 512 && resolve())
    })
    for (const socket of sockets) socket.destroy()
    const answers = (): Promise<boolean> =>
      tip().then(
        () => true,
        () => false
      )
    while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  it('answers whatever path, query, header and body with a status below 500 and JSON or nothing', async () => {
    const { node: local, alice } = setUp({ accounts: 1 })
    const next = generator(7)
    const pick = <T>(items: readonly T[]): T => items[next(items.length)]!
    const words = [
      'addresses',
      'utxos',
      'txs',
      'tx',
      'submit',
      'blocks',
      'latest',
      'epochs',
      'parameters',
      'scripts',
      'datum',
      'cbor',
      'assets',
      'accounts'
    ]
    const more = [
      'matches',
      'datums',
      'health',
      'utils',
      'evaluate',
      alice.address,
      local.accounts[0]!.stakeAddress,
      '0'.repeat(64),
      'f'.repeat(56),
      '*',
      '%',
      '%00',
      '..',
      ''
    ]
    const texts = [
      '*@',
      '1@',
      '.',
      '/',
      '{1}',
      'addr_vkh1',
      'script1',
      'stake1',
      '__proto__',
      'constructor',
      '💥',
      'a'.repeat(5000),
      '-1',
      '1e9',
      '[object Object]'
    ]
    const queries = [
      'page=1',
      'count=-5',
      'order=desc',
      'unspent',
      'spent',
      'policy_id=',
      'asset_name=00',
      'created_after=9',
      'version=6',
      '%',
      '&&&',
      'page=1&page=2',
      'resolve_hashes'
    ]
    const statuses = new Set<number>()
    for (let i = 0; i < 1500; i++) {
      const path = Array.from({ length: next(6) }, () => pick([...words, ...words, ...more, ...texts])).join('/')
      const query = next(3) === 0 ? '' : `?${Array.from({ length: next(3) }, () => pick(queries)).join('&')}`
      const body = pick([
        new Uint8Array(0),
        randomBytes(next(200)),
        new TextEncoder().encode(pick(['{}', '[]', 'null', '"', '{"cbor":"84"}', '{"method":"x","id":{}}']))
      ])
      const headers = {
        'content-type': pick(['application/cbor', 'application/json', 'x']),
        accept: pick(['*/*', 'application/json', 'x'])
      }
      const request = {
        method: pick(['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'HEAD']),
        path: `${pick(FACES)}/${path}${query}`,
        headers,
        body
      }
      const reply = await local.baseRequest(request)
      statuses.add(reply.status)
      if (reply.status >= 500)
        throw new Error(JSON.stringify({ ...request, body: Buffer.from(body).toString('hex'), reply }))
      if (reply.contentType?.startsWith('application/json')) JSON.parse(reply.body)
    }
    expect(statuses).toEqual(new Set([200, 400, 404, 406]))
    expect(local.baseUtxos(alice.address)).toHaveLength(10)
  })
})
