import { LOVELACE, valueFromAmounts, valueToAmounts } from '../../codec/value.js'
import { isLayerError } from '../../errors/base.js'
import { InputReservedError, LastCollateralError, OutcomeUnknownError } from '../../errors/client.js'
import { InsufficientFundsError } from '../../errors/tx.js'
import type { BuiltTransaction, PaymentAmount, TxParameters } from '../../tx/inner.js'
import { PaymentBuilder } from '../../tx/inner.js'
import type { Amount, UTxO } from '../../types/utxo.js'
import type { Wallet } from '../../types/wallet.js'
import type { KeepTx } from '../keepTx.js'
import type { ClientContext } from '../ClientContext.js'
import { isCollateral, keepingCollateral } from '../collateral.js'
import { assertMinLovelace, withinCosts } from '../costs.js'
import type { CostLimits } from '../costs.js'
import type { Deadline } from '../deadline.js'
import type { OwnTx } from '../ownTx.js'
import { paymentPlan } from '../paymentPlan.js'
import { refOf } from '../PendingView.js'
import type { ReservationPlan } from '../reserveTxs.js'
import { reserveFirst } from '../reserveTxs.js'
import { fragmentedOf } from '../selection.js'
import { completeTx } from '../sendTx.js'
import type { PaymentStart } from '../sendTx.js'
import type { WithdrawStep } from '../types.js'
import { validityUntil, withValidity } from '../validity.js'

/** Reports the steps of a withdrawal. */
export type WithdrawReport = (state: WithdrawStep, txId?: string, fee?: bigint) => void

/** Outputs that leave the head, and where they go. */
export interface Withdrawal {
  readonly context: ClientContext
  readonly wallet: Wallet
  readonly addresses: readonly string[]
  readonly parameters: TxParameters
  readonly to: string
  readonly costs: CostLimits
  /** True: even the last output that can be collateral leaves. */
  readonly all: boolean
  /** Label under which the outputs that leave are reserved, so that no payment spends them. */
  readonly label: string
}

/** Lovelace for trial builds: more than any fee and any minimum lovelace. */
const ROOM_LOVELACE = 1_000_000_000n
/**
 * Reserves the given outputs, or all of the wallet's.
 *
 * @throws {@link InputReservedError} when a transaction in flight or another withdrawal has one of them;
 * {@link LastCollateralError}; no output is reserved then
 */
export function holdAll(
  { context: { view }, addresses, all, label }: Withdrawal,
  callerUtxos: readonly UTxO[] | undefined
): readonly UTxO[] {
  const mine = (view.spendable(addresses) ?? []).filter(({ depth }) => depth === 0).map(({ utxo }) => utxo)
  const utxos = callerUtxos ?? mine
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

/** Makes, inside the head, an output of the amount plus the fee that the decommit will pay. */
export async function splitOff(
  withdrawal: Withdrawal,
  amount: PaymentAmount,
  { keep, start, onReserved }: SplitOptions,
  deadline: Deadline,
  report: WithdrawReport
): Promise<UTxO> {
  const { context, addresses, label } = withdrawal
  let split = start?.own?.pending.outputs[0]
  if (split !== undefined) context.view.hold([refOf(split)], label)
  const payment = paymentPlan('withdraw', {
    ...withdrawal,
    payments: [{ to: addresses[0]!, amount: withFee(withdrawal, amount), extras: {} }]
  })
  const plan: ReservationPlan = {
    ...payment,
    build: withdrawal.all ? payment.build : keepingCollateral(payment.build),
    onReserved: (ownTx) => {
      const { pending } = ownTx
      onReserved?.(ownTx)
      context.view.release(label)
      split = pending.outputs[0]!
      context.view.hold([refOf(split)], label)
    }
  }
  const first = start ?? { own: (await reserveFirst(context, [plan], deadline))[0]! }
  const { txId } = await completeTx(context, plan, first, { keep }, deadline, (state, id) => {
    if (state === 'confirmed') report('split', id, first.own?.fee)
  })
  // An earlier attempt may be the one that is confirmed.
  return split?.input.txHash === txId ? split : splitOf(withdrawal, txId)
}

/**
 * Returns the output of a confirmed split, and reserves it against other payments. @throws {@link OutcomeUnknownError}
 */
export function splitOf({ context, addresses, label }: Withdrawal, txId: string): UTxO {
  const found = context.bridge
    .getAddressUTxOs(addresses[0]!)
    ?.find(({ input }) => input.txHash === txId && input.index === 0)
  if (found === undefined) throw new OutcomeUnknownError(txId, null, 'the output that was to leave the head is spent')
  context.view.release(label)
  context.view.hold([refOf(found)], label)
  return found
}

/** Options of {@link splitOff}. */
export interface SplitOptions {
  readonly keep: KeepTx | null
  /** Transaction of an earlier call or process to continue; null: a new one is built. */
  readonly start: PaymentStart | null
  readonly onReserved?: (ownTx: OwnTx) => void
}

/**
 * Returns the amount plus the fee that moving it out costs, so that exactly the amount leaves. Most heads have no fees.
 */
function withFee(withdrawal: Withdrawal, amount: PaymentAmount): readonly Amount[] {
  const ownAddress = withdrawal.addresses[0]!
  const targetValue = valueFromAmounts(
    typeof amount === 'bigint' ? [{ unit: LOVELACE, quantity: String(amount) }] : amount
  )
  const unspent = (value: ReadonlyMap<string, bigint>): UTxO => ({
    input: { txHash: '00'.repeat(32), index: 0 },
    output: { address: ownAddress, amount: valueToAmounts(value) }
  })
  if (!targetValue.has(LOVELACE)) {
    const plenty = new Map(targetValue).set(LOVELACE, ROOM_LOVELACE)
    const [output] = new PaymentBuilder(withdrawal.parameters)
      .spend([unspent(plenty)])
      .pay(ownAddress, amount)
      .changeTo(ownAddress)
      .build().outputs
    assertMinLovelace(amount, output!, withdrawal.costs)
    targetValue.set(LOVELACE, BigInt(output!.amount[0]!.quantity))
  }
  const lovelace = targetValue.get(LOVELACE)!
  let fee = 0n
  // The fee depends on the size, and that on the fee: it settles after one round, or two where a number needs another
  // byte.
  for (let round = 0; round < 4; round++) {
    const needed = sweep(withdrawal, [
      unspent(new Map(targetValue).set(LOVELACE, lovelace + fee + (round === 0 ? ROOM_LOVELACE : 0n)))
    ]).fee
    if (needed === fee) break
    fee = needed
  }
  return valueToAmounts(targetValue.set(LOVELACE, lovelace + fee))
}

/**
 * Builds the transaction that moves outputs whole to the receiver. Each output with a datum or a script stays a
 * separate output, with both; the others are merged into one.
 *
 * @throws {@link WalletFragmentedError}
 */
export function sweep({ context, parameters, to, costs }: Withdrawal, utxos: readonly UTxO[]): BuiltTransaction {
  const builder = new PaymentBuilder(parameters).spend(utxos).changeTo(to)
  for (const { output } of utxos) {
    const { amount, datumHash, inlineDatum, scriptRef } = output
    if ((datumHash ?? inlineDatum ?? scriptRef) !== undefined)
      builder.pay(to, amount, {
        ...(datumHash === undefined ? {} : { datumHash }),
        ...(inlineDatum === undefined ? {} : { inlineDatum }),
        ...(scriptRef === undefined ? {} : { scriptRef })
      })
  }
  const validity = validityUntil(context, Date.now() + context.settings.expiresInMs)
  try {
    return withinCosts(withValidity(builder, validity).build(), [], costs)
  } catch (error) {
    throw isLayerError(error, 'TX_TOO_LARGE') ? fragmentedOf(error, utxos.length, utxos) : error
  }
}
