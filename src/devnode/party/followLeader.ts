import type { LedgerRules } from '../rules/LedgerEnvironment.js'
import type { HeadMember } from './HeadMember.js'
import type { PartyMessage } from './PartyMessage.js'

/**
 * Replaces transactions of a party that conflict with the leader's requested snapshot by those of the snapshot; returns
 * false, without a change, when that is not possible.
 */
export function followLeader(party: HeadMember, txIds: readonly string[], rules: LedgerRules): boolean {
  const { ledger, agenda, runtime } = party
  const retried = agenda.entries().flatMap(({ task }) => (task.do === 'retryTx' ? [task.tx] : []))
  const before = ledger.pendingTxs.length
  if (!ledger.follow(txIds, retried, rules)) return false
  runtime.dispatch({ type: 'TxsPruned', count: before - ledger.pendingTxs.length })
  return true
}

/** Confirms a snapshot at a party that the last signature has reached. */
export function confirmAt(
  { ledger, runtime }: Pick<HeadMember, 'ledger' | 'runtime'>,
  { signed, txIds }: Extract<PartyMessage, { tag: 'Confirmed' }>
): void {
  const { head } = runtime.state
  // The ledger on which the snapshot was completed has moved: none of the transactions is pending there.
  ledger.confirm(ledger.bringForward(txIds) ?? 0)
  if (head.status === 'Open' && head.head.headId === signed.snapshot.headId)
    runtime.dispatch({ type: 'SnapshotSigned', signed })
}
