import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
afterEach(() => head.stop())

/** What refuses at once: within a second on an idle machine. */
async function refusedSoon(promise: Promise<unknown>): Promise<any> {
  let timer: NodeJS.Timeout
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve('nothing within 20 s'), 20_000)
  })
  const failure = promise.then(
    () => 'it resolved',
    (error: unknown) => error
  )
  return Promise.race([failure, late]).finally(() => clearTimeout(timer))
}

it('refuses at once what is too low or not enough, with the figures', async () => {
  head = await startClientHead({ deposit: 20n * ADA })
  const alice = await head.client(0)
  const to = head.wallets[1]!.getAddressBech32()
  expect(await refusedSoon(alice.pay({ to, amount: 1n }))).toMatchObject({
    code: 'TX_OUTPUT_BELOW_MINIMUM',
    message: expect.stringMatching(/\d{6,} lovelace/)
  })
  expect(await refusedSoon(alice.pay({ to, amount: 500n * ADA }))).toMatchObject({
    code: 'TX_INSUFFICIENT_FUNDS',
    message: expect.stringMatching(/500000000 lovelace/)
  })
  expect(await refusedSoon(alice.withdraw({ amount: 1n }))).toMatchObject({ code: 'TX_OUTPUT_BELOW_MINIMUM' })
  expect(await refusedSoon(alice.withdraw({ amount: 500n * ADA }))).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
  expect(await refusedSoon(alice.deposit({ amount: 1n }))).toMatchObject({
    code: expect.stringMatching(/^(TX_OUTPUT_BELOW_MINIMUM|BRIDGE_REQUEST)$/)
  })
  expect(await refusedSoon(alice.deposit({ amount: 50_000n * ADA }))).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
  expect(alice.status().pending).toBe(0)
  await alice.pay({ to, amount: 20n * ADA })
})

it('refuses at once what is not enough after a withdrawal: nothing is held for outputs that have left', async () => {
  head = await startClientHead({ deposit: 20n * ADA })
  const alice = await head.client(0)
  const to = head.wallets[1]!.getAddressBech32()
  await alice.withdraw({ amount: 5n * ADA })
  expect(await refusedSoon(alice.pay({ to, amount: 500n * ADA }))).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
  expect(await refusedSoon(alice.withdraw({ amount: 500n * ADA }))).toMatchObject({ code: 'TX_INSUFFICIENT_FUNDS' })
})

it('makes a withdrawal after the one of another client that is in flight, and one beside a deposit', async () => {
  head = await startClientHead({ deposit: 20n * ADA, node: { timings: { blockMs: 300 } } })
  const [alice, twin] = [await head.client(0), await head.client(1)]
  const to = head.wallets[1]!.getAddressBech32()
  await alice.pay({ to, amount: 8n * ADA })
  const first = alice.withdraw({ all: true })
  while ((head.node.counters.inputs['Decommit'] ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  const second = twin.withdraw({ amount: ADA })
  const { decommitTxId } = await first
  await expect(second).resolves.toMatchObject({ decommitTxId: expect.not.stringMatching(decommitTxId) })
  const deposited = alice.deposit({ amount: 5n * ADA })
  await expect(twin.withdraw({ utxos: twin.getUtxos()!, all: true })).resolves.toMatchObject({
    decommitTxId: expect.any(String)
  })
  await deposited
}, 60_000)
