import { SignJWT } from 'jose'
import { createGateway } from 'layer-sdk/gateway'
import type { Gateway, GatewayOptions } from 'layer-sdk/gateway'
import { getProof, partiesFromHead, verifyOutputProof } from 'layer-sdk/verify'
import { inParts } from '../../src/verify/inParts'
import { startHead } from '../support/openHead'
import type { Head } from '../support/openHead'
import { signSnapshot } from '../support/signedSnapshot'
import { ready } from './support'

const SECRET = 'SECRET-of-thirty-two-bytes-or-more!'
/** Snapshots that carry the accumulator of their outputs. */
const NODE = { accumulator: 'real' } as const
const UNKNOWN = `${'ab'.repeat(32)}#0`

describe('the proofs of a gateway', () => {
  let head: Head
  let gateways: Gateway[]
  let addresses = 0
  beforeAll(async () => {
    head = await startHead({ node: NODE })
    await head.bridge.submitTxSync(await head.payment(head.wallets[1]!.getAddressBech32(), 2_000_000n))
  })
  beforeEach(() => {
    gateways = []
  })
  afterEach(async () => {
    for (const gateway of gateways) await gateway.stop()
  })
  afterAll(() => head.stop())

  const start = async (options: Partial<GatewayOptions> = {}, of: Head = head): Promise<Gateway> => {
    const gateway = await createGateway({
      port: 0,
      proofs: true,
      trustProxy: true,
      heads: [{ path: '/', upstream: of.node.url }],
      ...options
    })
    gateways.push(gateway)
    await ready(gateway)
    return gateway
  }
  /** Each call comes from an address of its own, unless one is given. */
  const ask = async (
    { url }: Gateway,
    query: string,
    { ip = `10.0.0.${++addresses}`, token, ...init }: RequestInit & { ip?: string; token?: string } = {}
  ) => {
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/hydra/proof${query}`, {
      ...init,
      headers: { 'X-Forwarded-For': ip, ...authorization }
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: JSON.parse(text === '' ? 'null' : text) as any
    }
  }
  const queryOf = (ref: string): string => `?ref=${encodeURIComponent(ref)}`
  const outputsOf = (index: number): string[] =>
    head.bridge
      .getAddressUTxOs(head.wallets[index]!.getAddressBech32())!
      .map(({ input }) => `${input.txHash}#${input.index}`)
  const keys = async () => {
    const parties = partiesFromHead(await (await fetch(`${head.node.httpUrl}/head`)).json())
    return { parties, headId: (await head.bridge.headInfo()).headId! }
  }

  it('convince a client of every output by the keys of the parties alone, and of nothing once anything in them is changed', async () => {
    const gateway = await start()
    const { parties, headId } = await keys()
    const refs = [...outputsOf(0), ...outputsOf(1)]
    expect(refs.length).toBeGreaterThan(1)
    for (const ref of refs) {
      const { status, text, body } = await ask(gateway, queryOf(ref))
      expect([status, body.status]).toEqual([200, 'success'])
      expect(text.length).toBeLessThan(1_200)
      expect(await verifyOutputProof({ proof: body.data, headId, parties })).toMatchObject({
        ok: true,
        number: BigInt(head.bridge.lastSnapshotNumber)
      })
    }
    const proof = (await ask(gateway, queryOf(refs[0]!))).body.data
    const other = (await ask(gateway, queryOf(refs[1]!))).body.data
    for (const changed of [
      { output: { ...proof.output, value: { lovelace: 45_000_000_000 } } },
      { output: other.output },
      { proof: other.proof },
      { commitment: other.proof },
      { number: proof.number + 1 },
      { version: proof.version + 1 },
      { headId: '00'.repeat(28) },
      { signatures: [] },
      {
        signatures: proof.signatures.map((signature: string) =>
          signature.replace(/^../, (byte) => (byte === '00' ? '01' : '00'))
        )
      }
    ]) {
      expect(await verifyOutputProof({ proof: { ...proof, ...changed }, headId, parties })).toMatchObject({ ok: false })
    }
    expect(
      await verifyOutputProof({
        proof,
        headId,
        parties: ['3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c']
      })
    ).toMatchObject({
      ok: false
    })
  })

  it('refuse what is no reference of an output, and hide nothing in it', async () => {
    const gateway = await start()
    const good = outputsOf(0)[0]!
    for (const query of [
      '',
      '?ref=',
      `?ref=${'ab'.repeat(32)}`,
      queryOf(`${'ab'.repeat(31)}#0`),
      queryOf(`${'AB'.repeat(32)}#0`),
      queryOf(`${'ab'.repeat(32)}#-1`),
      queryOf(`${'ab'.repeat(32)}#00`),
      queryOf(`${'ab'.repeat(32)}#123456`),
      queryOf(`${good}\n`),
      queryOf('__proto__'),
      `${queryOf(good)}&ref=${encodeURIComponent(good)}`,
      `?ref=${'%61'.repeat(5_000)}`
    ]) {
      expect([query.slice(0, 80), (await ask(gateway, query)).status]).toEqual([query.slice(0, 80), 400])
    }
    expect((await ask(gateway, queryOf(UNKNOWN))).body).toEqual({
      status: 'fail',
      data: { tag: 'NotFound', reason: 'no such output' }
    })
    expect((await ask(gateway, queryOf(good), { method: 'POST', body: '{}' })).status).toBe(405)
    expect((await ask(gateway, `${queryOf(good)}&token=x`)).status).toBe(400)
  })

  it('are served once a second to one address, whatever it asks for, and to the others meanwhile', async () => {
    const gateway = await start()
    const [ref] = outputsOf(0) as [string]
    expect((await ask(gateway, queryOf(ref), { ip: '10.9.9.9' })).status).toBe(200)
    for (const query of [queryOf(ref), queryOf(UNKNOWN)]) {
      const second = await ask(gateway, query, { ip: '10.9.9.9' })
      expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
    }
    expect((await ask(gateway, queryOf(ref), { ip: '10.9.9.8' })).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await ask(gateway, queryOf(ref), { ip: '10.9.9.9' })).status).toBe(200)
  })

  it('are the same for all who ask at once, and are computed one after another', async () => {
    const gateway = await start()
    const refs = [...outputsOf(0), ...outputsOf(1)]
    const answers = await Promise.all([...refs, ...refs].map((ref) => ask(gateway, queryOf(ref))))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    refs.forEach((_, index) => expect(answers[index]!.text).toBe(answers[index + refs.length]!.text))
  })

  it('are not there unless they are asked for', async () => {
    const gateway = await start({ proofs: false })
    expect((await ask(gateway, queryOf(outputsOf(0)[0]!))).status).toBe(404)
  })

  it('need a token to read, and show a token of addresses no other output', async () => {
    const gateway = await start({ auth: { secret: SECRET, algorithms: ['HS256'] } })
    const sign = (claims: object): Promise<string> =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode(SECRET))
    const [ref] = outputsOf(0) as [string]
    expect((await ask(gateway, queryOf(ref))).status).toBe(401)
    expect((await ask(gateway, queryOf(ref), { token: await sign({ scope: 'submit' }) })).status).toBe(403)
    const own = await sign({ scope: 'read', addresses: [head.wallets[0]!.getAddressBech32()] })
    const others = await sign({ scope: 'read', addresses: [head.wallets[2]!.getAddressBech32()] })
    expect((await ask(gateway, queryOf(ref), { token: own })).status).toBe(200)
    const [hidden, unknown] = [
      await ask(gateway, queryOf(ref), { token: others }),
      await ask(gateway, queryOf(UNKNOWN), { token: others })
    ]
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text])
  })

  it('are refused while nobody has signed a snapshot, and by a node that signs no accumulator, or another than that of its outputs', async () => {
    const empty = await startHead({ deposit: false })
    const none = await startHead({ open: false })
    const old = await startHead({ node: { profile: '2.0' } })
    // It states the accumulator of no outputs.
    const lying = await startHead({ node: { accumulator: 'off' } })
    try {
      const reason = async (of: Head, ref = UNKNOWN): Promise<[number, string]> => {
        const { status, body } = await ask(await start({}, of), queryOf(ref))
        return [status, body.data.reason]
      }
      expect(await reason(empty)).toEqual([404, 'no snapshot has been signed yet'])
      expect(await reason(none)).toEqual([404, 'no such output'])
      expect(await reason(old)).toEqual([404, 'the node signs no accumulator: proofs need one from 2.2 on'])
      const { input } = lying.bridge.snapshotUtxoArray()[0]!
      expect(await reason(lying, `${input.txHash}#${input.index}`)).toEqual([503, 'no proof can be made now'])
    } finally {
      for (const each of [empty, none, old, lying]) await each.stop()
    }
  })

  it('come with their age while the node is away, and with 503 when it was never asked', async () => {
    const gone = await startHead({ node: NODE })
    const [one, other] = [await start({}, gone), await start({}, gone)]
    const ref = gone.bridge.snapshotUtxoArray().map(({ input }) => `${input.txHash}#${input.index}`)[0]!
    expect((await ask(one, queryOf(ref))).status).toBe(200)
    await gone.stop()
    const isAway = async ({ url }: Gateway): Promise<boolean> => (await fetch(`${url}/health/ready`)).status === 503
    for (const each of [one, other])
      while (!(await isAway(each))) await new Promise((resolve) => setTimeout(resolve, 20))
    const late = await ask(one, queryOf(ref))
    expect([late.status, Number(late.headers.get('age')) >= 1]).toEqual([200, true])
    const never = await ask(other, queryOf(ref))
    expect([never.status, never.headers.get('retry-after')]).toEqual([503, '1'])
  })

  it('leave the thread to others between two parts, with the same result', async () => {
    const output = { address: head.wallets[0]!.getAddressBech32(), value: { lovelace: 2_000_000 } }
    const utxo = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`${'ab'.repeat(32)}#${i}`, output]))
    const snapshot = { headId: '11'.repeat(28), version: 0, number: 9, utxo }
    const source = { snapshot, signatures: await signSnapshot(snapshot, '2.3') }
    let pauses = 0
    const pause = async (): Promise<void> => void pauses++
    expect(await getProof(source, UNKNOWN, { accelerator: inParts(pause) })).toEqual(await getProof(source, UNKNOWN))
    // The first time tables of the points are made, in steps of their own.
    expect(pauses).toBeGreaterThanOrEqual(4)
    pauses = 0
    await getProof(source, UNKNOWN, { accelerator: inParts(pause) })
    // 131 and 130 coefficients, 64 a part.
    expect(pauses).toBe(4)
    await expect(
      getProof(source, UNKNOWN, { accelerator: inParts(() => Promise.reject(new Error('over'))) })
    ).rejects.toMatchObject({ reason: 'accelerator' })
  })
})
