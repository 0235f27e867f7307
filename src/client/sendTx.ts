import { isLayerError } from '../errors/base.js'
import { ClientTimeoutError, OutcomeUnknownError } from '../errors/client.js'
import { InvalidArgumentError } from '../errors/input.js'
import { sleep } from '../net/timers.js'
import type { UTxO } from '../types/utxo.js'
import type { ClientContext } from './ClientContext.js'
import type { Deadline } from './deadline.js'
import { DEFAULT_RETRIES } from './limits.js'
import type { OwnTx } from './ownTx.js'
import { refOf } from './PendingView.js'
import type { Report } from './progress.js'
import type { TxPlan } from './reserveTxs.js'
import { reserveWhenPossible } from './reserveTxs.js'
import { signWith } from './signWith.js'
import type { SendOptions, SettledTx, TxResult } from './types.js'

/** How long to wait for the snapshot that shows who spent an input before building again, ms. */
const REBUILD_WAIT_MS = 2_000

/** Wait before a payment that could not be sent is built again, ms. */
const UNSENT_WAIT_MS = 50

/** How a transaction is followed. */
export type FollowOptions = Pick<SendOptions, 'wait' | 'retries' | 'onSettled'>

/** @throws {@link InvalidArgumentError} */
export function assertSendOptions({ wait, retries, onSettled }: FollowOptions): void {
  if (wait !== undefined && !['confirmed', 'valid', 'sent'].includes(wait)) throw new InvalidArgumentError('wait', "'confirmed', 'valid' or 'sent'", wait)
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0)) throw new InvalidArgumentError('retries', 'a whole number from 0', retries)
  if (onSettled != null && typeof onSettled !== 'function') throw new InvalidArgumentError('onSettled', 'a function', onSettled)
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
