import { SignJWT } from 'jose'
import { parseJson } from 'layer-sdk/bridge'
import { createGateway, memoryLog } from 'layer-sdk/gateway'
import type { Gateway } from 'layer-sdk/gateway'
import { createHeadClient } from '../../src/client/index'
import type { HeadClient, Receipt } from '../../src/client/index'
import { ADA, startClientHead } from '../client/support'
import type { ClientHead } from '../client/support'
import { codeOf } from '../support/codeOf'
import { ready } from './support'

const SECRET = 'SECRET-of-thirty-two-bytes-or-more!'
jest.setTimeout(60_000)

let head: ClientHead
let gateway: Gateway
let payer: HeadClient
let addresses: string[]
const clients: HeadClient[] = []

const tokenOf = (claims: object): Promise<string> =>
  new SignJWT({ scope: 'read submit', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET))

beforeAll(async () => {
  head = await startClientHead()
  payer = await head.client(0)
  addresses = head.wallets.map((wallet) => wallet.getAddressBech32())
  gateway = await createGateway({
    port: 0,
    heads: [{ path: '/', upstream: head.node.url }],
    log: memoryLog(),
    auth: { secret: SECRET, algorithms: ['HS256'] }
  })
  await ready(gateway)
})
afterAll(async () => {
  for (const client of clients) await client.disconnect()
  await gateway.stop()
  await head.stop()
})

async function read(query: string, claims: object = {}): Promise<{ status: number; data: any; text: string }> {
  const headers = { Authorization: `Bearer ${await tokenOf(claims)}` }
  let reply = await fetch(`${gateway.url}/hydra/history${query}`, { headers })
  // A fast machine meets the rate limit of one subject.
  for (; reply.status === 429; reply = await fetch(`${gateway.url}/hydra/history${query}`, { headers }))
    await new Promise((resolve) => setTimeout(resolve, 200))
  const text = await reply.text()
  return { status: reply.status, data: (parseJson(text) as { data: unknown }).data, text }
}

async function join(claims: object, options: object): Promise<HeadClient> {
  const client = createHeadClient({ gateway: { url: gateway.url, token: await tokenOf(claims), ...options } } as never)
  clients.push(client)
  await client.connect()
  return client
}

/** The receipts that come, until so many are there. */
async function receiptsOf(
  client: HeadClient,
  address: string,
  count: number,
  after: string | null
): Promise<Receipt[]> {
  const found: Receipt[] = []
  for await (const receipt of client.receipts({ address, after, signal: AbortSignal.timeout(8_000) }))
    if (found.push(receipt) === count) break
  return found
}

/** The log begins behind the head: the cursor where it does. */
async function beginning(client: HeadClient, address: string): Promise<string> {
  const error: unknown = await client
    .receipts({ address })
    .next()
    .catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'CLIENT_HISTORY_GAP', after: null })
  return (error as { cursor: string }).cursor
}

it('clients in every mode see the same receipts, and go on behind a cursor', async () => {
  const [, shop, other] = addresses as [string, string, string]
  const modes = [
    [{}, { mode: 'delta' }],
    [{}, { mode: 'full' }],
    [{}, { mode: 'address', addresses: [shop] }],
    [{ addresses: [shop] }, { mode: 'address', addresses: [shop] }]
  ] as const
  const connected = await Promise.all(modes.map(([claims, options]) => join(claims, options)))
  const first = await beginning(connected[0]!, shop)
  await payer.pay({ to: shop, amount: 2n * ADA })
  await payer.pay({ to: other, amount: 3n * ADA })
  await payer.pay({ to: shop, amount: 4n * ADA })
  const seen = await Promise.all(connected.map((client) => receiptsOf(client, shop, 2, first)))
  for (const found of seen) expect(found.map(({ amount }) => amount[0]!.quantity)).toEqual(['2000000', '4000000'])
  expect(seen.slice(0, 3).map((found) => found.map(({ from }) => from))).toEqual(
    Array(3).fill([[addresses[0]], [addresses[0]]])
  )
  const [, { cursor }] = seen[0] as [Receipt, Receipt]
  const later = connected.map((client) => receiptsOf(client, shop, 1, cursor))
  await payer.pay({ to: shop, amount: 5n * ADA })
  for (const found of await Promise.all(later)) expect(found[0]!.amount[0]!.quantity).toBe('5000000')
})

it('a token of addresses reads neither transactions nor addresses of others', async () => {
  const [, shop, other] = addresses as [string, string, string]
  const { txId } = await payer.pay({ to: other, amount: 6n * ADA })
  await payer.pay({ to: shop, amount: 7n * ADA })
  const whole = await read('')
  expect(whole.text).toContain(txId)
  expect(whole.text).toContain(addresses[0])
  const narrowed = await read('', { addresses: [shop] })
  expect(narrowed.status).toBe(200)
  expect(narrowed.data.entries.length).toBeGreaterThan(2)
  // Later transactions spend its change: their bytes name it, as they do everywhere.
  expect(narrowed.text).not.toContain(`"txId":"${txId}"`)
  for (const address of [addresses[0]!, other]) expect(narrowed.text).not.toContain(address)
  expect((await read(`?address=${other}`, { addresses: [shop] })).status).toBe(403)
})

it('pages go on at their place, and places of another log begin anew', async () => {
  const all = await read('')
  const rest = await read(`?at=${encodeURIComponent(all.data.place)}`)
  expect(rest.data).toMatchObject({ entries: [], more: false })
  const foreign = await read('?at=another.17')
  expect(foreign.data.entries).toEqual(all.data.entries)
  const { headId } = payer.status()
  const from = await read(`?head=${headId}&number=3`)
  expect(from.data.entries[0].message.snapshot.number).toBe(3)
})

it.each(['?head=x&number=1', '?number=1', '?head=ab', '?head=ab&number=-1', `?at=${'x'.repeat(201)}`])(
  'refuses the query %s',
  async (query) => expect((await read(query)).status).toBe(400)
)

it('needs the scope to read', async () => {
  expect((await read('', { scope: 'submit' })).status).toBe(403)
  expect((await fetch(`${gateway.url}/hydra/history`)).status).toBe(401)
})

it('getTransaction resolves its inputs from the log', async () => {
  const [, shop] = addresses as [string, string]
  const { txId } = await payer.pay({ to: shop, amount: 8n * ADA })
  const client = await join({}, { mode: 'delta' })
  expect(await client.getTransaction(txId)).toMatchObject({ state: 'confirmed', from: [addresses[0]], own: false })
  expect(await codeOf(() => client.getTransaction('x'))).toMatch(/^INPUT/)
})
