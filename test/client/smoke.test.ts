import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead | undefined
afterEach(async () => {
  await head?.stop()
  head = undefined
})

it('lives a head: open, deposit, pay, withdraw, close and fan out', async () => {
  head = await startClientHead()
  const alice = await head.client(0)
  const bob = head.wallets[1]!.getAddressBech32()
  expect(alice.getBalance()!.confirmed.lovelace).toBe(1_000n * ADA)
  const { snapshotNumber } = await alice.pay({ to: bob, amount: 2n * ADA })
  expect(snapshotNumber).toBeGreaterThan(1)
  const three = await Promise.all([1, 2, 3].map(() => alice.pay({ to: bob, amount: 5n * ADA })))
  expect(new Set(three.map(({ txId }) => txId)).size).toBe(3)
  expect(alice.getBalance({ address: bob })!.confirmed.lovelace).toBe(17n * ADA)
  const left = await alice.withdraw({ amount: 100n * ADA })
  expect(left.utxo.map(({ amount }) => amount[0]!.quantity)).toEqual([String(100n * ADA)])
  expect(alice.getBalance()!.confirmed.lovelace).toBe(883n * ADA)
  const final = await alice.closeAndFanoutHead()
  expect(final.tag).toBe('HeadIsFinalized')
})

it('chains a hundred payments of one output', async () => {
  head = await startClientHead({ node: { timings: { snapshotIntervalMs: 100 } } })
  const alice = await head.client(0)
  const bob = head.wallets[1]!.getAddressBech32()
  const results = await Promise.all(Array.from({ length: 100 }, () => alice.pay({ to: bob, amount: 1n * ADA })))
  expect(new Set(results.map(({ txId }) => txId)).size).toBe(100)
  expect(alice.getBalance({ address: bob })!.confirmed.lovelace).toBe(100n * ADA)
  expect(alice.getBalance()).toEqual({
    confirmed: { lovelace: 900n * ADA, assets: {} },
    pending: { lovelace: 900n * ADA, assets: {} },
    arriving: { lovelace: 0n, assets: {} }
  })
})
