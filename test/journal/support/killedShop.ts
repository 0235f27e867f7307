import type { HeadClient } from '../../../src/client/index.js'
import { isLayerError } from '../../../src/errors/base.js'
import { ADA, startClientHead } from '../../client/support.js'
import type { ClientHead } from '../../client/support.js'
import type { randomSource } from '../../support/random.js'
import type { Shop } from './Shop'
import type { ShopSettings } from './shopProgram'

/** Steps at which the shop kills itself. */
export const STEPS = [
  'connected',
  'built',
  'signed',
  'before sending',
  'before the journal',
  'after the journal',
  'submitted',
  'at the node: submitted',
  'at the node: valid',
  'valid',
  'confirmed'
] as const
/** A kill from outside, at a random moment. */
export const AT_RANDOM = 'at random'

/** Amount of the first payment of a neighbour: above those of all orders. */
const FIRST_OF_NEIGHBOURS = 2n * ADA

/** Payments of the shop at once beside neighbours: all of a chain fail when one of them spends its first input. */
const AT_ONCE_BESIDE = 10
/** Outputs of a wallet that has neighbours. */
const OUTPUTS = 40
/** Pause of a neighbour after a payment. */
const PAUSE_MS = 250
/** Starts of a shop beside neighbours. */
const MAX_STARTS = 50

/** Moment of a kill. */
export type KillMoment = (typeof STEPS)[number] | typeof AT_RANDOM

/** A run of the shop. */
export interface KilledShopOptions {
  /** Path of a file, or URL of a Redis. */
  readonly journal: string
  readonly orders: number
  readonly random: ReturnType<typeof randomSource>
  /** Moment of the first kill. */
  readonly first: KillMoment
  /** Clients of the same wallet without a journal, which pay all the while. @default 0 */
  readonly neighbours?: number
}

/** What has been paid in the end. */
export interface KilledShopResult {
  /** How often each order was paid. */
  readonly paid: readonly number[]
  /** Moments at which the shop was killed. A second kill may come too late: fewer orders are left then. */
  readonly killedAt: readonly KillMoment[]
  /** Payments of neighbours that were made more or less often than their clients were told. */
  readonly untrue: readonly string[]
  /** Payments of neighbours that were confirmed to them. */
  readonly beside: number
  /** Failures of payments of the shop, each of which was followed by another start. */
  readonly refused: number
}

/** A payment of a neighbour: `unknown` may have been made, once. */
interface NeighbourPayment {
  readonly amount: bigint
  readonly outcome: 'paid' | 'not paid' | 'unknown'
}

/** Has a shop killed once or twice, then lets it pay to its end. */
export async function runKilledShop(shop: Shop, options: KilledShopOptions): Promise<KilledShopResult> {
  const { journal, orders, random, first, neighbours = 0 } = options
  const head = await startClientHead({ node: { timings: { snapshotIntervalMs: 20 } }, deposit: 8_000n * ADA })
  const over = new AbortController()
  try {
    const [alice, bob] = head.node.keys
    if (neighbours > 0) await split(head)
    const beside = await payBeside(head, neighbours, over.signal)
    const atOnce = neighbours === 0 ? orders : AT_ONCE_BESIDE
    const settings = { url: head.node.url, skey: alice!.skey, to: bob!.address, orders, atOnce, journal }
    let refused = 0
    // A shop of the wallet that others spend too may fail: its owner starts it again.
    const run = async (kill: ShopSettings['kill'], afterMs: number | null): Promise<string> => {
      for (;;) {
        const { child, end, errors } = shop.run({ ...settings, kill })
        if (afterMs !== null) setTimeout(() => child.kill('SIGKILL'), afterMs)
        const ended = await end
        if (ended !== 'refused') return ended
        if (neighbours === 0 || ++refused > MAX_STARTS) throw new Error(`A payment failed: ${errors()}`)
      }
    }
    const moments: readonly KillMoment[] =
      random.below(2) === 0 ? [first] : [first, STEPS[random.below(STEPS.length + 3)] ?? AT_RANDOM]
    const killedAt: KillMoment[] = []
    for (const moment of moments) {
      const at = 1 + (moment === 'connected' ? 0 : random.below(orders))
      const afterMs = moment === AT_RANDOM ? 200 + random.below(1_000) : null
      const ended = await run(afterMs === null ? { step: moment, at } : null, afterMs)
      if (ended === 'killed') killedAt.push(moment)
    }
    const last = await run(null, null)
    if (last !== 'paid') throw new Error(`The shop was ${last}.`)
    over.abort()
    const payments = await beside.ended
    const amounts = new Map<bigint, number>()
    const watcher = await head.client(1)
    for (const { output } of watcher.getUtxos() ?? []) {
      const amount = BigInt(output.amount[0]!.quantity)
      amounts.set(amount, (amounts.get(amount) ?? 0) + 1)
    }
    const count = (amount: bigint): number => amounts.get(amount) ?? 0
    return {
      paid: Array.from({ length: orders }, (_, order) => count(ADA + BigInt(order))),
      killedAt,
      untrue: payments
        .filter(({ amount, outcome }) =>
          outcome === 'unknown' ? count(amount) > 1 : count(amount) !== (outcome === 'paid' ? 1 : 0)
        )
        .map(({ amount, outcome }) => `${amount}: ${outcome}, and made ${count(amount)} times`),
      beside: payments.filter(({ outcome }) => outcome === 'paid').length,
      refused
    }
  } finally {
    over.abort()
    await head.stop()
  }
}

/** Splits the wallet's money, so that clients that do not know of one another seldom choose the same output. */
async function split(head: ClientHead): Promise<void> {
  const to = head.wallets[0]!.getAddressBech32()
  const client = await head.client(0)
  await client.payMany({ payments: Array.from({ length: OUTPUTS - 1 }, () => ({ to, amount: 200n * ADA })) })
}

/** Connects clients of the shop's wallet, each of which pays one payment after the other until the signal. */
async function payBeside(
  head: ClientHead,
  count: number,
  signal: AbortSignal
): Promise<{ readonly ended: Promise<readonly NeighbourPayment[]> }> {
  const to = head.wallets[1]!.getAddressBech32()
  const payments: NeighbourPayment[] = []
  let next = FIRST_OF_NEIGHBOURS
  const payOn = async (client: HeadClient): Promise<void> => {
    while (!signal.aborted) {
      const amount = next++
      const outcome = await client.pay({ to, amount, timeout: 60_000 }).then(
        () => 'paid' as const,
        (error: unknown) => {
          if (isLayerError(error, 'CLIENT_OUTCOME_UNKNOWN')) return 'unknown' as const
          if (isLayerError(error, 'CLIENT_LEDGER')) return 'not paid' as const
          throw error
        }
      )
      payments.push({ amount, outcome })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  const clients = await Promise.all(Array.from({ length: count }, () => head.client(0)))
  const ended = Promise.all(clients.map(payOn)).then(() => payments)
  ended.catch(() => undefined)
  return { ended }
}
