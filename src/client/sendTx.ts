import { isLayerError } from '../errors/base.js'
import { ClientTimeoutError, OutcomeUnknownError } from '../errors/client.js'
import { InvalidArgumentError } from '../errors/input.js'
import { sleep } from '../net/timers.js'
import type { UTxO } from '../types/utxo.js'
import { nextStep, reportAttempts } from './attempts.js'
import type { NextStep, Setback } from './attempts.js'
import type { ClientContext } from './ClientContext.js'
import type { Deadline } from './deadline.js'
import { DEFAULT_RETRIES } from './limits.js'
import type { OwnTx } from './ownTx.js'
import { confirmationOf, endOf } from './ownTx.js'
import type { Report } from './progress.js'
import type { TxPlan } from './reserveTxs.js'
import { reserveWhenPossible } from './reserveTxs.js'
import { signWith } from './signWith.js'
import type { SendOptions, SettledTx, TxResult } from './types.js'
import { untilLost } from './untilLost.js'

/** Wait before a payment that could not be sent is built again, ms. */
const UNSENT_WAIT_MS = 50

/** How a transaction is followed. */
export type FollowOptions = Pick<SendOptions, 'wait' | 'retries' | 'onSettled'>

/** @throws {@link InvalidArgumentError} */
export function assertSendOptions({ wait, retries, onSettled }: FollowOptions): void {
  if (wait !== undefined && !['confirmed', 'valid', 'sent'].includes(wait))
    throw new InvalidArgumentError('wait', "'confirmed', 'valid' or 'sent'", wait)
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0))
    throw new InvalidArgumentError('retries', 'a whole number from 0', retries)
  if (onSettled != null && typeof onSettled !== 'function')
    throw new InvalidArgumentError('onSettled', 'a function', onSettled)
}

/** Signs, sends and follows a reserved transaction; builds it again where that cannot pay twice. */
export async function completeTx(
  context: ClientContext,
  plan: TxPlan,
  reserved: OwnTx,
  options: FollowOptions,
  deadline: Deadline,
  report: Report
): Promise<TxResult> {
  const payment: Payment = {
    attempts: [],
    setback: 'unsent',
    retriesLeft: options.retries ?? DEFAULT_RETRIES,
    isRetried: options.retries !== 0
  }
  try {
    for (let own = reserved; ;) {
      report('built', own.pending.txId, own.fee)
      const end = await attempt(context, { plan, own, payment, options }, deadline, report)
      if (end !== undefined) return resultOf(payment.attempts.find(({ fate }) => typeof fate === 'object') ?? own, end)
      const next = await buildAgain(context, plan, payment, deadline)
      if (next.kind === 'confirmed') {
        report('confirmed', next.own.pending.txId)
        return resultOf(next.own, next.end)
      }
      own = next.own
    }
  } catch (error) {
    throw failureOf(context, payment, error, { deadline, options })
  }
}

/**
 * Sends one attempt and follows it. @returns how the payment ended, null as {@link follow} does; undefined when it has
 * to be built again
 */
async function attempt(
  context: ClientContext,
  {
    plan,
    own,
    payment,
    options
  }: { readonly plan: TxPlan; readonly own: OwnTx; readonly payment: Payment; readonly options: FollowOptions },
  deadline: Deadline,
  report: Report
): Promise<FinalEnd | null | undefined> {
  payment.setback = 'unsent'
  if (await signAndSend(context, plan, own, deadline, report)) {
    const { attempts, isRetried } = payment
    const end = await follow(context, own, { ...options, attempts, isReplaceable: isRetried }, deadline, report)
    if (end === null || end.outcome !== 'rejected') return end
    if (!own.isOrphaned) {
      payment.setback = end.isLost === true ? 'lost' : end.error
      attempts.push(own)
    }
  }
  // What it was built on was taken back, or a socket that is closing took nothing, which the bridge hears of a moment
  // later.
  if (payment.setback === 'unsent')
    await deadline.race(sleep(UNSENT_WAIT_MS), 'the transactions that this one builds on')
  return undefined
}

/** What a payment has come to. */
interface Payment {
  /** Attempts that were sent and did not end it, oldest first. */
  readonly attempts: OwnTx[]
  /** Why the last one did not. */
  setback: Setback
  retriesLeft: number
  /** Whether its caller wants it built again at all. */
  readonly isRetried: boolean
}

/**
 * @returns another attempt, reserved; or an earlier one that is confirmed after all @throws the refusal that ends the
 * payment
 */
async function buildAgain(
  context: ClientContext,
  plan: TxPlan,
  payment: Payment,
  deadline: Deadline
): Promise<Extract<NextStep, { kind: 'confirmed' }> | { readonly kind: 'reserved'; readonly own: OwnTx }> {
  const { attempts, setback, isRetried } = payment
  for (;;) {
    let required: readonly UTxO[] = []
    if (attempts.length > 0) {
      if (!isRetried && setback instanceof Error) throw setback
      const step = await nextStep(context, attempts, setback, deadline)
      if (step.kind === 'confirmed') return step
      if (step.kind === 'refused' || (step.isRetry && payment.retriesLeft <= 0)) throw setback
      if (step.isRetry) payment.retriesLeft--
      required = step.required
    }
    const reserved = await reserveWhenPossible(context, [plan], deadline, required)
    // An input that was to exclude the earlier attempts is spent: perhaps by one of them.
    if (reserved !== null) return { kind: 'reserved', own: reserved[0]! }
  }
}

/**
 * The error of a payment that ends without a confirmation: unknown while an attempt that nobody refused may still be
 * confirmed.
 */
function failureOf(
  context: ClientContext,
  { attempts, setback }: Payment,
  error: unknown,
  { deadline, options }: { readonly deadline: Deadline; readonly options: FollowOptions }
): unknown {
  if (attempts.length === 0) return error
  reportAttempts(context, attempts)
  for (const own of attempts) tellRevision(context, own, options)
  if (isLayerError(error, 'CLIENT_OUTCOME_UNKNOWN')) return error
  const lost = attempts.find(({ progress, fate }) => progress.now.state === 'superseded' && fate !== 'dead')
  if (lost !== undefined)
    return unknownOutcome(lost, 'it was sent before the connection was lost, and the node does not hold it', error)
  return deadline.isOver && setback instanceof Error ? setback : error
}

/** Follows a transaction that was sent, here or by another call. */
export async function followTx(
  context: ClientContext,
  own: OwnTx,
  options: FollowOptions,
  deadline: Deadline,
  report: Report
): Promise<TxResult> {
  const settled = await follow(context, own, { ...options, attempts: [], isReplaceable: false }, deadline, report)
  if (settled?.outcome !== 'rejected') return resultOf(own, settled)
  tellRevision(context, own, options)
  throw settled.error
}

/** @throws {@link OutcomeUnknownError} */
function resultOf(own: OwnTx, settled: FinalEnd | null): TxResult {
  const {
    pending: { txId },
    fee
  } = own
  if (settled === null) return { txId, fee }
  if (settled.outcome === 'confirmed')
    return { txId, snapshotNumber: settled.snapshotNumber, exact: settled.exact, verified: settled.verified, fee }
  throw unknownOutcome(own, "its inputs are spent, and neither the head's state nor its history tells by what")
}

/** @returns false when it has to be built anew; nothing was sent then */
async function signAndSend(
  context: ClientContext,
  plan: TxPlan,
  own: OwnTx,
  deadline: Deadline,
  report: Report
): Promise<boolean> {
  const { txId } = own.pending
  let signed: string
  try {
    // onProgress may have ended it: no wallet is opened then.
    deadline.throwIfOver()
    signed = await deadline.race(signWith(plan.wallet, txId, own.cborHex, false), "the wallet's signature")
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

/** How an attempt is followed. */
interface FollowedAttempt extends FollowOptions {
  /** Earlier attempts, one of which may be confirmed all the same. */
  readonly attempts: readonly OwnTx[]
  /** Whether another attempt may take its place when it is lost. */
  readonly isReplaceable: boolean
}

/** An end that building again does not change. */
type FinalEnd = Exclude<SettledTx, { outcome: 'rejected' }>

/** How an attempt ended; `isLost`: it was given up for another one. */
type FollowedEnd = FinalEnd | { readonly outcome: 'rejected'; readonly error: Error; readonly isLost?: true }

/** @returns null when it was to be waited for no further than this */
async function follow(
  context: ClientContext,
  own: OwnTx,
  { wait = 'confirmed', onSettled, attempts, isReplaceable }: FollowedAttempt,
  deadline: Deadline,
  report: Report
): Promise<FollowedEnd | null> {
  const { txId } = own.pending
  const tellLater = (): void => tellEnd(context, own, { onSettled })
  let isValidReported = wait === 'sent'
  const reportValid = (): void => {
    if (!isValidReported) report('valid', txId)
    isValidReported = true
  }
  const ends: Promise<FollowedEnd>[] = [
    endOf(own),
    ...attempts.map(confirmationOf),
    own.progress
      .until('unknown', (now) => now.isReviewed && isFinal(context, now.error))
      .then(({ error }) => {
        throw error
      })
  ]
  if (isReplaceable && wait !== 'sent')
    ends.push(untilLost(context, own).then(() => ({ outcome: 'rejected', error: new Error('lost'), isLost: true })))
  const end = Promise.race(ends)
  end.catch(() => undefined)
  const progress = wait === 'sent' ? leftForNode(own) : acceptedByHead(own).then(reportValid)
  try {
    const waitingFor = wait === 'sent' ? 'the connection that takes it' : 'the verdict of the head'
    const first = await deadline.race(Promise.race([progress.then(() => null), end]), waitingFor)
    if (first === null && wait !== 'confirmed') {
      tellLater()
      return null
    }
    const settled = first ?? (await deadline.race(end, 'the snapshot that confirms it'))
    if (settled.outcome === 'rejected' && settled.isLost === true) context.txs.supersede(own)
    if (settled.outcome === 'confirmed') {
      if (settled.txId === txId) reportValid()
      report('confirmed', settled.txId)
    }
    return settled
  } catch (error) {
    tellLater()
    throw unknownOutcome(own, reasonOf(error), error)
  }
}

/**
 * True of an unknown outcome that ends the wait: the bound has passed, or no connection follows. Otherwise the reviews
 * of state and history may still decide it, and another attempt may take its place.
 */
function isFinal({ bridge }: ClientContext, error: Error): boolean {
  const isPastBound = isLayerError(error, 'BRIDGE_SUBMIT') && error.tag === 'Timeout'
  return isPastBound || /^(disconnected|failed)$/.test(bridge.getSnapshot().state)
}

/** Resolves once a transaction has left for the node. */
async function leftForNode({ progress }: OwnTx): Promise<void> {
  await Promise.race([progress.untilAny(['sent', 'valid']), progress.until('unknown', ({ isReviewed }) => isReviewed)])
}

/** Resolves once the head has accepted a transaction: its ledger holds it, or a snapshot does. */
async function acceptedByHead(own: OwnTx): Promise<void> {
  await Promise.race([own.progress.until('valid'), confirmationOf(own)])
}

/** Reports a transaction's end once it is known, and its revision. */
function tellEnd(context: ClientContext, own: OwnTx, { onSettled }: FollowOptions): void {
  if (onSettled == null) return
  void endOf(own).then((settled) => {
    context.callbacks.invokeSafely('onSettled', () => onSettled(settled))
    if (settled.outcome !== 'confirmed') tellRevision(context, own, { onSettled })
  })
}

/** Reports that a transaction is confirmed although it was refused. */
function tellRevision(context: ClientContext, own: OwnTx, { onSettled }: FollowOptions): void {
  if (onSettled != null)
    void confirmationOf(own).then((settled) => context.callbacks.invokeSafely('onSettled', () => onSettled(settled)))
}

function unknownOutcome(own: OwnTx, reason: string, cause?: unknown): OutcomeUnknownError {
  return new OutcomeUnknownError(own.pending.txId, own.expiresAt, reason, cause)
}

function reasonOf(error: unknown): string {
  if (error instanceof ClientTimeoutError) return `no confirmation within ${error.timeoutMs} ms`
  if (isLayerError(error, 'BRIDGE_SUBMIT')) return error.reason
  if (isLayerError(error, 'BRIDGE_DISCONNECTED')) return 'the client was disconnected'
  return 'the wait was aborted'
}
