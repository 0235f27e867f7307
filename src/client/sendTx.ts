import { readTransaction, toTransactionBytes, transactionId } from '../codec/transaction.js'
import { readVkeyWitnesses } from '../codec/witnessSet.js'
import { isLayerError } from '../errors/base.js'
import { ClientTimeoutError, OutcomeUnknownError, WalletChangedTxError, WalletSignedNothingError } from '../errors/client.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { BuiltTransaction } from '../tx/buildTx.js'
import type { TxBuilder } from '../tx/TxBuilder.js'
import type { UTxO } from '../types/utxo.js'
import type { Wallet } from '../types/wallet.js'
import type { ClientContext } from './ClientContext.js'
import type { Deadline } from './deadline.js'
import { DEFAULT_RETRIES, MAX_DEPTH } from './limits.js'
import type { OwnTx } from './OwnTxs.js'
import { refOf } from './PendingView.js'
import type { Spendable } from './PendingView.js'
import { sleep } from '../net/timers.js'
import { largestOf } from './selection.js'
import type { ActionProgress, SendOptions, SettledTx, TxResult, TxState } from './types.js'

/** How long to wait for the snapshot that shows who spent an input before building again, ms. */
const REBUILD_WAIT_MS = 2_000

/** Slots between which a transaction can be confirmed; each payment's own, so that no two are the same transaction. */
export interface Validity {
  /** Undefined where slots are not known. */
  readonly from: number | undefined
  readonly until: number
  /** Whether `until` is the time that was asked for. False: slots are not known, and it never comes. */
  readonly expires: boolean
}

/** A transaction to be built from the wallet's outputs. */
export interface TxPlan {
  readonly action: string
  readonly wallet: Wallet
  readonly addresses: readonly string[]
  /** Units besides lovelace that it pays. */
  readonly units: readonly string[]
  /**
   * Builds it; called in one synchronous step with the reservation of its inputs.
   * @param required - outputs that it has to spend, so that it excludes an earlier attempt
   */
  build(pool: readonly UTxO[], required: readonly UTxO[], validity: Validity): BuiltTransaction
  /** Called in that same step, once its inputs are reserved. */
  onReserved?(own: OwnTx): void
}

/**
 * Slots of an upper bound that never comes, and how many there are to choose from: at one second each some 95 years after slot 0, and below
 * 2^32, which is all that older wallets read. The ledger asks when a slot will be only for transactions with redeemers (Babbage UTXO,
 * validateOutsideForecast): these have none.
 */
const NEVER_SLOT = 3_000_000_000
const NEVER_SLOTS = 1_000_000_000

/** Lower bounds of validity stay well behind the ledger's slot, which lags behind the clock. */
const MAX_LOWER_BOUND_SHARE = 0.9

/** Wait before a payment that could not be sent is built again, ms. */
const UNSENT_WAIT_MS = 50

/** How its steps are reported. */
export type Report = (state: TxState, txId: string) => void

/** Reports steps until the action has settled. */
export function progressOf<Action extends string, State extends string>(
  context: ClientContext,
  action: Action,
  onProgress: ((progress: ActionProgress<Action, State>) => void) | undefined
): { report(state: State, txId?: string): void; end(): void } {
  if (onProgress != null && typeof onProgress !== 'function') throw new InvalidArgumentError('onProgress', 'a function', onProgress)
  let over = false
  return {
    report(state, txId) {
      if (!over && onProgress != null) context.invokeSafely('onProgress', () => onProgress({ action, state, ...(txId === undefined ? {} : { txId }) }))
    },
    end() {
      over = true
    }
  }
}

/** How a transaction is followed. */
export type FollowOptions = Pick<SendOptions, 'wait' | 'retries' | 'onSettled'>

/** @throws {@link InvalidArgumentError} */
export function assertSendOptions({ wait, retries, onSettled }: FollowOptions): void {
  if (wait !== undefined && !['confirmed', 'valid', 'sent'].includes(wait)) throw new InvalidArgumentError('wait', "'confirmed', 'valid' or 'sent'", wait)
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0)) throw new InvalidArgumentError('retries', 'a whole number from 0', retries)
  if (onSettled != null && typeof onSettled !== 'function') throw new InvalidArgumentError('onSettled', 'a function', onSettled)
}

/**
 * Builds plans one after another in one synchronous step and reserves what they spend: parallel calls never share an input.
 * @returns null when something in flight has to settle first
 * @throws what building throws; nothing is reserved then
 */
export function reserveTxs(context: ClientContext, plans: readonly TxPlan[], required: readonly UTxO[] = []): OwnTx[] | null {
  const reserved: OwnTx[] = []
  // Without a word to anybody: a waiter that heard of it would try again at once, and so on for ever.
  const rollBack = (): void => {
    for (const own of reserved.reverse()) context.txs.rollBack(own)
  }
  try {
    for (const plan of plans) {
      const own = reserveTx(context, plan, required)
      if (own === null) {
        rollBack()
        return null
      }
      reserved.push(own)
    }
  } catch (error) {
    rollBack()
    throw error
  }
  context.changed()
  return reserved
}

/**
 * An upper bound at a time, ms since the Unix epoch, and a lower bound at random in the past: it holds always, and makes payments of two
 * clients that agree in everything else two transactions. As one, the ledger would take it once, and both clients would see it confirmed.
 * Where slots are not known, the upper bound alone is at random, decades ahead: it tells such payments apart, and expires none of them.
 */
export function validityUntil(context: ClientContext, expiresAt: number): Validity {
  const until = context.slotAt(expiresAt)
  const current = context.slotAt(Date.now())
  if (until === null || current === null || until < 0) return { from: undefined, until: NEVER_SLOT + randomBelow(NEVER_SLOTS), expires: false }
  return { from: randomBelow(MAX_LOWER_BOUND_SHARE * Math.max(0, current)), until, expires: true }
}

/** The builder with the bounds. */
export function withValidity(builder: TxBuilder, { from, until }: Validity): TxBuilder {
  return (from === undefined ? builder : builder.validFrom(from)).validUntil(until)
}

const randomBelow = (limit: number): number => Math.floor(Math.random() * limit)

function reserveTx(context: ClientContext, plan: TxPlan, required: readonly UTxO[]): OwnTx | null {
  const spendable = context.view.spendable(plan.addresses)
  if (spendable === null) return null
  // Another payment has taken one of them meanwhile: only once that is decided it is known whether the first attempt is excluded.
  if (required.some((utxo) => context.view.reservedBy(refOf(utxo)) !== undefined)) return null
  const stillThere = required.filter((utxo) => context.bridge.isUnspent(refOf(utxo)) !== false)
  const expiresAt = Date.now() + context.expiresInMs
  const validity = validityUntil(context, expiresAt)
  const build = (pool: readonly Spendable[]): BuiltTransaction =>
    plan.build(
      largestOf(
        pool.map(({ utxo }) => utxo),
        plan.units
      ),
      stillThere,
      validity
    )
  const confirmed = spendable.filter(({ depth }) => depth === 0)
  let built: BuiltTransaction | undefined
  try {
    // Confirmed outputs first: chains stay short. In the middle of a chain there are none.
    if (confirmed.length > 0 || stillThere.length > 0) built = build(confirmed)
  } catch (error) {
    if (!isLayerError(error, 'TX_INSUFFICIENT_FUNDS')) throw error
  }
  try {
    built ??= build(spendable.filter(({ depth }) => depth < MAX_DEPTH))
  } catch (error) {
    if (isLayerError(error, 'TX_INSUFFICIENT_FUNDS') && context.isHeldBack(spendable)) return null
    throw error
  }
  const own = context.txs.add(built, validity.expires ? { slot: validity.until, at: expiresAt } : null)
  plan.onReserved?.(own)
  return own
}

/** Reserves plans, waiting where outputs are held back by what is in flight. */
export async function reserveWhenPossible(
  context: ClientContext,
  plans: readonly TxPlan[],
  deadline: Deadline,
  required: readonly UTxO[] = []
): Promise<OwnTx[]> {
  for (;;) {
    await context.ready(plans[0]!.action, deadline)
    const reserved = reserveTxs(context, plans, required)
    if (reserved !== null) return reserved
    await deadline.race(context.nextChange(), 'outputs that transactions in flight hold back')
  }
}

/** Signs, sends and follows a reserved transaction; builds it anew where that cannot pay twice. */
export async function completeTx(
  context: ClientContext,
  plan: TxPlan,
  reserved: OwnTx,
  options: FollowOptions,
  deadline: Deadline,
  report: Report
): Promise<TxResult> {
  let own = reserved
  for (let retriesLeft = options.retries ?? DEFAULT_RETRIES; ;) {
    report('built', own.pending.txId)
    if (!(await signAndSend(context, plan, own, deadline, report))) {
      // What it was built on was taken back before anything was sent.
      await deadline.race(sleep(UNSENT_WAIT_MS), 'the transactions that this one builds on')
      own = (await reserveWhenPossible(context, [plan], deadline))[0]!
      continue
    }
    const settled = await follow(context, own, options, deadline, report)
    if (settled?.outcome !== 'rejected') return resultOf(own, settled)
    if (own.isOrphaned) {
      // A socket that is closing takes nothing, and the bridge hears of it a moment later.
      await deadline.race(sleep(UNSENT_WAIT_MS), 'the connection')
      own = (await reserveWhenPossible(context, [plan], deadline))[0]!
      continue
    }
    if (retriesLeft-- <= 0 || own.refusedAncestor !== null) throw settled.error
    const required = await requiredForRetry(context, own, settled.error, deadline)
    if (required === null) throw settled.error
    own = (await reserveWhenPossible(context, [plan], deadline, required))[0]!
  }
}

/** Follows a transaction that was sent, here or by another call. */
export async function followTx(context: ClientContext, own: OwnTx, options: FollowOptions, deadline: Deadline, report: Report): Promise<TxResult> {
  const settled = await follow(context, own, options, deadline, report)
  if (settled?.outcome === 'rejected') throw settled.error
  return resultOf(own, settled)
}

/** @throws {@link OutcomeUnknownError} */
function resultOf(own: OwnTx, settled: Exclude<SettledTx, { outcome: 'rejected' }> | null): TxResult {
  const {
    pending: { txId },
    fee
  } = own
  if (settled === null) return { txId, fee }
  if (settled.outcome === 'confirmed') return { txId, snapshotNumber: settled.snapshotNumber, exact: settled.exact, fee }
  throw unknownOutcome(own, "its inputs are spent, and neither the head's state nor its history tells by what")
}

/** @returns false when it has to be built anew; nothing was sent then */
async function signAndSend(context: ClientContext, plan: TxPlan, own: OwnTx, deadline: Deadline, report: Report): Promise<boolean> {
  const { txId } = own.pending
  let signed: string
  try {
    // onProgress may have ended it: no wallet is opened then.
    deadline.throwIfOver()
    signed = await deadline.race(sign(plan.wallet, txId, own.cborHex, false), "the wallet's signature")
    report('signed', txId)
    if (!(await deadline.race(context.txs.parentsSent(own), 'the transactions that this one builds on'))) {
      context.txs.abandon(own)
      return false
    }
    deadline.throwIfOver()
  } catch (error) {
    context.txs.abandon(own)
    throw error
  }
  context.txs.send(own, signed)
  report('submitted', txId)
  return true
}

/** Has the wallet sign. @throws {@link WalletChangedTxError}, {@link WalletSignedNothingError}, what the wallet rejects with */
export async function sign(wallet: Wallet, txId: string, cborHex: string, partialSign: boolean): Promise<string> {
  const before = readVkeyWitnesses(readTransaction(toTransactionBytes(cborHex))).length
  const signed = await wallet.signTx(cborHex, partialSign)
  const transaction = readTransaction(toTransactionBytes(signed))
  const signedId = transactionId(transaction)
  if (signedId !== txId) throw new WalletChangedTxError(txId, signedId)
  if (readVkeyWitnesses(transaction).length <= before) throw new WalletSignedNothingError(txId)
  return signed
}

/** @returns null when it was to be waited for no further than this */
async function follow(
  context: ClientContext,
  own: OwnTx,
  { wait = 'confirmed', onSettled }: FollowOptions,
  deadline: Deadline,
  report: Report
): Promise<SettledTx | null> {
  const { txId } = own.pending
  const tellLater = (): void => {
    if (onSettled != null) void own.end.promise.then((settled) => context.invokeSafely('onSettled', () => onSettled(settled)))
  }
  const uncertain = own.uncertain.promise.then((error) => {
    throw error
  })
  uncertain.catch(() => undefined)
  if (wait === 'sent') {
    // The bridge knows a moment later whether there was a connection to send it over.
    const sent = Promise.race([own.submitted.promise, own.valid.promise]).then(() => null)
    const unsent = await Promise.race([sent, own.end.promise, uncertain.catch(() => null)])
    if (unsent === null) tellLater()
    return unsent
  }
  const valid = own.valid.promise.then(() => {
    report('valid', txId)
    return null
  })
  try {
    const first = await deadline.race(Promise.race([own.end.promise, uncertain, valid]), 'the verdict of the head')
    if (first === null && wait === 'valid') {
      tellLater()
      return null
    }
    const settled = first ?? (await deadline.race(Promise.race([own.end.promise, uncertain]), 'the snapshot that confirms it'))
    if (settled.outcome === 'confirmed') report('confirmed', txId)
    return settled
  } catch (error) {
    tellLater()
    throw unknownOutcome(own, reasonOf(error), error)
  }
}

function unknownOutcome(own: OwnTx, reason: string, cause?: unknown): OutcomeUnknownError {
  return new OutcomeUnknownError(own.pending.txId, own.expiresAt, reason, cause)
}

function reasonOf(error: unknown): string {
  if (error instanceof ClientTimeoutError) return `no confirmation within ${error.timeoutMs} ms`
  if (isLayerError(error, 'BRIDGE_SUBMIT')) return error.reason
  return 'the wait was aborted'
}

/**
 * Outputs that another attempt has to spend, so that both can never be confirmed: none when an input of the first is confirmed spent by
 * somebody else. Null when building again is not the cure. Decided by the head's state; the node's words only say that a look is worth it.
 */
async function requiredForRetry(context: ClientContext, own: OwnTx, error: Error, deadline: Deadline): Promise<readonly UTxO[] | null> {
  const isSpentByOthers = (): boolean =>
    own.confirmedInputs.some((ref) => context.bridge.isUnspent(ref) === false && context.view.reservedBy(ref) === undefined)
  if (isSpentByOthers()) return []
  if (!isLayerError(error, 'CLIENT_LEDGER') || error.reason !== 'inputs-spent') return null
  // Somebody else's transaction is ahead of ours in the node's own ledger; the next snapshot shows it.
  const end = Date.now() + REBUILD_WAIT_MS
  while (!isSpentByOthers() && Date.now() < end)
    await deadline.race(context.nextChange(Math.max(1, end - Date.now())), 'the snapshot that shows who spent an input')
  if (isSpentByOthers()) return []
  await context.ready('The payment', deadline)
  const left = own.pending.inputs.filter((utxo) => context.bridge.isUnspent(refOf(utxo)) === true)
  return left.length === 0 ? null : left.slice(0, 1)
}
