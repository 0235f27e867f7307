import { isLayerError } from '../errors/base.js'
import { ClientTimeoutError, OutcomeUnknownError } from '../errors/client.js'
import type { ClientContext } from './ClientContext.js'
import type { Deadline } from './deadline.js'
import type { OwnTx } from './ownTx.js'
import { confirmationOf, endOf } from './ownTx.js'
import type { Report } from './progress.js'
import type { SendOptions, SettledTx, TxResult } from './types.js'
import { untilLost } from './untilLost.js'

/** Options of {@link followTx}. */
export type FollowOptions = Pick<SendOptions, 'wait' | 'retries' | 'onSettled'>

/** Follows a transaction that this or another call has sent, and returns its result. */
export async function followTx(
  context: ClientContext,
  ownTx: OwnTx,
  options: FollowOptions,
  deadline: Deadline,
  report: Report
): Promise<TxResult> {
  const settled = await follow(context, ownTx, { ...options, attempts: [], isReplaceable: false }, deadline, report)
  if (settled?.outcome !== 'rejected') return resultOf(ownTx, settled)
  reportRevision(context, ownTx, options)
  throw settled.error
}

/** Returns the result of a transaction that ended. @throws {@link OutcomeUnknownError} when its end is unknown */
export function resultOf(ownTx: OwnTx, settled: FinalEnd | null): TxResult {
  const {
    pending: { txId },
    fee
  } = ownTx
  if (settled === null) return { txId, fee }
  if (settled.outcome === 'confirmed')
    return { txId, snapshotNumber: settled.snapshotNumber, exact: settled.exact, verified: settled.verified, fee }
  throw unknownOutcome(ownTx, "its inputs are spent, and neither the head's state nor its history tells by what")
}

/** Options of {@link follow}. */
interface FollowedAttempt extends FollowOptions {
  /** Earlier attempts, one of which may be confirmed all the same. */
  readonly attempts: readonly OwnTx[]
  /** True when another attempt may replace it when it is lost. */
  readonly isReplaceable: boolean
}

/** A final end: building the payment again would not change it. */
export type FinalEnd = Exclude<SettledTx, { outcome: 'rejected' }>

/** End of an attempt; `isLost`: it was given up for another one. */
type FollowedEnd = FinalEnd | { readonly outcome: 'rejected'; readonly error: Error; readonly isLost?: true }

/** Follows one attempt to its end. @returns null when the step that the option `wait` names is reached before */
export async function follow(
  context: ClientContext,
  ownTx: OwnTx,
  { wait = 'confirmed', onSettled, attempts, isReplaceable }: FollowedAttempt,
  deadline: Deadline,
  report: Report
): Promise<FollowedEnd | null> {
  const { txId } = ownTx.pending
  const reportLater = (): void => reportEnd(context, ownTx, { onSettled })
  let isValidReported = wait === 'sent'
  const reportValid = (): void => {
    if (!isValidReported) report('valid', txId)
    isValidReported = true
  }
  const ends: Promise<FollowedEnd>[] = [
    endOf(ownTx),
    ...attempts.map(confirmationOf),
    ownTx.progress
      .until('unknown', (now) => now.isReviewed && isFinal(context, now.error))
      .then(({ error }) => {
        throw error
      })
  ]
  if (isReplaceable && wait !== 'sent')
    ends.push(untilLost(context, ownTx).then(() => ({ outcome: 'rejected', error: new Error('lost'), isLost: true })))
  const end = Promise.race(ends)
  end.catch(() => undefined)
  const progress = wait === 'sent' ? leftForNode(ownTx) : acceptedByHead(ownTx).then(reportValid)
  try {
    const waitingFor = wait === 'sent' ? 'the connection that takes it' : 'the verdict of the head'
    const first = await deadline.race(Promise.race([progress.then(() => null), end]), waitingFor)
    if (first === null && wait !== 'confirmed') {
      reportLater()
      return null
    }
    const settled = first ?? (await deadline.race(end, 'the snapshot that confirms it'))
    if (settled.outcome === 'rejected' && settled.isLost === true) context.txs.supersede(ownTx)
    if (settled.outcome === 'confirmed') {
      if (settled.txId === txId) reportValid()
      report('confirmed', settled.txId)
    }
    return settled
  } catch (error) {
    reportLater()
    throw unknownOutcome(ownTx, reasonOf(error), error)
  }
}

/**
 * Returns true when an unknown outcome ends the wait: the validity of the transaction is over, or the client does not
 * reconnect. Otherwise the reviews of state and history may still decide it, and another attempt may replace it.
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
async function acceptedByHead(ownTx: OwnTx): Promise<void> {
  await Promise.race([ownTx.progress.until('valid'), confirmationOf(ownTx)])
}

/** Calls `onSettled` with a transaction's end once it is known, and again when a refused one is confirmed after all. */
function reportEnd(context: ClientContext, ownTx: OwnTx, { onSettled }: FollowOptions): void {
  if (onSettled == null) return
  void endOf(ownTx).then((settled) => {
    context.callbacks.invokeSafely('onSettled', () => onSettled(settled))
    if (settled.outcome !== 'confirmed') reportRevision(context, ownTx, { onSettled })
  })
}

/** Calls `onSettled` when a refused transaction is confirmed after all. */
export function reportRevision(context: ClientContext, ownTx: OwnTx, { onSettled }: FollowOptions): void {
  if (onSettled != null)
    void confirmationOf(ownTx).then((settled) => context.callbacks.invokeSafely('onSettled', () => onSettled(settled)))
}

export function unknownOutcome(ownTx: OwnTx, reason: string, cause?: unknown): OutcomeUnknownError {
  return new OutcomeUnknownError(ownTx.pending.txId, ownTx.expiresAt, reason, cause)
}

function reasonOf(error: unknown): string {
  if (error instanceof ClientTimeoutError) return `no confirmation within ${error.timeoutMs} ms`
  if (isLayerError(error, 'BRIDGE_SUBMIT')) return error.reason
  if (isLayerError(error, 'BRIDGE_DISCONNECTED')) return 'the client was disconnected'
  return 'the wait was aborted'
}
