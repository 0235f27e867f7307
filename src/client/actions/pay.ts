import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { costLimits } from '../costs.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import { doOnce } from '../once/doOnce.js'
import { makePayments, resultsOf } from '../once/payments.js'
import type { PaymentsRequest } from '../once/payments.js'
import { storedPayments } from '../once/storedPayments.js'
import { assertPayment, PAYMENT, SEND_OPTIONS } from '../paymentPlan.js'
import { progressOf } from '../progress.js'
import { assertSendOptions } from '../sendTx.js'
import type { PayArgs, TxResult } from '../types.js'

const ARGS: OptionNames<PayArgs> = { ...SEND_OPTIONS, ...PAYMENT, id: true, metadata: true }

/**
 * Pays from the wallet's outputs in the head, unconfirmed change of earlier payments included: parallel calls never
 * share an input. With an `id` it is paid once, however often it is called; with the client's option `journal` also
 * after a restart.
 *
 * @throws {@link IdReusedError} when the id was used for a different payment; {@link JournalAccessError} when the
 * journal cannot store it; no transaction was sent then.
 * @throws {@link InsufficientFundsError} naming the available and the missing amounts; {@link LedgerError} when the
 * head's ledger refuses it.
 * @throws {@link CostLimitError} when the fee, or the lovelace that is added to an amount without any, is above
 * `maxFee` or `maxMinLovelace`.
 * @throws {@link OutcomeUnknownError} when it was sent and its outcome is not known yet.
 * @throws {@link WalletMissingError}, {@link HeadStateError}, {@link NodeUnsyncedError}, {@link NotConnectedError},
 * {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * import { ada } from 'layer-sdk/utils'
 * const { txId, snapshotNumber } = await head.pay({ id: 'order-17', to: 'addr_test1...', amount: ada('2') })
 * ```
 */
export async function pay(head: HeadContext, args: PayArgs): Promise<TxResult> {
  const context = contextParts(head)
  context.account.walletFor('pay')
  const checkedArgs = readOptions(args, ARGS, 'args')
  const payment = assertPayment({
    to: checkedArgs.to,
    amount: checkedArgs.amount,
    ...(checkedArgs.datum === undefined ? {} : { datum: checkedArgs.datum })
  })
  const metadata = assertMetadata(checkedArgs.metadata)
  assertSendOptions(checkedArgs)
  const costs = costLimits(checkedArgs, context.settings.costs)
  const { report, end } = progressOf(context, 'pay', checkedArgs.onProgress)
  const request: PaymentsRequest = { action: 'pay', outputs: [payment], metadata, costs }
  const stored = checkedArgs.id === undefined ? null : storedPayments(request)
  return withDeadline('pay', checkedArgs, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    const once = { id: checkedArgs.id, action: 'pay', key: stored, args: stored, deadline, read: resultsOf } as const
    const [result] = await doOnce(context, once, (record) =>
      makePayments(context, request, { record, options: checkedArgs, report }, deadline)
    )
    return result!
  }).finally(end)
}

// The caller may change the object while the payment is built.
function assertMetadata(metadata: PayArgs['metadata']): PayArgs['metadata'] {
  if (metadata == null) return undefined
  if (typeof metadata !== 'object')
    throw new InvalidArgumentError('metadata', 'an object of metadata by label', metadata)
  return { ...metadata }
}
