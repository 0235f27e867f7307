import { parseAddress } from '../../codec/address.js'
import { LOVELACE, valueFromAmounts, valueToAmounts } from '../../codec/value.js'
import { isLayerError } from '../../errors/base.js'
import { InputReservedError, OutcomeUnknownError } from '../../errors/client.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { TxParameters } from '../../tx/parameters.js'
import { TxBuilder } from '../../tx/TxBuilder.js'
import type { BuiltTransaction } from '../../tx/buildTx.js'
import type { PaymentAmount } from '../../tx/TxBuilder.js'
import type { Amount, UTxO } from '../../types/utxo.js'
import type { Wallet } from '../../types/wallet.js'
import { assertAmount } from '../amounts.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_WITHDRAW_TIMEOUT_MS } from '../limits.js'
import { refOf } from '../PendingView.js'
import { progressOf } from '../progress.js'
import type { TxPlan } from '../reserveTxs.js'
import { reserveWhenPossible } from '../reserveTxs.js'
import { completeTx } from '../sendTx.js'
import { signWith } from '../signWith.js'
import { validityUntil, withValidity } from '../validity.js'
import { watchDecommit } from '../watchDecommit.js'
import type { WithdrawArgs, WithdrawResult, WithdrawState } from '../types.js'
import { assertNetwork, paymentPlan } from './pay.js'

interface Withdrawal {
  readonly context: ClientContext
  readonly wallet: Wallet
  readonly addresses: readonly string[]
  readonly parameters: TxParameters
  readonly to: string
  /** Keeps the outputs that leave from being paid with. */
  readonly label: string
}

/** More than any fee and any least lovelace, for trial builds. */
const ROOM_LOVELACE = 1_000_000_000n
let counter = 0

/**
 * Takes money out of an open head to the base ledger. All outputs of a decommit leave, so an amount is split off inside the head first:
 * exactly so much leaves.
 *
 * @throws {@link InsufficientFundsError}, {@link LedgerError}, {@link HeadStateError}; {@link CommandRefusedError} with the node's reason, e.g.
 * that another decommit is in flight
 * @throws {@link OutcomeUnknownError} when the decommit was sent and the wait ended before it was final
 * @example
 * ```ts no-run
 * await head.withdraw({ amount: 5_000_000n })
 * ```
 */
export async function withdraw(context: ClientContext, args: WithdrawArgs): Promise<WithdrawResult> {
  const wallet = context.walletFor('withdraw')
  const { amount, utxos, to: receiver } = args ?? {}
  if ((amount === undefined) === (utxos === undefined))
    throw new InvalidArgumentError('args', 'exactly one of amount and utxos', amount === undefined ? 'neither' : 'both')
  if (utxos !== undefined && (!Array.isArray(utxos) || utxos.length === 0)) throw new InvalidArgumentError('utxos', 'at least one output of the head', utxos)
  if (receiver !== undefined) parseAddress(receiver)
  const [taken, given] = [amount === undefined ? undefined : assertAmount(amount), utxos === undefined ? undefined : [...utxos]]
  const { report, end } = progressOf(context, 'withdraw', args.onProgress)
  const label = `withdraw ${++counter}`
  let isSent = false
  return withDeadline('withdraw', args, DEFAULT_WITHDRAW_TIMEOUT_MS, async (deadline) => {
    await context.ready('withdraw', deadline)
    const parameters = await deadline.race(context.loadParameters(), "the head's protocol parameters")
    const addresses = await deadline.race(context.loadAddresses(wallet), "the wallet's addresses")
    context.assertHeadNetwork(addresses)
    const to = receiver ?? addresses[0]!
    assertNetwork(to, addresses[0]!)
    const withdrawal: Withdrawal = { context, wallet, addresses, parameters, to, label }
    if (given !== undefined) holdAll(context, given, label)
    const leaving = given ?? [await splitOff(withdrawal, taken!, deadline, report)]
    const built = sweep(withdrawal, leaving)
    report('built', built.txId)
    deadline.throwIfOver()
    const signed = await deadline.race(signWith(wallet, built.txId, built.cborHex, false), "the wallet's signature")
    report('signed', built.txId)
    deadline.throwIfOver()
    isSent = true
    const result = await decommit(withdrawal, built, signed, deadline, report)
    // The outputs have left the head: nothing is held for them any more.
    isSent = false
    return result
  })
    .catch((error: unknown) => {
      isSent &&= error instanceof OutcomeUnknownError
      throw error
    })
    .finally(() => {
      end()
      if (!isSent) return context.view.release(label)
      // While it is not known whether they leave, they are not paid with; a decommit expires like a payment.
      const timer: unknown = setTimeout(() => {
        context.view.release(label)
        context.changed()
      }, 2 * context.expiresInMs)
      ;(timer as { unref?: () => void }).unref?.()
    })
}

/** @throws {@link InputReservedError} when a transaction in flight or another withdrawal has one of them; none is held then */
function holdAll({ view }: ClientContext, utxos: readonly UTxO[], label: string): void {
  const refs = utxos.map(refOf)
  for (const ref of refs) {
    const by = view.reservedBy(ref)
    if (by !== undefined) throw new InputReservedError(ref, by)
  }
  view.hold(refs, label)
}

/** Makes an output of the amount, and of the fee that the decommit will pay, inside the head. */
async function splitOff(
  withdrawal: Withdrawal,
  amount: PaymentAmount,
  deadline: Deadline,
  report: (state: WithdrawState, txId?: string) => void
): Promise<UTxO> {
  const { context, addresses, label } = withdrawal
  let split: UTxO | undefined
  const plan: TxPlan = {
    ...paymentPlan('withdraw', { ...withdrawal, payments: [{ to: addresses[0]!, amount: withFee(withdrawal, amount), extras: {} }] }),
    onReserved: ({ pending }) => {
      context.view.release(label)
      split = pending.outputs[0]!
      context.view.hold([refOf(split)], label)
    }
  }
  const [reserved] = await reserveWhenPossible(context, [plan], deadline)
  await completeTx(context, plan, reserved!, {}, deadline, (state, id) => {
    if (state === 'confirmed') report('split', id)
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
    wanted.set(LOVELACE, BigInt(output!.amount[0]!.quantity))
  }
  const lovelace = wanted.get(LOVELACE)!
  let fee = 0n
  // The fee depends on the size, and that on the fee: it settles after one round, or two where a number takes another byte.
  for (let round = 0; round < 4; round++) {
    const needed = sweep(withdrawal, [unspent(new Map(wanted).set(LOVELACE, lovelace + fee + (round === 0 ? ROOM_LOVELACE : 0n)))]).fee
    if (needed === fee) break
    fee = needed
  }
  return valueToAmounts(wanted.set(LOVELACE, lovelace + fee))
}

function sweep({ context, parameters, to }: Pick<Withdrawal, 'context' | 'parameters' | 'to'>, utxos: readonly UTxO[]): BuiltTransaction {
  const builder = new TxBuilder(parameters).spend(utxos).changeTo(to)
  return withValidity(builder, validityUntil(context, Date.now() + context.expiresInMs)).build()
}

async function decommit(
  { context }: Withdrawal,
  built: BuiltTransaction,
  signed: string,
  deadline: Deadline,
  report: (state: WithdrawState, txId?: string) => void
): Promise<WithdrawResult> {
  const watch = watchDecommit(context, built)
  const over = new AbortController()
  const approval = context.bridge.commands.decommit({ cborHex: signed, txId: built.txId, timeout: Infinity, signal: over.signal })
  approval.then(watch.onApproved, watch.onRefused)
  report('submitted', built.txId)
  try {
    await deadline.race(watch.approved, 'the approval of all parties')
    report('approved', built.txId)
    const utxo = await deadline.race(watch.final, 'the base ledger')
    report('confirmed', built.txId)
    return { decommitTxId: built.txId, utxo }
  } catch (error) {
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
  return ['BRIDGE_COMMAND_REFUSED', 'BRIDGE_NOT_CONNECTED', 'CLIENT_LEDGER', 'CLIENT_OUTCOME_UNKNOWN'].some((code) => isLayerError(error, code as never))
}
