import { stringifyJson } from '../../codec/json.js'
import { sortMembers } from '../../codec/record.js'
import type { ConfirmedSnapshot, Snapshot } from '../protocol/types.js'

/** Reason why a node will refuse a snapshot given to `sideLoadSnapshot`. */
export interface SideLoadRefusal {
  /**
   * Tag of the node's `requirementFailure`, or one of two tags for cases in which the node sends none: `NoOpenHead`
   * (there is no head to load the snapshot into) and `OtherHead` (the snapshot is of a different head: the node then
   * ignores it without a message).
   */
  readonly tag:
    | 'NoOpenHead'
    | 'OtherHead'
    | 'SideLoadInitialSnapshotMismatch'
    | 'SideLoadSnNumberInvalid'
    | 'SideLoadSvNumberInvalid'
    | 'SideLoadUTxOToCommitInvalid'
    | 'SideLoadDepositTxIdInvalid'
    | 'SideLoadUTxOToDecommitInvalid'
  /** The reason in one sentence, which compares the snapshot with the node's own. */
  readonly what: string
}

/**
 * Compares a snapshot with the newest one of a node as the node does (HeadLogic.hs, onOpenClientSideLoadSnapshot); null
 * where it finds no reason for a refusal. Does not check the signatures.
 *
 * @param nodeSnapshot - the node's newest snapshot; null without a head
 */
export function sideLoadRefusal(
  candidate: ConfirmedSnapshot,
  nodeSnapshot: ConfirmedSnapshot | null
): SideLoadRefusal | null {
  if (nodeSnapshot === null)
    return { tag: 'NoOpenHead', what: 'The node has no head into which a snapshot could be loaded.' }
  const [headId, ownHead] = [headOf(candidate), headOf(nodeSnapshot)]
  if (headId !== ownHead)
    return { tag: 'OtherHead', what: `The snapshot is of the head ${headId}, and the node is in ${ownHead}.` }
  const before = nodeSnapshot.tag === 'ConfirmedSnapshot' ? nodeSnapshot.snapshot : null
  if (candidate.tag === 'InitialSnapshot')
    return before === null
      ? null
      : {
          tag: 'SideLoadInitialSnapshotMismatch',
          what: `The snapshot is the initial one, and the node has snapshot ${before.number}.`
        }
  return differences(candidate.snapshot, before)
}

const headOf = (snapshot: ConfirmedSnapshot): string =>
  snapshot.tag === 'ConfirmedSnapshot' ? snapshot.snapshot.headId : snapshot.headId

/**
 * Returns the first difference that is a reason for a refusal, or null. The initial snapshot counts as number 0 of
 * version 0.
 */
function differences(candidate: Snapshot, nodeSnapshot: Snapshot | null): SideLoadRefusal | null {
  const [number, version] = [nodeSnapshot?.number ?? 0, nodeSnapshot?.version ?? 0]
  if (candidate.number < number)
    return {
      tag: 'SideLoadSnNumberInvalid',
      what: `The snapshot has the number ${candidate.number}, and the node has a newer one, ${number}.`
    }
  if ((candidate.version ?? 0) !== version)
    return {
      tag: 'SideLoadSvNumberInvalid',
      what: `The snapshot is of version ${candidate.version ?? 0} of the head, and the node's of version ${version}: the node takes one of its own version alone.`
    }
  if (textOf(candidate.utxoToCommit) !== textOf(nodeSnapshot?.utxoToCommit))
    return {
      tag: 'SideLoadUTxOToCommitInvalid',
      what: "The outputs being added to the head are not those of the node's snapshot."
    }
  if (nodeSnapshot?.depositTxId !== undefined && (candidate.depositTxId ?? null) !== nodeSnapshot.depositTxId)
    return {
      tag: 'SideLoadDepositTxIdInvalid',
      what: `The snapshot brings in the deposit ${candidate.depositTxId ?? 'none'}, and the node's ${nodeSnapshot.depositTxId ?? 'none'}.`
    }
  if (textOf(candidate.utxoToDecommit) !== textOf(nodeSnapshot?.utxoToDecommit))
    return {
      tag: 'SideLoadUTxOToDecommitInvalid',
      what: "The outputs being withdrawn from the head are not those of the node's snapshot."
    }
  return null
}

/** Returns the same text for equal sets of outputs; a missing set counts as an empty one. */
function textOf(utxo: unknown): string {
  return stringifyJson(utxo == null ? {} : sortMembers(utxo))
}
