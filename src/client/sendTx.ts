import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { sleep } from '../net/timers.js'
import type { UTxO } from '../types/utxo.js'
import { nextStep, reportAttempts } from './attempts.js'
import type { NextStep, Setback } from './attempts.js'
import type { OnceOptions } from './beforeSend.js'
import type { KeepTx } from './keepTx.js'
import { assertOnceOptions } from './keepTx.js'
import type { ClientContext } from './ClientContext.js'
import type { Deadline } from './deadline.js'
import { follow, reportRevision, resultOf, unknownOutcome } from './followTx.js'
import type { FinalEnd, FollowOptions } from './followTx.js'
import { DEFAULT_RETRIES } from './limits.js'
import type { OwnTx } from './ownTx.js'
import type { Report } from './progress.js'
import type { ReservationPlan } from './reserveTxs.js'
import { reserveWhenPossible } from './reserveTxs.js'
import { signWith } from './signWith.js'
import type { TxResult } from './types.js'

/** Wait before a payment that could not be sent is built again, ms. */
const UNSENT_WAIT_MS = 50

/** Checks the options of an action that sends a transaction. @throws {@link InvalidArgumentError} */
export function assertSendOptions({ wait, retries, onSettled, ...once }: FollowOptions & OnceOptions): void {
  assertOnceOptions(once)
  if (wait !== undefined && !['confirmed', 'valid', 'sent'].includes(wait))
    throw new InvalidArgumentError('wait', "'confirmed', 'valid' or 'sent'", wait)
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0))
    throw new InvalidArgumentError('retries', 'a whole number from 0', retries)
  if (onSettled != null && typeof onSettled !== 'function')
    throw new InvalidArgumentError('onSettled', 'a function', onSettled)
}

/** State from which {@link completeTx} starts or continues a payment. */
export interface PaymentStart {
  /** The attempt to send; null: it is built first. It may be on its way already. */
  readonly own: OwnTx | null
  /** Its signed bytes, where an earlier call or process has signed it. */
  readonly signed?: string
  /** Attempts of earlier calls or processes that may still be confirmed, oldest first. */
  readonly attempts?: readonly OwnTx[]
}

/** Options of {@link completeTx}. */
export interface CompleteOptions extends FollowOptions {
  /** Stores each attempt before it is sent; null: it is not stored. */
  readonly keep?: KeepTx | null
}

/** Signs, sends and follows a reserved transaction; after a failure, builds it again where that cannot pay twice. */
export async function completeTx(
  context: ClientContext,
  plan: ReservationPlan,
  start: PaymentStart,
  options: CompleteOptions,
  deadline: Deadline,
  report: Report
): Promise<TxResult> {
  const payment: Payment = {
    attempts: [...(start.attempts ?? [])],
    setback: start.own === null ? 'lost' : 'unsent',
    retriesLeft: options.retries ?? DEFAULT_RETRIES,
    isRetried: options.retries !== 0,
    start
  }
  try {
    let own = start.own
    if (own === null) {
      const first = await buildAgain(context, plan, payment, deadline)
      if (first.kind === 'confirmed') {
        report('confirmed', first.own.pending.txId)
        return resultOf(first.own, first.end)
      }
      own = first.own
    }
    for (;;) {
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
  }: {
    readonly plan: ReservationPlan
    readonly own: OwnTx
    readonly payment: Payment
    readonly options: CompleteOptions
  },
  deadline: Deadline,
  report: Report
): Promise<FinalEnd | null | undefined> {
  payment.setback = 'unsent'
  const isUnderWay = own.progress.now.state !== 'reserved'
  if (isUnderWay || (await signAndSend(context, plan, { own, payment, options }, deadline, report))) {
    const { attempts, isRetried } = payment
    const end = await follow(context, own, { ...options, attempts, isReplaceable: isRetried }, deadline, report)
    if (end === null || end.outcome !== 'rejected') return end
    if (!own.isOrphaned) {
      payment.setback = end.isLost === true ? 'lost' : end.error
      attempts.push(own)
    }
  }
  // A parent was abandoned, or a socket that is closing did not send it, which the bridge notices a moment later.
  if (payment.setback === 'unsent')
    await deadline.race(sleep(UNSENT_WAIT_MS), 'the transactions that this one builds on')
  return undefined
}

/** State of a payment. */
interface Payment {
  /** Attempts that were sent and did not end it, oldest first. */
  readonly attempts: OwnTx[]
  /** Reason why the last one did not. */
  setback: Setback
  retriesLeft: number
  /** True when its caller allows that it is built again. */
  readonly isRetried: boolean
  readonly start: PaymentStart
}

/**
 * Builds a payment again. @returns another attempt, reserved; or an earlier one that is confirmed after all @throws the
 * refusal that ends the payment
 */
async function buildAgain(
  context: ClientContext,
  plan: ReservationPlan,
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
 * Returns the error of a payment that ends without a confirmation: the outcome is unknown while an attempt that was not
 * refused may still be confirmed.
 */
function failureOf(
  context: ClientContext,
  { attempts, setback }: Payment,
  error: unknown,
  { deadline, options }: { readonly deadline: Deadline; readonly options: FollowOptions }
): unknown {
  if (attempts.length === 0) return error
  reportAttempts(context, attempts)
  for (const ownTx of attempts) reportRevision(context, ownTx, options)
  if (isLayerError(error, 'CLIENT_OUTCOME_UNKNOWN')) return error
  const lost = attempts.find(({ progress, fate }) => progress.now.state === 'superseded' && fate !== 'dead')
  if (lost !== undefined)
    return unknownOutcome(lost, 'it was sent before the connection was lost, and the node does not hold it', error)
  return deadline.isOver && setback instanceof Error ? setback : error
}

/** Signs an attempt and sends it. @returns false when it has to be built again; it was not sent then */
async function signAndSend(
  context: ClientContext,
  plan: ReservationPlan,
  { own, payment, options }: { readonly own: OwnTx; readonly payment: Payment; readonly options: CompleteOptions },
  deadline: Deadline,
  report: Report
): Promise<boolean> {
  const { txId } = own.pending
  const { start, attempts } = payment
  // An earlier process may have sent it: it stays an attempt, which the next one excludes.
  const isSigned = own === start.own && start.signed !== undefined
  const giveUp = (): void => {
    if (!isSigned) return context.txs.abandon(own)
    attempts.push(own)
    payment.setback = 'lost'
    context.txs.supersede(own)
  }
  let signed = start.signed ?? ''
  try {
    // onProgress may have ended it: no wallet is opened then.
    deadline.throwIfOver()
    if (!isSigned) {
      signed = await deadline.race(signWith(plan.wallet, txId, own.cborHex, false), "the wallet's signature")
      report('signed', txId)
      if (options.keep != null) await deadline.race(options.keep(own, signed, attempts), 'the journal')
    }
    if (!(await deadline.race(context.txs.parentsSent(own), 'the transactions that this one builds on'))) {
      giveUp()
      return false
    }
    deadline.throwIfOver()
  } catch (error) {
    giveUp()
    throw error
  }
  context.txs.send(own, signed)
  report('submitted', txId)
  return true
}
