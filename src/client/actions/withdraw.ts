import { parseAddress } from '../../codec/address.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { PaymentAmount } from '../../tx/inner.js'
import type { JournalEntry } from '../../types/journal.js'
import type { UTxO } from '../../types/utxo.js'
import { assertAmount } from '../amounts.js'
import { assertOnceOptions } from '../keepTx.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { costLimits } from '../costs.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_WITHDRAW_TIMEOUT_MS } from '../limits.js'
import { doOnce } from '../once/doOnce.js'
import { makeWithdrawal } from '../once/makeWithdrawal.js'
import { refOf } from '../PendingView.js'
import { progressOf } from '../progress.js'
import type { WithdrawArgs, WithdrawResult } from '../types.js'

const ARGS: OptionNames<WithdrawArgs> = {
  amount: true,
  utxos: true,
  all: true,
  force: true,
  to: true,
  maxFee: true,
  maxMinLovelace: true,
  id: true,
  onBeforeSend: true,
  onProgress: true,
  timeout: true,
  signal: true
}

/**
 * Withdraws money from an open head to the base ledger. A decommit moves whole outputs, so an amount is split off
 * inside the head first: exactly that amount leaves. A head has one decommit in flight: withdrawals of one client
 * queue, and one that meets another client's is sent again after it. After each, the next one waits for the client's
 * option `withdrawPause`, or until the nodes of `peerUrls` have seen it too. One output that can be collateral for
 * scripts stays, unless `all` is true. A decommit that the base ledger would refuse (`checkDecommit` of
 * `layer-sdk/doctor`) is not sent, unless `force` is true.
 *
 * @throws {@link InsufficientFundsError}, {@link LastCollateralError}, {@link LedgerError}, {@link HeadStateError},
 * {@link WithdrawBlockedError}; {@link CommandRefusedError} with the node's reason
 * @throws {@link OutcomeUnknownError} when the decommit was sent and the wait ended before it was final
 * @example
 * ```ts no-run
 * await head.withdraw({ amount: 5_000_000n })
 * await head.withdraw({ all: true }) // all that the wallet has in the head
 * ```
 */
export async function withdraw(head: HeadContext, args: WithdrawArgs): Promise<WithdrawResult> {
  const context = contextParts(head)
  context.account.walletFor('withdraw')
  const options = readOptions(args, ARGS, 'args')
  const { amount, utxos, all, force, receiver } = assertWithdrawal(options)
  assertOnceOptions(options)
  const costs = costLimits(options, context.settings.costs)
  const { report, end } = progressOf(context, 'withdraw', options.onProgress)
  const key = { amount: toJson(amount), utxos: utxos?.map(refOf) ?? null, all, to: receiver ?? null, force }
  return withDeadline('withdraw', options, DEFAULT_WITHDRAW_TIMEOUT_MS, (deadline) => {
    const read = ({ result }: JournalEntry): WithdrawResult => result as WithdrawResult
    const once = { id: options.id, action: 'withdraw', key, args: key, deadline, read } as const
    const withdrawalArgs = { amount, utxos, all, force, receiver, costs, onBeforeSend: options.onBeforeSend }
    return doOnce(context, once, (record) => makeWithdrawal(context, withdrawalArgs, { record, report }, deadline))
  }).finally(end)
}

const toJson = (amount: PaymentAmount | undefined): unknown =>
  typeof amount === 'bigint' ? String(amount) : (amount ?? null)

/** Checks the arguments of {@link withdraw}. @throws {@link InvalidArgumentError}, {@link InvalidAddressError} */
function assertWithdrawal(args: WithdrawArgs): {
  amount: PaymentAmount | undefined
  utxos: readonly UTxO[] | undefined
  all: boolean
  force: boolean
  receiver: string | undefined
} {
  const { amount, utxos, all = false, force = false, to: receiver } = args
  if (typeof all !== 'boolean') throw new InvalidArgumentError('all', 'true or false', all)
  if (typeof force !== 'boolean') throw new InvalidArgumentError('force', 'true or false', force)
  const ways = [amount !== undefined, utxos !== undefined].filter(Boolean).length
  if (ways > 1 || (ways === 0 && !all))
    throw new InvalidArgumentError(
      'args',
      'exactly one of amount and utxos, or all: true',
      ways === 0 ? described('neither') : described('both')
    )
  if (utxos !== undefined && (!Array.isArray(utxos) || utxos.length === 0))
    throw new InvalidArgumentError('utxos', 'at least one output of the head', utxos)
  if (receiver !== undefined) parseAddress(receiver)
  return {
    amount: amount === undefined ? undefined : assertAmount(amount),
    utxos: utxos === undefined ? undefined : [...utxos],
    all,
    force,
    receiver
  }
}
