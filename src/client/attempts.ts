import { isLayerError } from '../errors/base.js'
import type { UTxO } from '../types/utxo.js'
import type { ClientContext } from './ClientContext.js'
import type { Deadline } from './deadline.js'
import { fateByHistory, fateOf, isCertain } from './fate.js'
import type { ConfirmedEnd } from './certainFate.js'
import type { Fate } from './fate.js'
import type { OwnTx } from './ownTx.js'
import { refOf } from './PendingView.js'

/** How long to wait for the snapshot that shows who spent an input before building again, ms. */
const REBUILD_WAIT_MS = 2_000

/**
 * Why the last attempt did not end the payment: the node refused it, it was lost on the way to the node, or it was
 * never sent.
 */
export type Setback = Error | 'lost' | 'unsent'

/**
 * Continuation of a payment after a setback. `confirmed`: an attempt is confirmed after all. `rebuild`: build another
 * attempt, which spends the outputs `required` so that it excludes every earlier one that may still be confirmed;
 * `isRetry` is false where other clients, or the connection, were the cause. `refused`: building again would not help.
 */
export type NextStep =
  | { readonly kind: 'confirmed'; readonly own: OwnTx; readonly end: ConfirmedEnd }
  | { readonly kind: 'rebuild'; readonly required: readonly UTxO[]; readonly isRetry: boolean }
  | { readonly kind: 'refused' }

/**
 * Decides by the head's state how a payment continues. The node's error does not decide; it only shows if waiting for a
 * newer state is worthwhile.
 */
export async function nextStep(
  context: ClientContext,
  attempts: readonly OwnTx[],
  setback: Setback,
  deadline: Deadline
): Promise<NextStep> {
  const end = Date.now() + REBUILD_WAIT_MS
  for (;;) {
    await context.connection.ready('The payment', deadline)
    const fates = await deadline.race(
      Promise.all(attempts.map((attempt) => certainFate(context, attempt))),
      "the head's state and history"
    )
    for (const [index, fate] of fates.entries())
      if (typeof fate === 'object') return { kind: 'confirmed', own: attempts[index]!, end: fate }
    if (fates.every((fate) => fate === 'dead')) return { kind: 'rebuild', required: [], isRetry: false }
    if (!isWorthWaiting(setback)) return { kind: 'refused' }
    const open = attempts.filter((_, index) => fates[index] !== 'dead')
    const required = commonInputs(context, open)
    const isTimeUp = Date.now() >= end
    if (required !== null && (isTimeUp || typeof setback === 'string'))
      return { kind: 'rebuild', required, isRetry: typeof setback !== 'string' }
    // Every input is made by a payment whose end its own call decides.
    if (required === null && isTimeUp && typeof setback !== 'string' && !open.some(hasUndecidedAncestor))
      return { kind: 'refused' }
    await deadline.race(
      context.changes.next(Math.max(100, end - Date.now())),
      'the snapshot that shows who spent an input'
    )
  }
}

/**
 * Marks attempts whose caller receives the refusal: a later payment has to exclude them, because they may still be
 * confirmed, and they are not built again.
 */
export function reportAttempts(context: ClientContext, attempts: readonly OwnTx[]): void {
  for (const attempt of attempts) attempt.isReported = true
  context.changes.announce()
}

/**
 * Returns the fate of a transaction (its end, as far as it is certain); searches the history when messages were missed.
 */
export async function certainFate(context: ClientContext, ownTx: OwnTx): Promise<Fate> {
  // With its parents it can never be confirmed.
  for (const parent of ownTx.parents) await certainFate(context, parent)
  const fate = fateOf(context, ownTx)
  if (fate !== 'ask' && fate !== 'unseen') return fate
  const decided = fateByHistory(context, ownTx, { before: fate, found: await context.connection.history.find(ownTx) })
  if (decided === 'dead') ownTx.fate = 'dead'
  else if (typeof decided === 'object') context.txs.revise(decided)
  return decided
}

/**
 * True when the next snapshots may show more: another client's transaction is ahead of ours in the node's own ledger,
 * or ours was not refused.
 */
function isWorthWaiting(setback: Setback): boolean {
  return typeof setback === 'string' || (isLayerError(setback, 'CLIENT_LEDGER') && setback.reason === 'inputs-spent')
}

/**
 * Returns unspent outputs that include an input of each attempt, so that spending them excludes all attempts; null when
 * one has no unspent input, because it spends unconfirmed outputs.
 */
function commonInputs(context: ClientContext, attempts: readonly OwnTx[]): readonly UTxO[] | null {
  const chosen = new Map<string, UTxO>()
  for (const { pending } of attempts) {
    const unspent = pending.inputs.filter((utxo) => context.bridge.isUnspent(refOf(utxo)) === true)
    if (unspent.some((utxo) => chosen.has(refOf(utxo)))) continue
    if (unspent.length === 0) return null
    chosen.set(refOf(unspent[0]!), unspent[0]!)
  }
  return [...chosen.values()]
}

function hasUndecidedAncestor({ parents }: OwnTx): boolean {
  return parents.some((parent) => !isCertain(parent.fate) && (!parent.isReported || hasUndecidedAncestor(parent)))
}
