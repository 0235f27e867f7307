import { parseAddress } from '../../codec/address.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { LOVELACE, valueFromAmounts, valueToAmounts } from '../../codec/value.js'
import { isLayerError } from '../../errors/base.js'
import { InputReservedError, LastCollateralError, OutcomeUnknownError } from '../../errors/client.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { InsufficientFundsError } from '../../errors/tx.js'
import type { TxParameters } from '../../tx/parameters.js'
import { TxBuilder } from '../../tx/TxBuilder.js'
import type { BuiltTransaction } from '../../tx/buildTx.js'
import type { PaymentAmount } from '../../tx/TxBuilder.js'
import type { Amount, UTxO } from '../../types/utxo.js'
import type { Wallet } from '../../types/wallet.js'
import { assertAmount } from '../amounts.js'
import type { ClientContext } from '../ClientContext.js'
import { isCollateral, keepingCollateral } from '../collateral.js'
import { assertMinLovelace, costLimits, withinCosts } from '../costs.js'
import type { CostLimits } from '../costs.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_WITHDRAW_TIMEOUT_MS } from '../limits.js'
import { refOf } from '../PendingView.js'
import { progressOf } from '../progress.js'
import type { TxPlan } from '../reserveTxs.js'
import { reserveFirst } from '../reserveTxs.js'
import { fragmentedOf } from '../selection.js'
import { completeTx } from '../sendTx.js'
import { signWith } from '../signWith.js'
import { validityUntil, withValidity } from '../validity.js'
import { watchDecommit } from '../watchDecommit.js'
import type { WithdrawArgs, WithdrawResult, WithdrawState } from '../types.js'
import { assertNetwork, paymentPlan } from './pay.js'

const ARGS: OptionNames<WithdrawArgs> = {
  amount: true,
  utxos: true,
  all: true,
  to: true,
  maxFee: true,
  maxMinLovelace: true,
  onProgress: true,
  timeout: true,
  signal: true
}

interface Withdrawal {
  readonly context: ClientContext
  readonly wallet: Wallet
  readonly addresses: readonly string[]
  readonly parameters: TxParameters
  readonly to: string
  readonly costs: CostLimits
  /** Also the last output that can be collateral. */
  readonly all: boolean
  /** Keeps the outputs that leave from being paid with. */
  readonly label: string
}

/** More than any fee and any least lovelace, for trial builds. */
const ROOM_LOVELACE = 1_000_000_000n
let counter = 0

type Report = (state: WithdrawState, txId?: string, fee?: bigint) => void

/**
 * Takes money out of an open head to the base ledger. All outputs of a decommit leave, so an amount is split off inside
 * the head first: exactly so much leaves. A head has one decommit in flight: withdrawals of one client queue, and one
 * that meets another client's is sent again after it. After each, the next one waits for the client's option
 * `withdrawPause`. One output that can be collateral for scripts stays, unless `all` is true.
 *
 * @throws {@link InsufficientFundsError}, {@link LastCollateralError}, {@link LedgerError}, {@link HeadStateError};
 * {@link CommandRefusedError} with the node's reason
 * @throws {@link OutcomeUnknownError} when the decommit was sent and the wait ended before it was final
 * @example
 * ```ts no-run
 * await head.withdraw({ amount: 5_000_000n })
 * await head.withdraw({ all: true }) // all that the wallet has in the head
 * ```
 */
export async function withdraw(context: ClientContext, args: WithdrawArgs): Promise<WithdrawResult> {
  const wallet = context.walletFor('withdraw')
  const options = readOptions(args, ARGS, 'args')
  const { taken, given, all, receiver } = assertWithdrawal(options)
  const costs = costLimits(options, context.costs)
  const { report, end } = progressOf(context, 'withdraw', options.onProgress)
  const label = `withdraw ${++counter}`
  let unknownUntil: number | null = null
  return withDeadline('withdraw', options, DEFAULT_WITHDRAW_TIMEOUT_MS, async (deadline) => {
    await context.ready('withdraw', deadline)
    const parameters = await deadline.race(context.loadParameters(), "the head's protocol parameters")
    const addresses = await deadline.race(context.loadAddresses(wallet), "the wallet's addresses")
    context.assertHeadNetwork(addresses)
    const to = receiver ?? addresses[0]!
    assertNetwork(to, addresses[0]!)
    const withdrawal: Withdrawal = { context, wallet, addresses, parameters, to, all, costs, label }
    const leaving =
      taken === undefined ? holdAll(withdrawal, given) : [await splitOff(withdrawal, taken, deadline, report)]
    const endTurn = await context.withdrawals.begin(deadline)
    try {
      await context.withdrawals.untilFree(deadline)
      return await takeOut(withdrawal, leaving, deadline, report)
    } catch (error) {
      // It expires like a payment.
      if (error instanceof OutcomeUnknownError) unknownUntil = Date.now() + 2 * context.expiresInMs
      throw error
    } finally {
      endTurn()
    }
  }).finally(() => {
    end()
    // While it is not known whether they leave, they are not paid with.
    if (unknownUntil === null) context.view.release(label)
    else context.view.releaseAt(label, unknownUntil)
    context.changed()
  })
}

/** @throws {@link InvalidArgumentError}, {@link InvalidAddressError} */
function assertWithdrawal(args: WithdrawArgs): {
  taken: PaymentAmount | undefined
  given: readonly UTxO[] | undefined
  all: boolean
  receiver: string | undefined
} {
  const { amount, utxos, all = false, to: receiver } = args
  if (typeof all !== 'boolean') throw new InvalidArgumentError('all', 'true or false', all)
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
    receiver
  }
}

/** Sends the decommit, and again after another client's that was in flight. */
async function takeOut(
  withdrawal: Withdrawal,
  leaving: readonly UTxO[],
  deadline: Deadline,
  report: Report
): Promise<WithdrawResult> {
  const { context, wallet } = withdrawal
  for (;;) {
    const built = sweep(withdrawal, leaving)
    const resignAt = Date.now() + context.expiresInMs / 2
    report('built', built.txId, built.fee)
    deadline.throwIfOver()
    const signed = await deadline.race(signWith(wallet, built.txId, built.cborHex, false), "the wallet's signature")
    report('signed', built.txId)
    deadline.throwIfOver()
    // One signature serves again as long as its bound is far.
    do {
      const result = await decommit(withdrawal, built, signed, deadline, report)
      if (result !== 'busy') return result
      await context.withdrawals.untilFinal(deadline)
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
 * Holds the given outputs back, or all of the wallet's.
 *
 * @throws {@link InputReservedError} when a transaction in flight or another withdrawal has one of them;
 * {@link LastCollateralError}; none is held then
 */
function holdAll(
  { context: { view }, addresses, all, label }: Withdrawal,
  given: readonly UTxO[] | undefined
): readonly UTxO[] {
  const mine = (view.spendable(addresses) ?? []).filter(({ depth }) => depth === 0).map(({ utxo }) => utxo)
  const utxos = given ?? mine
  if (utxos.length === 0)
    throw new InsufficientFundsError(new Map(), {
      purpose: 'the withdrawal',
      available: new Map(),
      inputs: 0,
      unspendable: 0
    })
  const refs = utxos.map(refOf)
  for (const ref of refs) {
    const by = view.reservedBy(ref)
    if (by !== undefined) throw new InputReservedError(ref, by)
  }
  const leaving = new Set(refs)
  if (!all && utxos.some(isCollateral) && !mine.some((utxo) => isCollateral(utxo) && !leaving.has(refOf(utxo))))
    throw new LastCollateralError()
  view.hold(refs, label)
  return utxos
}

/** Makes an output of the amount, and of the fee that the decommit will pay, inside the head. */
async function splitOff(
  withdrawal: Withdrawal,
  amount: PaymentAmount,
  deadline: Deadline,
  report: Report
): Promise<UTxO> {
  const { context, addresses, label } = withdrawal
  let split: UTxO | undefined
  const payment = paymentPlan('withdraw', {
    ...withdrawal,
    payments: [{ to: addresses[0]!, amount: withFee(withdrawal, amount), extras: {} }]
  })
  const plan: TxPlan = {
    ...payment,
    build: withdrawal.all ? payment.build : keepingCollateral(payment.build),
    onReserved: ({ pending }) => {
      context.view.release(label)
      split = pending.outputs[0]!
      context.view.hold([refOf(split)], label)
    }
  }
  const [reserved] = await reserveFirst(context, [plan], deadline)
  await completeTx(context, plan, reserved!, {}, deadline, (state, id) => {
    if (state === 'confirmed') report('split', id, reserved!.fee)
  })
  return split!
}

/** The amount with the fee that moving it out costs, so that exactly the amount leaves. Most heads have no fees. */
function withFee(withdrawal: Withdrawal, amount: PaymentAmount): readonly Amount[] {
  const own = withdrawal.addresses[0]!
  const wanted = valueFromAmounts(typeof amount === 'bigint' ? [{ unit: LOVELACE, quantity: String(amount) }] : amount)
  const unspent = (value: ReadonlyMap<string, bigint>): UTxO => ({
    input: { txHash: '00'.repeat(32), index: 0 },
    output: { address: own, amount: valueToAmounts(value) }
  })
  if (!wanted.has(LOVELACE)) {
    const plenty = new Map(wanted).set(LOVELACE, ROOM_LOVELACE)
    const [output] = new TxBuilder(withdrawal.parameters)
      .spend([unspent(plenty)])
      .pay(own, amount)
      .changeTo(own)
      .build().outputs
    assertMinLovelace(amount, output!, withdrawal.costs)
    wanted.set(LOVELACE, BigInt(output!.amount[0]!.quantity))
  }
  const lovelace = wanted.get(LOVELACE)!
  let fee = 0n
  // The fee depends on the size, and that on the fee: it settles after one round, or two where a number takes another
  // byte.
  for (let round = 0; round < 4; round++) {
    const needed = sweep(withdrawal, [
      unspent(new Map(wanted).set(LOVELACE, lovelace + fee + (round === 0 ? ROOM_LOVELACE : 0n)))
    ]).fee
    if (needed === fee) break
    fee = needed
  }
  return valueToAmounts(wanted.set(LOVELACE, lovelace + fee))
}

function sweep({ context, parameters, to, costs }: Withdrawal, utxos: readonly UTxO[]): BuiltTransaction {
  const builder = new TxBuilder(parameters).spend(utxos).changeTo(to)
  const validity = validityUntil(context, Date.now() + context.expiresInMs)
  try {
    return withinCosts(withValidity(builder, validity).build(), [], costs)
  } catch (error) {
    throw isLayerError(error, 'TX_TOO_LARGE') ? fragmentedOf(error, utxos.length, utxos) : error
  }
}

/** @returns 'busy' when the head refused it for another decommit in flight: nothing leaves, and it can be sent again */
async function decommit(
  { context }: Withdrawal,
  built: BuiltTransaction,
  signed: string,
  deadline: Deadline,
  report: Report
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
    const verified = await context.untilVerified(hasLeft, deadline, 'the verified snapshot that holds it no more')
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

/** Whether it was refused, never sent, or found unknown; anything else ended the wait and decides nothing. */
function isVerdict(error: unknown): boolean {
  return ['BRIDGE_COMMAND_REFUSED', 'BRIDGE_NOT_CONNECTED', 'CLIENT_LEDGER', 'CLIENT_OUTCOME_UNKNOWN'].some((code) =>
    isLayerError(error, code as never)
  )
}
