import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { isLayerError } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { costLimits } from '../costs.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_TX_TIMEOUT_MS, MAX_BATCH } from '../limits.js'
import { progressOf } from '../progress.js'
import type { ReservationPlan } from '../reserveTxs.js'
import { reserveFirst } from '../reserveTxs.js'
import { assertSendOptions, completeTx } from '../sendTx.js'
import type { PayManyArgs, TxResult } from '../types.js'
import { assertReceiverNetwork, assertPayment, paymentPlan, SEND_OPTIONS } from '../paymentPlan.js'
import type { PlannedPayment } from '../paymentPlan.js'

const ARGS: OptionNames<PayManyArgs> = { ...SEND_OPTIONS, payments: true }

/** Outputs that are tried in one transaction: about as many as 16 KB hold. */
const MOST_OUTPUTS = 200
/** Share of the outputs with which a transaction that is too large is tried again. */
const SHRINK = 0.85

const chunksOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

/**
 * Makes many payments: as many outputs in a transaction as its size allows, the transactions chained. All of them are
 * built and reserved before the first is signed (40 at a time), so that insufficient funds are reported before a
 * transaction is sent.
 *
 * @returns one result per payment, in their order; payments of one transaction share its id.
 * @throws {@link InvalidArgumentError}, and the errors of {@link pay}: the first failure. Transactions that were sent
 * before it go on (`onProgress` names each when it is submitted, `onSettled` reports how it ends); no further one is
 * sent.
 * @example
 * ```ts no-run
 * const results = await head.payMany({ payments: [{ to: alice, amount: 1_000_000n }, { to: bob, amount: 2_000_000n }] })
 * ```
 */
export async function payMany(head: HeadContext, args: PayManyArgs): Promise<TxResult[]> {
  const context = contextParts(head)
  const wallet = context.account.walletFor('payMany')
  const given = readOptions(args, ARGS, 'args')
  const { payments } = given
  if (!Array.isArray(payments) || payments.length === 0)
    throw new InvalidArgumentError('payments', 'a list of { to, amount }', payments)
  const outputs = payments.map((payment) => assertPayment(payment))
  assertSendOptions(given)
  const costs = costLimits(given, context.settings.costs)
  const { report, end } = progressOf(context, 'payMany', given.onProgress)
  return withDeadline('payMany', given, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    await context.connection.ready('payMany', deadline)
    const parameters = await deadline.race(context.ledger.loadParameters(), "the head's protocol parameters")
    const addresses = await deadline.race(context.account.load(wallet), "the wallet's addresses")
    context.account.assertHeadNetwork(addresses)
    for (const { to } of outputs) assertReceiverNetwork(to, addresses[0]!)
    const planOf = (part: readonly PlannedPayment[]): ReservationPlan =>
      paymentPlan('payMany', { wallet, addresses, parameters, payments: part, costs })
    let perTx = Math.min(MOST_OUTPUTS, outputs.length)
    const results: TxResult[] = []
    while (results.length < outputs.length) {
      const parts = chunksOf(outputs.slice(results.length, results.length + perTx * MAX_BATCH), perTx)
      const plans = parts.map(planOf)
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
      const sent = await Promise.all(
        plans.map((plan, index) => completeTx(context, plan, reserved[index]!, given, deadline, report))
      ).catch((error: unknown) => {
        // Transactions that were not sent yet are abandoned: no payment is made after the call has failed.
        deadline.stop(error)
        throw error
      })
      results.push(...sent.flatMap((result, index) => parts[index]!.map(() => result)))
    }
    return results
  }).finally(end)
}
