import type { HeadFacts, NodeFacts, SnapshotFacts } from '../facts/HeadFacts.js'
import { valueOrNull } from '../facts/HeadFacts.js'
import { DECOMMIT_PAUSE_MS } from '../limits.js'
import type { Finding, PlannedStep } from '../types.js'
import { finding, unknowns } from './finding.js'

/** Judges decommits that are under way, or over so recently that the next one has to wait. */
export function judgeDecommits(
  facts: HeadFacts,
  ownNode: NodeFacts,
  snapshot: SnapshotFacts | null,
  before: PlannedStep | null
): readonly Finding[] {
  return [judgePending(ownNode, snapshot, before), ...judgePause(facts, before)]
}

function judgePending(ownNode: NodeFacts, snapshot: SnapshotFacts | null, before: PlannedStep | null): Finding {
  const head = valueOrNull(ownNode.head)
  // From its request on the node names it; a snapshot of an older version than the head's has seen it leave.
  const isApplied = head?.version != null && snapshot?.version != null && head.version > snapshot.version
  const leaving = isApplied ? 0 : (snapshot?.toDecommit.length ?? 0)
  const txId = head?.decommitTxId ?? null
  const evidence = { decommitTxId: txId, outputs: leaving }
  if (txId === null && leaving === 0) {
    if (head === null && snapshot === null)
      return unknowns(['decommit-pending'], 'unread' in ownNode.head ? ownNode.head.unread : 'there is no head')[0]!
    return finding('decommit-pending', 'ok', 'No decommit is under way.', { evidence })
  }
  return finding('decommit-pending', before === 'decommit' ? 'block' : 'warn', 'A decommit is under way.', {
    evidence,
    refs: txId === null ? [] : [txId]
  })
}

function judgePause({ at, nodes, history }: HeadFacts, before: PlannedStep | null): readonly Finding[] {
  const versions = nodes.flatMap(({ name, head, snapshot }) => {
    const version = valueOrNull(head)?.version ?? valueOrNull(snapshot)?.version ?? null
    return version === null ? [] : [{ name, version }]
  })
  const differs = new Set(versions.map(({ version }) => version)).size > 1
  const past = valueOrNull(history)
  const finalAt = past?.decommitFinalizedAt ?? null
  const waitMs = finalAt === null ? 0 : Math.max(0, finalAt + DECOMMIT_PAUSE_MS - at)
  const evidence = {
    decommitFinalizedAt: finalAt,
    waitMs,
    versions: versions.map(({ name, version }) => `${name} ${version}`)
  }
  const severity = before === 'decommit' ? 'block' : 'warn'
  if (differs)
    return [
      finding('decommit-pause', severity, 'The nodes show different versions of the head.', {
        evidence,
        refs: versions.map(({ name }) => name)
      })
    ]
  if (waitMs > 0) return [finding('decommit-pause', severity, 'A decommit was final less than 45 s ago.', { evidence })]
  if (past?.complete !== true)
    return unknowns(['decommit-pause'], 'unread' in history ? history.unread : 'the history has a gap')
  return [finding('decommit-pause', 'ok', 'No decommit was final in the last 45 s.', { evidence })]
}
