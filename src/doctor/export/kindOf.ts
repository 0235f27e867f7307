import type { ExportKind } from './types.js'

/** Kinds by tag; the first that matches counts. Tags of no row are messages of the node. */
const KINDS: readonly (readonly [tags: RegExp, kind: ExportKind])[] = [
  [
    /^(TxInvalid|DecommitInvalid|CommandFailed|InvalidInput|RejectedInput\w*|SideLoadSnapshotRejected|PostTxOnChainFailed|CommitIgnored|DroppedFromQueue|LogicError)$/,
    'refusal'
  ],
  [/^(Head\w+|ReadyToFanout|Committed|IgnoredHeadInitializing)$/, 'head'],
  [/^(Commit|Deposit)\w+$/, 'deposit'],
  [/^Decommit\w+$/, 'withdrawal'],
  [/^TxValid$/, 'tx'],
  [/^Snapshot\w+$/, 'snapshot'],
  [/^(Peer|Network)\w+$/, 'peer']
]

/** Returns the kind of a message; one that is not known is of the node. */
export function kindOf(tag: unknown): ExportKind {
  return (typeof tag === 'string' ? KINDS.find(([tags]) => tags.test(tag))?.[1] : undefined) ?? 'node'
}
