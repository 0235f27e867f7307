import type { HeadClient } from '../../src/client/index.js'
import { randomSource } from '../support/random.js'
import { fullRun } from '../support/scale.js'
import { markOf, readRecord } from './headRecord.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

/** Payments of each of the two clients. */
const PAYMENTS = fullRun ? 150 : 50
const AT_ONCE = 15

let head: ClientHead
afterEach(() => head.stop())

interface Payment {
  readonly mark: string
  readonly outcome: string
  readonly txId?: string
}

/**
 * Two clients of one wallet pay at the same time, some payments of each at once. `resets`: share of payments during
 * which every connection is reset.
 */
async function payFromTwoClients(
  outputs: number,
  resets: number
): Promise<{ payments: Payment[]; counts: Map<string, number>; confirmed: Set<string> }> {
  head = await startClientHead({ deposit: 0n, node: { timings: { snapshotIntervalMs: 50, invalidRetryMs: 20 } } })
  const random = randomSource(`two clients ${outputs} ${resets}`)
  const clients = [await head.client(0, { reconnectInterval: 20 }), await head.client(0, { reconnectInterval: 20 })]
  const [first] = clients as [HeadClient]
  await first.deposit({ amount: 2_000n * ADA })
  const own = head.wallets[0]!.getAddressBech32()
  const bob = head.wallets[1]!.getAddressBech32()
  if (outputs > 1)
    await first.payMany({
      payments: Array.from({ length: outputs - 1 }, () => ({ to: own, amount: 2_000n * (ADA / BigInt(outputs)) }))
    })
  const payments: Payment[] = []
  let next = 0
  const payOne = async (client: HeadClient): Promise<void> => {
    const datum = `1a${(++next + 0x10000).toString(16).padStart(8, '0')}`
    const mark = markOf(bob, 2n * ADA, datum)
    const afterMs = random.below(40)
    if (random.below(1_000) < resets * 1_000) setTimeout(() => head.node.dropConnections(), afterMs)
    payments.push(
      await client.pay({ to: bob, amount: 2n * ADA, datum, timeout: 30_000 }).then(
        ({ txId }) => ({ mark, txId, outcome: 'paid' }),
        (error: { code: string; reason?: string }) => ({ mark, outcome: `${error.code} ${error.reason ?? ''}` })
      )
    )
  }
  const worker = async (client: HeadClient): Promise<void> => {
    for (let count = 0; count < PAYMENTS / AT_ONCE; count++) await payOne(client)
  }
  await Promise.all(clients.flatMap((client) => Array.from({ length: AT_ONCE }, () => worker(client))))
  const record = await readRecord(head.node.url)
  const counts = new Map<string, number>()
  for (const { paid } of record.confirmed.values())
    for (const [mark, count] of paid) counts.set(mark, (counts.get(mark) ?? 0) + count)
  return { payments, counts, confirmed: new Set(record.confirmed.keys()) }
}

it.each([
  ['98 %', 20, 'calm', 0, 0.98],
  ['98 %', 1, 'calm', 0, 0.98],
  ['90 %', 20, '12 % of them reset every connection', 0.12, 0.9]
])(
  'pays %s of the payments of two clients of a wallet with %i outputs while %s, none twice and none falsely told',
  async (_share, outputs, _while, resets, least) => {
    const { payments, counts, confirmed } = await payFromTwoClients(outputs, resets)
    const paid = payments.filter(({ outcome }) => outcome === 'paid')
    const outcomes: Record<string, number> = {}
    for (const { outcome } of payments) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    expect(payments.filter(({ mark }) => (counts.get(mark) ?? 0) > 1)).toEqual([])
    expect(paid.filter(({ txId, mark }) => !confirmed.has(txId!) || counts.get(mark) !== 1)).toEqual([])
    expect(payments.filter(({ outcome, mark }) => outcome.startsWith('CLIENT_LEDGER') && counts.has(mark))).toEqual([])
    expect({ outcomes, isEnough: paid.length / payments.length >= least }).toEqual({ outcomes, isEnough: true })
  },
  120_000
)
