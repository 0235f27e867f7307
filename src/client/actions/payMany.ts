import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { costLimits } from '../costs.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import { progressOf } from '../progress.js'
import { assertSendOptions } from '../sendTx.js'
import type { PayManyArgs, TxResult } from '../types.js'
import { doOnce } from '../once/doOnce.js'
import { makePayments, resultsOf } from '../once/payments.js'
import type { PaymentsRequest } from '../once/payments.js'
import { storedPayments } from '../once/storedPayments.js'
import { assertPayment, SEND_OPTIONS } from '../paymentPlan.js'

const ARGS: OptionNames<PayManyArgs> = { ...SEND_OPTIONS, id: true, payments: true }

/**
 * Makes many payments: as many outputs in a transaction as its size allows, the transactions chained. All of them are
 * built and reserved before the first is signed (40 at a time), so that insufficient funds are reported before a
 * transaction is sent. With an `id` the list is paid once, also when it was paid in part before a restart.
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
  context.account.walletFor('payMany')
  const checkedArgs = readOptions(args, ARGS, 'args')
  const { payments } = checkedArgs
  if (!Array.isArray(payments) || payments.length === 0)
    throw new InvalidArgumentError('payments', 'a list of { to, amount }', payments)
  const outputs = payments.map((payment) => assertPayment(payment))
  assertSendOptions(checkedArgs)
  const costs = costLimits(checkedArgs, context.settings.costs)
  const { report, end } = progressOf(context, 'payMany', checkedArgs.onProgress)
  const request: PaymentsRequest = { action: 'payMany', outputs, metadata: undefined, costs }
  const stored = checkedArgs.id === undefined ? null : storedPayments(request)
  return withDeadline('payMany', checkedArgs, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    const once = {
      id: checkedArgs.id,
      action: 'payMany',
      key: stored,
      args: stored,
      deadline,
      read: resultsOf
    } as const
    return doOnce(context, once, (record) =>
      makePayments(context, request, { record, options: checkedArgs, report }, deadline)
    )
  }).finally(end)
}
