import type { TextOutputs } from './SnapshotTexts.js'
import type { ConfirmedSnapshot, UTxOObject } from '../protocol/types.js'

/** Outputs of the head that replace the cache's content: from a request, not from messages. */
export interface Baseline {
  /** The cache's `epoch` at the time of the request: a response is not used if the content was dropped after that. */
  readonly epoch: number
  /** Id of the head; null where the source does not include it. */
  readonly headId: string | null
  /** Number of the snapshot; null where the source does not include it (GET /snapshot/utxo). */
  readonly number: number | null
  readonly version?: number | undefined
  /** True when a message brought it just now. @default false: it was requested, and may be old */
  readonly isNew?: boolean
  /** Accessing them may parse their text. */
  readonly utxo: UTxOObject
  /** The outputs, where they have been read from the text. */
  readonly read?: TextOutputs | null
  readonly utxoToCommit?: UTxOObject | null
  /** Deposit that `utxoToCommit` comes from, where the snapshot names it. */
  readonly depositTxId?: string | null | undefined
  /** Outputs being withdrawn, which are no longer in `utxo`. */
  readonly utxoToDecommit?: UTxOObject | null
}

/** Returns the number and outputs of an answer to GET /snapshot as a baseline. */
export function baselineFromSnapshot(
  confirmed: ConfirmedSnapshot,
  epoch: number,
  read: TextOutputs | null = null
): Baseline {
  if (confirmed.tag === 'InitialSnapshot')
    return { epoch, headId: confirmed.headId, number: 0, utxo: confirmed.initialUTxO ?? {} }
  const { snapshot } = confirmed
  const { headId, number, version, utxoToCommit, utxoToDecommit, depositTxId } = snapshot
  return {
    epoch,
    headId,
    number,
    version,
    get utxo() {
      return snapshot.utxo ?? {}
    },
    read,
    utxoToCommit,
    utxoToDecommit,
    depositTxId
  }
}
