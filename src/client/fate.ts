import type { FoundTransaction, LayerBridge } from '../bridge/inner.js'
import type { CertainFate } from './certainFate.js'
import type { OwnTx } from './ownTx.js'
import { isVerifying } from './ownTx.js'
import { refOf } from './PendingView.js'

/**
 * The end of a transaction that was sent, as far as it is certain. `dead`: it can never be confirmed, because another
 * transaction has spent one of its inputs, or a parent is dead. `open`: neither is certain yet. `ask`: an input is
 * spent, and messages were missed that may have confirmed the transaction, so the history has to decide. `unseen`: an
 * input is not there and has not been seen, because it was spent long ago, or is still to come from another client.
 */
export type Fate = CertainFate | 'open' | 'ask' | 'unseen'

/** Source of a fate: the head's confirmed state. */
export interface FateContext {
  readonly bridge: LayerBridge
}

/** Returns true when the end is final. */
export function isCertain(fate: Fate): fate is CertainFate {
  return typeof fate === 'object' || fate === 'dead'
}

/** Returns the fate of a transaction by the head's state and the messages received so far. No I/O. */
export function fateOf({ bridge }: FateContext, ownTx: OwnTx): Fate {
  const fates = new Map<OwnTx, Fate>()
  const verified = isVerifying({ bridge })
  const read = (each: OwnTx): Fate => {
    const before = fates.get(each)
    if (before !== undefined) return before
    const fate = decide(each)
    if (fate === 'dead') each.fate = 'dead'
    fates.set(each, fate)
    return fate
  }
  const decide = ({ pending, parents, fate: certain, confirmedInputs }: OwnTx): Fate => {
    if (isCertain(certain)) return certain
    const { txId, outputs, inputs } = pending
    const tracked = bridge.trackedTx(txId)
    if (tracked.state === 'confirmed')
      return { txId, outcome: 'confirmed', snapshotNumber: tracked.snapshotNumber, exact: true, verified }
    const { state, ready } = bridge.getSnapshot()
    if (state !== 'connected' || !ready) return 'open'
    if (outputs.some((utxo) => bridge.isUnspent(refOf(utxo)) === true))
      return { txId, outcome: 'confirmed', snapshotNumber: bridge.lastSnapshotNumber, exact: false, verified }
    const ends = parents.map(read)
    if (ends.includes('dead')) return 'dead'
    const makers = new Map(parents.map((parent, index) => [parent.pending.txId, ends[index]!]))
    const missing = inputs.map(refOf).filter((ref) => bridge.isUnspent(ref) === false)
    const isSpent = missing.some(
      (ref) => confirmedInputs.includes(ref) || typeof makers.get(ref.slice(0, 64)) === 'object'
    )
    if (isSpent) return tracked.state === 'open' && !tracked.missed ? 'dead' : 'ask'
    return missing.some((ref) => !makers.has(ref.slice(0, 64))) ? 'unseen' : 'open'
  }
  return read(ownTx)
}

/** Returns the fate of a transaction by the result of a search in the history. `before`: its fate without that. */
export function fateByHistory(
  { bridge }: FateContext,
  ownTx: OwnTx,
  { before, found }: { before: Fate; found: FoundTransaction | null }
): Fate {
  if (found === null) return before
  const { txId } = ownTx.pending
  if (found.status === 'confirmed')
    return {
      txId,
      outcome: 'confirmed',
      snapshotNumber: found.snapshotNumber,
      exact: found.exact,
      verified: isVerifying({ bridge })
    }
  // A history is not signed as a whole: a relay can leave a transaction out.
  return before === 'ask' && found.isComplete && !isVerifying({ bridge }) ? 'dead' : before
}
