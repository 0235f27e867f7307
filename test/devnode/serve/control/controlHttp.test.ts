import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { RunningDevNode } from '../../../../src/devnode'
import { startDevNode } from '../../../../src/devnode'

const ROUTES: readonly (readonly [path: string, methods: string])[] = [
  ['/status', 'GET'],
  ['/faucet', 'POST'],
  ['/time', 'POST'],
  ['/faults', 'GET, PATCH'],
  ['/drift', 'POST'],
  ['/impersonate', 'POST'],
  ['/snapshot', 'POST'],
  ['/revert', 'POST'],
  ['/state', 'GET, PUT'],
  ['/parties/0', 'POST']
]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const MIB = 1024 * 1024

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: any
}

/** A request with any headers, Host too. */
function ask(
  node: RunningDevNode,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {}
): Promise<Answer> {
  const { hostname, port } = new URL(node.rpcUrl!)
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path: `/devnode${path}`, headers }, (response) => {
      let answer = ''
      response.on('data', (chunk: Buffer) => (answer += chunk.toString()))
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: answer === '' ? undefined : JSON.parse(answer)
        })
      )
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

describe('the control of a running node over HTTP', () => {
  let node: RunningDevNode
  const post = (path: string, body: unknown): Promise<Answer> => ask(node, 'POST', path, body)

  beforeAll(async () => {
    node = await startDevNode({ port: 0, accounts: 1, open: true, control: true })
  })
  afterAll(() => node.stop())

  it('says what the node is, where it is reached and what the accounts hold, and shows no key', async () => {
    const { status, body } = await ask(node, 'GET', '/status')
    expect(status).toBe(200)
    const { url, httpUrl, rpcUrl, indexerUrl, kupoUrl, controlUrl } = node
    expect(body).toMatchObject({
      version: '2.4.1',
      profile: '2.4',
      networkId: 0,
      endpoints: { url, httpUrl, rpcUrl, indexerUrl, kupoUrl, controlUrl }
    })
    expect(body.head).toEqual({ status: 'Open', id: node.headId, number: 0, outputs: 0 })
    expect(body.accounts.map(({ name }: { name: string }) => name)).toEqual(['alice', 'bob', 'carol', 'account 0'])
    expect(body.accounts[3]).toEqual({
      name: 'account 0',
      address: node.accounts[0]!.address,
      stakeAddress: node.accounts[0]!.stakeAddress,
      baseLovelace: '10000000000',
      headLovelace: '0'
    })
    expect(body.parties).toEqual([
      {
        index: 0,
        vkey: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        url,
        silent: false,
        signDelayMs: 0,
        closeWithOld: false
      }
    ])
    expect(Math.abs(body.timeMs - Date.now())).toBeLessThan(60_000)
    const text = JSON.stringify(body)
    for (const { skey } of [...node.keys, ...node.accounts]) expect(text).not.toContain(skey.slice(4))
    expect(text).not.toContain(node.phrase)
  })

  it('funds an address on the base ledger, or in the head by a deposit that is final when it answers', async () => {
    const { address } = node.keys[0]!
    const onBase = await post('/faucet', { address, lovelace: 5_000_000 })
    expect(onBase).toMatchObject({ status: 200, body: { depositTxId: null } })
    expect(node.baseUtxos(address)).toContainEqual(onBase.body.utxos[0])
    const unit = `${'ab'.repeat(28)}01`
    const amount = [
      { unit: 'lovelace', quantity: '7000000' },
      { unit, quantity: 3 }
    ]
    const inHead = await post('/faucet', { address, amount, in: 'head' })
    expect(inHead.status).toBe(200)
    expect(node.headUtxos(address)).toEqual(inHead.body.utxos)
    expect(inHead.body.utxos[0].output.amount).toEqual([
      { unit: 'lovelace', quantity: '7000000' },
      { unit, quantity: '3' }
    ])
    expect(node.baseUtxos().some(({ input }) => input.txHash === inHead.body.utxos[0].input.txHash)).toBe(false)
    expect(inHead.body.depositTxId).toMatch(/^[0-9a-f]{64}$/)
  })

  it('moves time on, changes faults and drift, and takes an address whose signatures are not asked for', async () => {
    const before = (await ask(node, 'GET', '/status')).body.slot as number
    const moved = await post('/time', { advanceMs: 86_400_000 })
    expect(moved.status).toBe(200)
    expect(moved.body.slot - before).toBeGreaterThanOrEqual(86_400)
    expect(moved.body.slot).toBe(node.slot)

    expect((await ask(node, 'PATCH', '/faults', { holdSnapshots: true, dropTags: ['TxValid'] })).body).toMatchObject({
      holdSnapshots: true,
      seqGap: 0
    })
    expect(node.faults).toMatchObject({ holdSnapshots: true, dropTags: ['TxValid'] })
    expect((await ask(node, 'PATCH', '/faults', { holdSnapshots: false, dropTags: [] })).status).toBe(200)
    expect((await ask(node, 'GET', '/faults')).body).toEqual(node.faults)

    expect(await post('/drift', { seconds: 30 })).toMatchObject({
      status: 200,
      body: { synced: false, driftSeconds: 30 }
    })
    expect((await post('/drift', { seconds: 0 })).body).toEqual({ synced: true, driftSeconds: 0 })

    const { address } = node.keys[2]!
    expect(await post('/impersonate', { address })).toMatchObject({ status: 200, body: { impersonated: [address] } })
  })

  it('answers a page of this machine, and its preflight', async () => {
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080', 'https://localhost', 'http://[::1]:3000']) {
      const answer = await ask(node, 'GET', '/status', undefined, { Origin: origin })
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, origin])
      const preflight = await ask(node, 'OPTIONS', '/faults', undefined, {
        Origin: origin,
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'content-type'
      })
      expect(preflight).toMatchObject({
        status: 204,
        headers: { 'access-control-allow-origin': origin, 'access-control-allow-headers': 'content-type' }
      })
      expect(preflight.headers['access-control-allow-methods']).toContain('PATCH')
    }
  })
})

describe('hostile requests to the control', () => {
  let node: RunningDevNode
  const address = (): string => node.keys[0]!.address

  beforeAll(async () => {
    node = await startDevNode({ port: 0, accounts: 0, control: true })
  })
  afterEach(async () => {
    // The running node goes on, and nothing has changed.
    const { body } = await ask(node, 'GET', '/status')
    expect(body).toMatchObject({
      head: { status: 'Idle' },
      impersonated: [],
      faults: { holdSnapshots: false, seqGap: 0, dropTags: [] }
    })
    expect(node.baseUtxos(address())).toHaveLength(10)
    expect(Math.abs(body.timeMs - Date.now())).toBeLessThan(60_000)
  })
  afterAll(() => node.stop())

  it.each(ROUTES)('are refused on %s when they come from elsewhere', async (path, methods) => {
    for (const method of [...methods.split(', '), 'OPTIONS']) {
      const body = { address: address(), lovelace: 5_000_000, advanceMs: 1, holdSnapshots: true, seconds: 9 }
      for (const headers of [
        { Host: 'evil.example' },
        { Host: 'localhost.evil.example:1337' },
        { Host: '127.0.0.1.evil.example' },
        { Host: '169.254.0.1' },
        { Host: 'localhost@evil.example' },
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: '' },
        { Origin: 'http://localhost.evil.example' },
        { Origin: 'http://127.0.0.1:80@evil.example' },
        { Origin: 'file://localhost' },
        { Host: 'evil.example', Origin: 'http://localhost' }
      ] as Record<string, string>[]) {
        const answer = await ask(
          node,
          method,
          path,
          method === 'GET' || method === 'OPTIONS' ? undefined : body,
          headers
        )
        expect([headers, answer.status, answer.body.code]).toEqual([headers, 403, 'FORBIDDEN'])
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      }
    }
  })

  it.each(['HTTP/1.1\r\nHost: ', 'HTTP/1.0\r\nX: y', 'HTTP/1.1\r\nHost: evil.example\r\nHost: localhost'])(
    'are refused without a Host of this machine: %j',
    async (head) => {
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(node.rpcUrl!).port), '127.0.0.1', () =>
          socket.write(`GET /devnode/status ${head}\r\n\r\n`)
        )
        socket.on('error', () => {})
        socket.once('data', (data) => {
          socket.destroy()
          resolve(data.toString())
        })
      })
      expect(answer).toMatch(/^HTTP\/1.1 40[03] /)
      expect(answer).not.toContain('accounts')
    }
  )

  it.each(ROUTES)('are refused on %s by any other method', async (path, methods) => {
    for (const method of METHODS.filter((each) => !methods.split(', ').includes(each))) {
      const answer = await ask(node, method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
      expect(answer).toMatchObject({ status: 405, headers: { allow: methods }, body: { code: 'METHOD' } })
    }
    const head = await ask(node, 'HEAD', path)
    expect(head.status).toBe(405)
  })

  it.each(ROUTES)('are refused on %s with a body that is none', async (path, methods) => {
    const method = methods.split(', ').at(-1)!
    if (method === 'GET') return expect(path).toBe('/status')
    for (const body of [
      '{',
      '[]',
      '"x"',
      '5',
      'null',
      '{"unknown":1}',
      '{"__proto__":{"holdSnapshots":true},"x":1}',
      '['.repeat(100_000),
      '\u0000',
      'é'.repeat(9)
    ]) {
      const answer = await ask(node, method, path, body)
      expect([body.slice(0, 40), answer.status, typeof answer.body.code]).toEqual([body.slice(0, 40), 400, 'string'])
    }
  })

  it.each<[string, string, unknown]>([
    ['POST', '/faucet', {}],
    ['POST', '/faucet', { address: 'nobody', lovelace: 5_000_000 }],
    ['POST', '/faucet', { address: 5, lovelace: 5_000_000 }],
    ['POST', '/faucet', { address: 'A', lovelace: -1 }],
    ['POST', '/faucet', { address: 'A', lovelace: 0 }],
    ['POST', '/faucet', { address: 'A', lovelace: 1.5 }],
    ['POST', '/faucet', { address: 'A', lovelace: '1e9' }],
    ['POST', '/faucet', { address: 'A', lovelace: '9'.repeat(5_000) }],
    ['POST', '/faucet', { address: 'A', lovelace: '9223372036854775808' }],
    ['POST', '/faucet', { address: 'A', lovelace: 5, amount: [] }],
    ['POST', '/faucet', { address: 'A', amount: [] }],
    ['POST', '/faucet', { address: 'A', amount: [null] }],
    ['POST', '/faucet', { address: 'A', amount: [{ unit: 'x', quantity: '1' }] }],
    ['POST', '/faucet', { address: 'A', amount: [{ unit: 'lovelace' }] }],
    ['POST', '/faucet', { address: 'A', lovelace: 5_000_000, in: 'elsewhere' }],
    ['POST', '/time', {}],
    ['POST', '/time', { advanceMs: -1 }],
    ['POST', '/time', { advanceMs: '5' }],
    ['POST', '/time', { advanceMs: 9e15 }],
    ['PATCH', '/faults', { holdSnapshots: 'yes' }],
    ['PATCH', '/faults', { seqGap: -1 }],
    ['PATCH', '/faults', { outputDelayMs: 1e12 }],
    ['PATCH', '/faults', { dropTags: 'all' }],
    ['PATCH', '/faults', { failRoutes: 'GET /head' }],
    ['PATCH', '/faults', { forgeSnapshot: 'nothing' }],
    ['PATCH', '/faults', { refuseUpgrades: 7 }],
    ['PATCH', '/faults', { httpFailure: { status: 99, body: '' } }],
    ['PATCH', '/faults', { httpFailure: { status: 503, body: '', headers: { 'X\r\nY': '1' } } }],
    ['PATCH', '/faults', { httpFailure: { status: 503, body: '', headers: { X: 'a\r\nb' } } }],
    ['PATCH', '/faults', { holdSnapshots: true, unknown: 1 }],
    ['POST', '/drift', {}],
    ['POST', '/drift', { seconds: -1 }],
    ['POST', '/drift', { seconds: null }],
    ['POST', '/parties/0', { silent: 1 }],
    ['POST', '/parties/0', { signDelayMs: -1 }],
    ['POST', '/parties/0', { signDelayMs: 9e15 }],
    ['POST', '/parties/0', { closeWithOld: 'yes' }],
    ['POST', '/parties/1', { silent: true }],
    ['POST', '/parties/99', {}],
    ['POST', '/impersonate', {}],
    ['POST', '/impersonate', { address: 'nobody' }],
    ['POST', '/impersonate', { address: 'addr_test1wpnlxv2xv9a9ucvnvzqakwepzl9ltx7jzgm53av2e9ncv4sysemm8' }]
  ])('are refused with a code: %s %s %j', async (method, path, body) => {
    const given = JSON.parse(JSON.stringify(body).replace('"A"', JSON.stringify(address()))) as unknown
    const answer = await ask(node, method, path, given)
    expect([answer.status, answer.body.code]).toEqual([400, expect.stringMatching(/^INPUT_/)])
    expect(answer.body.message).not.toMatch(/\[object/)
  })

  it('get 409 where the state forbids what they want', async () => {
    const answer = await ask(node, 'POST', '/faucet', { address: address(), lovelace: 5_000_000, in: 'head' })
    expect(answer).toMatchObject({ status: 409, body: { code: 'DEVNODE_STATE' } })
  })

  it('get 404 for any other path', async () => {
    for (const path of [
      '',
      '/',
      '/none',
      '/status/',
      '/status/x',
      '//status',
      '/__proto__',
      '/constructor',
      '/%73tatus',
      '/parties',
      '/parties/',
      '/parties/x',
      '/parties/100',
      '/parties/-1'
    ]) {
      expect([path, (await ask(node, 'GET', path)).status]).toEqual([path, 404])
    }
    expect((await ask(node, 'GET', '/status?x=1')).status).toBe(200)
  })

  it('get 413 for a body that is too large, and hold nothing open', async () => {
    const large = await ask(node, 'POST', '/faucet', 'x'.repeat(5 * MIB)).catch((error: Error) => error)
    // Some runtimes see the connection end before they have read the answer.
    if (!(large instanceof Error)) expect(large.status).toBe(413)
    const socket = connect(Number(new URL(node.rpcUrl!).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST /devnode/faucet HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"addr')
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.destroy()
  })

  it('find no control where none was asked for', async () => {
    const plain = await startDevNode({ port: 0, accounts: 0 })
    expect(plain.controlUrl).toBeNull()
    const response = await fetch(`${plain.rpcUrl}/devnode/status`)
    expect(response.status).toBe(404)
    await plain.stop()
    await expect(startDevNode({ port: 0, rpcPort: null, control: true })).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'control'
    })
    await expect(startDevNode({ port: 0, control: 'yes' as never })).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'control'
    })
  })
})
