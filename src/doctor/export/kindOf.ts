import type { ExportKind } from './types.js'

/** Kinds by tag; the first row that matches counts. A tag that matches no row is of the kind `node`. */
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

/** Returns the kind of a message; `node` for an unknown tag. */
export function kindOf(tag: unknown): ExportKind {
  return (typeof tag === 'string' ? KINDS.find(([tags]) => tags.test(tag))?.[1] : undefined) ?? 'node'
}
