import { headRules } from '../chain/rulesAt.js'
import type { NodeContext } from './NodeContext.js'
import type { PartyMessage } from './PartyNetwork.js'

/**
 * Applies the transactions of a requested snapshot where the party has applied rivals of them, and drops the rivals;
 * false when it cannot.
 */
export function followLeader(context: NodeContext, txIds: readonly string[]): boolean {
  const { ledger, agenda, runtime } = context
  const retried = agenda.entries().flatMap(({ task }) => (task.do === 'retryTx' ? [task.tx] : []))
  const before = ledger.pendingTxs.length
  if (!ledger.follow(txIds, retried, headRules(context))) return false
  runtime.dispatch({ type: 'TxsPruned', count: before - ledger.pendingTxs.length })
  return true
}

/** The last signature has reached the party. The first party's ledger has moved when the snapshot was completed. */
export function confirmAt(
  { ledger, party, runtime }: NodeContext,
  { signed, txIds }: Extract<PartyMessage, { tag: 'Confirmed' }>
): void {
  const { head } = runtime.state
  if (party > 0) ledger.confirm(ledger.bringForward(txIds) ?? 0)
  if (head.status === 'Open' && head.head.headId === signed.snapshot.headId)
    runtime.dispatch({ type: 'SnapshotSigned', signed })
}
