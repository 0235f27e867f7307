import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { costLimits } from '../costs.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import { assertReceiverNetwork, assertPayment, PAYMENT, paymentPlan, SEND_OPTIONS } from '../paymentPlan.js'
import { progressOf } from '../progress.js'
import { reserveFirst } from '../reserveTxs.js'
import { assertSendOptions, completeTx } from '../sendTx.js'
import type { PayArgs, TxResult } from '../types.js'

const ARGS: OptionNames<PayArgs> = { ...SEND_OPTIONS, ...PAYMENT, metadata: true }

/**
 * Pays from the wallet's outputs in the head, unconfirmed change of earlier payments included: parallel calls never
 * share an input.
 *
 * @throws {@link InsufficientFundsError} naming the available and the missing amounts; {@link LedgerError} when the
 * head's ledger refuses it.
 * @throws {@link CostLimitError} when the fee, or the least lovelace of an amount without any, is above `maxFee` or
 * `maxMinLovelace`.
 * @throws {@link OutcomeUnknownError} when it was sent and its outcome is not known yet.
 * @throws {@link WalletMissingError}, {@link HeadStateError}, {@link NodeUnsyncedError}, {@link NotConnectedError},
 * {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * import { ada } from 'layer-sdk/utils'
 * const { txId, snapshotNumber } = await head.pay({ to: 'addr_test1...', amount: ada('2') })
 * ```
 */
export async function pay(head: HeadContext, args: PayArgs): Promise<TxResult> {
  const context = contextParts(head)
  const wallet = context.account.walletFor('pay')
  const given = readOptions(args, ARGS, 'args')
  const payment = assertPayment({
    to: given.to,
    amount: given.amount,
    ...(given.datum === undefined ? {} : { datum: given.datum })
  })
  const metadata = assertMetadata(given.metadata)
  assertSendOptions(given)
  const costs = costLimits(given, context.settings.costs)
  const { report, end } = progressOf(context, 'pay', given.onProgress)
  return withDeadline('pay', given, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    await context.connection.ready('pay', deadline)
    const parameters = await deadline.race(context.ledger.loadParameters(), "the head's protocol parameters")
    const addresses = await deadline.race(context.account.load(wallet), "the wallet's addresses")
    context.account.assertHeadNetwork(addresses)
    assertReceiverNetwork(payment.to, addresses[0]!)
    const plan = paymentPlan('pay', { wallet, addresses, parameters, payments: [payment], costs, metadata })
    const [own] = await reserveFirst(context, [plan], deadline)
    return completeTx(context, plan, own!, given, deadline, report)
  }).finally(end)
}

// The caller may change the object while the payment is built.
function assertMetadata(metadata: PayArgs['metadata']): PayArgs['metadata'] {
  if (metadata == null) return undefined
  if (typeof metadata !== 'object')
    throw new InvalidArgumentError('metadata', 'an object of metadata by label', metadata)
  return { ...metadata }
}
