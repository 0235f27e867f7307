import { isLayerError } from '../../errors/base.js'
import type { JournalEntry, JournalPart } from '../../types/journal.js'
import type { BeforeSend } from '../beforeSend.js'
import { keepers } from '../keepTx.js'
import type { ClientContext } from '../ClientContext.js'
import type { CostLimits } from '../costs.js'
import type { Deadline } from '../deadline.js'
import type { EntryRecord } from '../EntryRecord.js'
import type { FollowOptions } from '../followTx.js'
import { MAX_BATCH } from '../limits.js'
import type { PlannedPayment } from '../paymentPlan.js'
import { assertReceiverNetwork, paymentPlan } from '../paymentPlan.js'
import type { Report } from '../progress.js'
import type { ReservationPlan } from '../reserveTxs.js'
import { reserveFirst } from '../reserveTxs.js'
import type { CompleteOptions, PaymentStart } from '../sendTx.js'
import { completeTx } from '../sendTx.js'
import type { PayArgs, TxResult } from '../types.js'
import { startOf } from './adoptTx.js'

/** Payments to be made. */
export interface PaymentsRequest {
  readonly action: 'pay' | 'payMany'
  readonly outputs: readonly PlannedPayment[]
  readonly metadata: PayArgs['metadata']
  readonly costs: CostLimits
}

/** Options of {@link makePayments}. */
export interface PaymentsOptions extends FollowOptions {
  readonly onBeforeSend?: BeforeSend | undefined
}

/** Number of outputs that is tried first in one transaction: about as many as 16 KB hold. */
const MOST_OUTPUTS = 200
/** Share of its outputs with which a transaction that is too large is tried again. */
const SHRINK = 0.85

const chunksOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

/**
 * Makes payments, as many in a transaction as fit, and continues those that the record has begun.
 *
 * @returns one result per payment, in their order
 */
export async function makePayments(
  context: ClientContext,
  { action, outputs, metadata, costs }: PaymentsRequest,
  { record, options, report }: { record: EntryRecord | null; options: PaymentsOptions; report: Report },
  deadline: Deadline
): Promise<TxResult[]> {
  const wallet = context.account.walletFor(action)
  await context.connection.ready(action, deadline)
  const parameters = await deadline.race(context.ledger.loadParameters(), "the head's protocol parameters")
  const addresses = await deadline.race(context.account.load(wallet), "the wallet's addresses")
  context.account.assertHeadNetwork(addresses)
  for (const { to } of outputs) assertReceiverNetwork(to, addresses[0]!)
  const planOf = (part: readonly PlannedPayment[]): ReservationPlan => ({
    ...paymentPlan(action, { wallet, addresses, parameters, payments: part, costs, metadata }),
    onReserved: (ownTx) => record?.onReserved(ownTx)
  })
  const optionsOf = (index: number): CompleteOptions => ({
    ...options,
    keep: keepers(
      record?.id,
      [options.onBeforeSend, context.settings.onBeforeSend],
      record === null ? null : (ownTx, signed, attempts) => record.beforeSend(index, ownTx, signed, attempts)
    )
  })
  const complete = (index: number, plan: ReservationPlan, start: PaymentStart): Promise<TxResult> =>
    completeTx(context, plan, start, optionsOf(index), deadline, report)

  const goOn = async (index: number, part: readonly PlannedPayment[]): Promise<TxResult> => {
    const { end, txs } = record!.entry.parts[index]!
    if (end !== null) return resultOfPart({ end, txs, count: 1 })
    const plan = planOf(part)
    const start = txs.length > 0 ? await deadline.race(startOf(context, record!, index), "the head's state") : null
    return complete(index, plan, start ?? { own: (await reserveFirst(context, [plan], deadline))[0]! })
  }
  const results: TxResult[] = []
  const begun = record?.entry.parts ?? []
  let at = 0
  const parts = begun.map(({ count }) => outputs.slice(at, (at += count)))
  const before = await all(
    parts.map((part, index) => goOn(index, part)),
    deadline
  )
  results.push(...before.flatMap((result, index) => parts[index]!.map(() => result)))
  let perTx = Math.min(MOST_OUTPUTS, outputs.length)
  while (results.length < outputs.length) {
    const chunks = chunksOf(outputs.slice(results.length, results.length + perTx * MAX_BATCH), perTx)
    const first = record?.entry.parts.length ?? 0
    const plans = chunks.map(planOf)
    const reserved = await reserveFirst(context, plans, deadline).catch((error: unknown) => {
      // Building comes before sending: these parts can be made smaller.
      if (!(isLayerError(error, 'TX_TOO_LARGE') || isLayerError(error, 'CLIENT_WALLET_FRAGMENTED')) || perTx === 1)
        throw error
      return null
    })
    if (reserved === null) {
      perTx = Math.max(1, Math.floor(perTx * SHRINK))
      continue
    }
    record?.addParts(chunks.map(({ length }) => length))
    const sent = await all(
      plans.map((plan, index) => complete(first + index, plan, { own: reserved[index]! })),
      deadline
    )
    results.push(...sent.flatMap((result, index) => chunks[index]!.map(() => result)))
  }
  return results
}

/** Resolves with all results; after the first failure no further transaction is sent. */
function all(sending: readonly Promise<TxResult>[], deadline: Deadline): Promise<TxResult[]> {
  return Promise.all(sending).catch((error: unknown) => {
    // Transactions that were not sent yet are abandoned: no payment is made after the call has failed.
    deadline.stop(error)
    throw error
  })
}

/** Returns the result of a part (transaction): its confirmation, or else its newest attempt. */
function resultOfPart({ end, txs }: JournalPart): TxResult {
  if (end !== null) {
    const { txId, snapshotNumber, exact, verified, fee } = end
    return { txId, snapshotNumber, exact, verified, fee: BigInt(fee) }
  }
  const last = txs.at(-1)
  return { txId: last?.txId ?? '', fee: BigInt(last?.fee ?? 0) }
}

/** Returns one result for each payment of an entry, in their order. */
export function resultsOf({ parts }: JournalEntry): TxResult[] {
  return parts.flatMap((part) => Array.from({ length: part.count }, () => resultOfPart(part)))
}
