import { parseAddress } from '../../codec/address.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { isLayerError } from '../../errors/base.js'
import { OutcomeUnknownError } from '../../errors/client.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { BuiltTransaction, PaymentAmount } from '../../tx/inner.js'
import type { UTxO } from '../../types/utxo.js'
import { assertAmount } from '../amounts.js'
import type { ClientContext } from '../ClientContext.js'
import { costLimits } from '../costs.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { assertPostable } from '../flows/assertPostable.js'
import { watchDecommit } from '../flows/watchDecommit.js'
import { holdAll, splitOff, sweep } from '../flows/withdrawal.js'
import type { WithdrawReport, Withdrawal } from '../flows/withdrawal.js'
import { DEFAULT_WITHDRAW_TIMEOUT_MS } from '../limits.js'
import { assertReceiverNetwork } from '../paymentPlan.js'
import { refOf } from '../PendingView.js'
import { progressOf } from '../progress.js'
import { signWith } from '../signWith.js'
import type { WithdrawArgs, WithdrawResult } from '../types.js'
import { untilVerified } from '../verified.js'

const ARGS: OptionNames<WithdrawArgs> = {
  amount: true,
  utxos: true,
  all: true,
  force: true,
  to: true,
  maxFee: true,
  maxMinLovelace: true,
  onProgress: true,
  timeout: true,
  signal: true
}

let counter = 0

/**
 * Withdraws money from an open head to the base ledger. All outputs of a decommit leave, so an amount is split off
 * inside the head first: exactly so much leaves. A head has one decommit in flight: withdrawals of one client queue,
 * and one that meets another client's is sent again after it. After each, the next one waits for the client's option
 * `withdrawPause`. One output that can be collateral for scripts stays, unless `all` is true. A decommit that the base
 * ledger would refuse (`checkDecommit` of `layer-sdk/doctor`) is not sent, unless `force` is true.
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
export async function withdraw(context: ClientContext, args: WithdrawArgs): Promise<WithdrawResult> {
  const wallet = context.account.walletFor('withdraw')
  const options = readOptions(args, ARGS, 'args')
  const { taken, given, all, force, receiver } = assertWithdrawal(options)
  const costs = costLimits(options, context.settings.costs)
  const { report, end } = progressOf(context, 'withdraw', options.onProgress)
  const label = `withdraw ${++counter}`
  let unknownUntil: number | null = null
  return withDeadline('withdraw', options, DEFAULT_WITHDRAW_TIMEOUT_MS, async (deadline) => {
    await context.connection.ready('withdraw', deadline)
    const parameters = await deadline.race(context.ledger.loadParameters(), "the head's protocol parameters")
    const addresses = await deadline.race(context.account.load(wallet), "the wallet's addresses")
    context.account.assertHeadNetwork(addresses)
    const to = receiver ?? addresses[0]!
    assertReceiverNetwork(to, addresses[0]!)
    const withdrawal: Withdrawal = { context, wallet, addresses, parameters, to, all, costs, label }
    const leaving =
      taken === undefined ? holdAll(withdrawal, given) : [await splitOff(withdrawal, taken, deadline, report)]
    const endTurn = await context.ledger.withdrawals.begin(deadline)
    try {
      await context.ledger.withdrawals.untilFree(deadline)
      return await takeOut(withdrawal, leaving, { deadline, report, force })
    } catch (error) {
      // It expires like a payment.
      if (error instanceof OutcomeUnknownError) unknownUntil = Date.now() + 2 * context.settings.expiresInMs
      throw error
    } finally {
      endTurn()
    }
  }).finally(() => {
    end()
    // While it is not known whether they leave, they are not paid with.
    if (unknownUntil === null) context.view.release(label)
    else context.view.releaseAt(label, unknownUntil)
    context.changes.announce()
  })
}

/** @throws {@link InvalidArgumentError}, {@link InvalidAddressError} */
function assertWithdrawal(args: WithdrawArgs): {
  taken: PaymentAmount | undefined
  given: readonly UTxO[] | undefined
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
      ways === 0 ? 'neither' : 'both'
    )
  if (utxos !== undefined && (!Array.isArray(utxos) || utxos.length === 0))
    throw new InvalidArgumentError('utxos', 'at least one output of the head', utxos)
  if (receiver !== undefined) parseAddress(receiver)
  return {
    taken: amount === undefined ? undefined : assertAmount(amount),
    given: utxos === undefined ? undefined : [...utxos],
    all,
    force,
    receiver
  }
}

/** Sends the decommit, and again after another client's that was in flight. */
async function takeOut(
  withdrawal: Withdrawal,
  leaving: readonly UTxO[],
  { deadline, report, force }: { deadline: Deadline; report: WithdrawReport; force: boolean }
): Promise<WithdrawResult> {
  const { context, wallet } = withdrawal
  for (;;) {
    const built = sweep(withdrawal, leaving)
    const resignAt = Date.now() + context.settings.expiresInMs / 2
    if (!force) await assertPostable(context, built, deadline)
    report('built', built.txId, built.fee)
    deadline.throwIfOver()
    const signed = await deadline.race(signWith(wallet, built.txId, built.cborHex, false), "the wallet's signature")
    report('signed', built.txId)
    deadline.throwIfOver()
    // One signature serves again as long as its bound is far.
    do {
      const result = await decommit(withdrawal, built, signed, deadline, report)
      if (result !== 'busy') return result
      await context.ledger.withdrawals.untilFinal(deadline)
      if (leaving.some((utxo) => context.bridge.isUnspent(refOf(utxo)) === false))
        throw new OutcomeUnknownError(
          built.txId,
          null,
          'its inputs are spent, and it was refused while another decommit was in flight'
        )
    } while (Date.now() < resignAt)
  }
}

/**
 * @returns 'busy' when the head refused it for another decommit in flight: no output leaves, and it can be sent again
 */
async function decommit(
  { context }: Withdrawal,
  built: BuiltTransaction,
  signed: string,
  deadline: Deadline,
  report: WithdrawReport
): Promise<WithdrawResult | 'busy'> {
  const watch = watchDecommit(context, built)
  const over = new AbortController()
  const approval = context.bridge.commands.decommit({
    cborHex: signed,
    txId: built.txId,
    timeout: Infinity,
    signal: over.signal
  })
  approval.then(watch.onApproved, watch.onRefused)
  report('submitted', built.txId)
  try {
    await deadline.race(watch.approved, 'the approval of all parties')
    report('approved', built.txId)
    const utxo = await deadline.race(watch.final, 'the base ledger')
    const hasLeft = (): boolean => built.inputs.every((input) => context.bridge.isUnspent(refOf(input)) === false)
    const verified = await untilVerified(context, hasLeft, deadline, 'the verified snapshot that holds it no more')
    report('confirmed', built.txId)
    return { decommitTxId: built.txId, utxo, verified }
  } catch (error) {
    if (watch.isBusy() && !watch.isApproved()) return 'busy'
    if (isVerdict(error)) throw error
    const hint = watch.isApproved()
      ? 'approved, but not seen on the base ledger yet'
      : 'not approved yet; a node that noted it during a snapshot needs another transaction in the head'
    throw new OutcomeUnknownError(built.txId, null, hint, error)
  } finally {
    watch.stop()
    over.abort()
  }
}

/**
 * Returns true when it was refused, never sent, or found unknown; any other error ended the wait alone.
 */
function isVerdict(error: unknown): boolean {
  return ['BRIDGE_COMMAND_REFUSED', 'BRIDGE_NOT_CONNECTED', 'CLIENT_LEDGER', 'CLIENT_OUTCOME_UNKNOWN'].some((code) =>
    isLayerError(error, code as never)
  )
}
