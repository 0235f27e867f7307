import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, SignJWT } from 'jose'
import { createGateway } from 'layer-sdk/gateway'
import { buildPayment } from 'layer-sdk/tx'
import { createAuthenticator } from '../../src/gateway/access/createAuthenticator'
import { join, serve, until } from './support'
import type { RawClient, Served } from './support'

const SECRET = 'SECRET-of-thirty-two-bytes-or-more!'
const KEY = new TextEncoder().encode(SECRET)
const now = (): number => Math.floor(Date.now() / 1000)
const sign = (
  claims: Record<string, unknown>,
  { alg = 'HS256', key = KEY as never, exp = (now() + 600) as number | null } = {}
): Promise<string> => {
  const jwt = new SignJWT(claims).setProtectedHeader({ alg })
  if (exp !== null) jwt.setExpirationTime(exp)
  return jwt.sign(key)
}

describe('access to a gateway', () => {
  let served: Served
  const lines: string[] = []
  const clients: RawClient[] = []
  beforeAll(async () => {
    const note = (line: string): void => void lines.push(line)
    served = await serve({
      auth: { secret: SECRET, algorithms: ['HS256'] },
      logger: { info: note, warn: note },
      metrics: { port: 0 }
    })
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.socket.disconnect()
  })
  afterAll(() => served.stop())

  const open = async (auth: Record<string, unknown>): Promise<RawClient> => {
    const client = await join(`${served.gateway.url}/hydra`, auth)
    clients.push(client)
    return client
  }
  const get = async (path: string, token?: string): Promise<number> => {
    const response = await fetch(
      `${served.gateway.url}${path}`,
      token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }
    )
    return response.status
  }

  it.each([
    ['no token', async () => undefined],
    ['a text that is none', async () => 'SECRET-TOKEN'],
    [
      'a token of another secret',
      () => sign({ scope: 'read' }, { key: new TextEncoder().encode('x'.repeat(32)) as never })
    ],
    ['an algorithm that is not allowed', () => sign({ scope: 'read' }, { alg: 'HS512' })],
    [
      'no algorithm',
      async () =>
        `${btoa('{"alg":"none"}').replace(/=/g, '')}.${btoa(`{"scope":"read","exp":${now() + 600}}`).replace(/=/g, '')}.`
    ],
    ['no end', () => sign({ scope: 'read' }, { exp: null })],
    ['an end more than 30 s ago', () => sign({ scope: 'read' }, { exp: now() - 40 })]
  ])('refuses %s as unauthorized, over both ways', async (_, make) => {
    const token = await make()
    await expect(open(token === undefined ? {} : { token })).rejects.toThrow('unauthorized')
    expect(await get('/hydra/snapshot', token)).toBe(401)
  })

  it.each([
    ['no scope to read', { scope: 'submit' }, {}],
    ['another head', { scope: 'read', heads: ['/other'] }, {}],
    ['heads of another form', { scope: 'read', heads: '/' }, {}],
    [
      'addresses, for a client that wants all',
      { scope: 'read', addresses: ['addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'] },
      { mode: 'delta' }
    ],
    [
      'addresses, for a plain client',
      { scope: 'read', addresses: ['addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'] },
      {}
    ]
  ])('refuses a token of %s as forbidden', async (_, claims, auth) => {
    await expect(open({ ...auth, token: await sign(claims) })).rejects.toThrow('forbidden')
  })

  it('lets a token of scopes do what they say, and nothing else', async () => {
    const reader = await open({ token: await sign({ scope: 'read' }) })
    const tx = await served.head.payment(served.address, 2_000_000n)
    expect(await reader.ask({ command: 'send_command', data: { tag: 'NewTx', transaction: tx } })).toEqual({
      accepted: false,
      reason: 'forbidden'
    })
    const payer = await open({ token: await sign({ scope: 'read submit' }) })
    expect(await payer.ask({ command: 'send_command', data: { tag: 'Close' } })).toEqual({
      accepted: false,
      reason: 'forbidden'
    })
    expect(await payer.ask({ command: 'send_command', data: { tag: 'NewTx', transaction: tx } })).toEqual({
      accepted: true
    })
    await payer.tagged('SnapshotConfirmed')
    const post = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await sign({ scope: 'read' })}` },
      body: '{}'
    }
    expect((await fetch(`${served.gateway.url}/hydra/submit-tx`, post)).status).toBe(403)
  })

  it('shows a token of addresses those alone, over both ways', async () => {
    const { address, gateway, head } = served
    const stranger = head.wallets[2]!.getAddressBech32()
    const token = await sign({ scope: 'read', addresses: [address] })
    await expect(open({ token, mode: 'address', addresses: [stranger] })).rejects.toThrow('forbidden')
    const client = await open({ token, mode: 'address', addresses: [address] })
    expect(await client.ask({ command: 'subscribe', data: { addresses: [stranger] } })).toMatchObject({
      accepted: false
    })
    const response = await fetch(`${gateway.url}/hydra/snapshot/utxo`, {
      headers: { Authorization: `Bearer ${token}` }
    })
    const { data } = (await response.json()) as { data: Record<string, { address: string }> }
    expect(new Set(Object.values(data).map((output) => output.address))).toEqual(new Set([address]))
    expect(await get(`/hydra/snapshot/utxo?address=${stranger}`, token)).toBe(403)
    expect(await get('/hydra/head', token)).toBe(403)
  })

  it('shows a token of addresses its own transaction, and none beside it in the same snapshot, when it submits over HTTP', async () => {
    const { address, gateway, head } = served
    const [wallet, , carol] = head.wallets
    for (let i = 0; i < 3; i++) await head.bridge.submitTxSync(await head.payment(address, 20_000_000n))
    const large = head.bridge
      .snapshotUtxoArray()
      .filter(({ output }) => output.address === address && BigInt(output.amount[0]!.quantity) >= 20_000_000n)
    const [first, second, third] = await Promise.all(
      large.slice(0, 3).map(async (utxo) => {
        const { cborHex, txId } = buildPayment({
          utxos: [utxo],
          to: address,
          amount: 1_500_000n,
          changeAddress: address
        })
        return { type: 'Witnessed Tx ConwayEra', description: '', cborHex: await wallet!.signTx(cborHex), txId }
      })
    )
    // The first one's snapshot is held back, so the two others come in the next, together.
    head.node.faults.holdSnapshots = true
    const valid = (): Promise<unknown> => head.bridge.waitFor('TxValid')
    await Promise.all([valid(), head.bridge.commands.newTx(first!.cborHex, '')])
    const token = await sign({ scope: 'read submit', addresses: [carol!.getAddressBech32()] })
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
    const taken = valid()
    const answer = fetch(`${gateway.url}/hydra/submit-tx`, { method: 'POST', headers, body: JSON.stringify(second) })
    await taken
    await Promise.all([valid(), head.bridge.commands.newTx(third!.cborHex, '')])
    const sizes: number[] = []
    const stop = head.bridge.events.on(
      'onMessage',
      (payload) => payload.tag === 'SnapshotConfirmed' && sizes.push(payload.snapshot.confirmed.length)
    )
    head.node.faults.holdSnapshots = false
    await until('both are confirmed', () => sizes.length === 2)
    stop()
    expect(sizes).toEqual([1, 2])
    const { data } = (await (await answer).json()) as { data: { snapshot: { confirmed: { txId: string }[] } } }
    expect(data.snapshot.confirmed.map(({ txId }) => txId)).toEqual([second!.txId])
  })

  it('ends a socket when its token does, tolerance included', async () => {
    const client = await open({ token: await sign({ scope: 'read' }, { exp: now() - 28 }) })
    await until('the socket has ended', () => !client.socket.connected)
  })

  it('shows no secret, token, subject or address in reports and metrics', async () => {
    const token = await sign({ scope: 'read submit', sub: 'SUBJECT-7' })
    await open({ token, mode: 'address', addresses: [served.address] })
    const metrics = await (await fetch(served.gateway.metricsUrl!)).text()
    expect(metrics).toMatch(/layer_gateway_clients\{head="\/",mode="address"\} 1\n/)
    expect(lines.length).toBeGreaterThan(0)
    for (const text of [metrics, ...lines])
      for (const secret of [SECRET, token, 'SUBJECT-7', served.address]) expect(text).not.toContain(secret)
  })
})

describe('keys of tokens', () => {
  const access = async (auth: object, token: string): Promise<unknown> =>
    (await createAuthenticator(auth as never, [])).access(token)

  it('takes tokens of a public key, and none that was signed with its text', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
    const auth = { publicKey: pem, algorithms: ['ES256'], issuer: 'me', audience: 'gateway' }
    const good = await sign({ scope: 'read', iss: 'me', aud: 'gateway' }, { alg: 'ES256', key: privateKey as never })
    expect(await access(auth, good)).toMatchObject({ scopes: new Set(['read']) })
    expect(
      await access(
        auth,
        await sign({ scope: 'read', iss: 'you', aud: 'gateway' }, { alg: 'ES256', key: privateKey as never })
      )
    ).toBe('unauthorized')
    expect(
      await access(
        auth,
        await sign({ scope: 'read', iss: 'me', aud: 'gateway' }, { key: new TextEncoder().encode(pem) as never })
      )
    ).toBe('unauthorized')
  })

  it('keeps the keys of a set while it cannot be fetched', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }
    const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`
    const authenticator = await createAuthenticator({ jwksUrl, algorithms: ['ES256'] }, [])
    const token = await new SignJWT({ scope: 'read' })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setExpirationTime('5m')
      .sign(privateKey)
    expect(await authenticator.access(token)).toMatchObject({ scopes: new Set(['read']) })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await authenticator.access(token)).toMatchObject({ scopes: new Set(['read']) })
  })

  it.each([
    [{ secret: 'SECRET-short', algorithms: ['HS256'] }, 'auth.secret'],
    [{ secret: SECRET, algorithms: ['RS256'] }, 'auth.algorithms'],
    [{ publicKey: 'x', algorithms: ['HS256'] }, 'auth.algorithms'],
    [{ secret: SECRET, algorithms: ['none'] }, 'auth.algorithms'],
    [{ secret: SECRET, publicKey: 'x', algorithms: ['HS256'] }, 'auth'],
    [{ publicKey: 'SECRET-no-key', algorithms: ['ES256'] }, 'auth.publicKey'],
    [{ jwksUrl: 'http://keys.example/jwks', algorithms: ['ES256'] }, 'auth.jwksUrl']
  ])('refuses %j at the start, and repeats no secret', async (auth, argument) => {
    const heads = [{ path: '/', upstream: 'ws://127.0.0.1:1' }]
    const error = (await createGateway({ port: 0, heads, auth }).catch((reason: unknown) => reason)) as Error
    expect(error).toMatchObject({ code: 'INPUT_ARGUMENT', argument })
    expect(String(error)).not.toContain('SECRET')
  })
})
