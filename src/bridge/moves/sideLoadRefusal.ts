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
 * @param own - the node's newest snapshot; null without a head
 */
export function sideLoadRefusal(given: ConfirmedSnapshot, own: ConfirmedSnapshot | null): SideLoadRefusal | null {
  if (own === null) return { tag: 'NoOpenHead', what: 'The node has no head into which a snapshot could be loaded.' }
  const [headId, ownHead] = [headOf(given), headOf(own)]
  if (headId !== ownHead)
    return { tag: 'OtherHead', what: `The snapshot is of the head ${headId}, and the node is in ${ownHead}.` }
  const before = own.tag === 'ConfirmedSnapshot' ? own.snapshot : null
  if (given.tag === 'InitialSnapshot')
    return before === null
      ? null
      : {
          tag: 'SideLoadInitialSnapshotMismatch',
          what: `The snapshot is the initial one, and the node has snapshot ${before.number}.`
        }
  return differences(given.snapshot, before)
}

const headOf = (snapshot: ConfirmedSnapshot): string =>
  snapshot.tag === 'ConfirmedSnapshot' ? snapshot.snapshot.headId : snapshot.headId

/**
 * Returns the first difference that is a reason for a refusal, or null. The initial snapshot counts as number 0 of
 * version 0.
 */
function differences(given: Snapshot, own: Snapshot | null): SideLoadRefusal | null {
  const [number, version] = [own?.number ?? 0, own?.version ?? 0]
  if (given.number < number)
    return {
      tag: 'SideLoadSnNumberInvalid',
      what: `The snapshot has the number ${given.number}, and the node has a newer one, ${number}.`
    }
  if ((given.version ?? 0) !== version)
    return {
      tag: 'SideLoadSvNumberInvalid',
      what: `The snapshot is of version ${given.version ?? 0} of the head, and the node's of version ${version}: the node takes one of its own version alone.`
    }
  if (textOf(given.utxoToCommit) !== textOf(own?.utxoToCommit))
    return {
      tag: 'SideLoadUTxOToCommitInvalid',
      what: "The outputs being added to the head are not those of the node's snapshot."
    }
  if (own?.depositTxId !== undefined && (given.depositTxId ?? null) !== own.depositTxId)
    return {
      tag: 'SideLoadDepositTxIdInvalid',
      what: `The snapshot brings in the deposit ${given.depositTxId ?? 'none'}, and the node's ${own.depositTxId ?? 'none'}.`
    }
  if (textOf(given.utxoToDecommit) !== textOf(own?.utxoToDecommit))
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
