import type { Timers } from '../chain/Timers.js'
import type { HeadAction } from '../head/HeadAction.js'
import type { Accumulators } from '../head/snapshotHashes.js'
import type { OnCommitment } from '../head/snapshotHashes.js'
import { accumulatorsOf } from '../head/snapshotHashes.js'
import type { OpenHead, LocalSnapshot } from '../head/types.js'
import { nextTask } from '../../net/nextTask.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import type { HeadMember } from './HeadMember.js'

export type SignAction = Extract<HeadAction, { do: 'sign' }>
/** A party in a round of signatures. */
export interface Signing {
  readonly dueMs: number
  signed: boolean
  /** Ends the wait. */
  readonly cancel: () => void
}
export type SnapshotContent = Pick<
  LocalSnapshot,
  'headId' | 'version' | 'number' | 'utxoToCommit' | 'depositTxId' | 'utxoToDecommit'
>
/** Version of the head as a party knows it. */
export const versionAt = ({ state: { head } }: HeadMember['runtime']): number =>
  head.status === 'Open' ? head.version : 0

/** The content of a requested snapshot, as the head stands now. */
export function contentOf(
  { headId, number, ...moves }: SignAction,
  { version, deposit, decommit }: OpenHead
): SnapshotContent {
  // An increment or decrement seen since then has changed the version, and the outputs that it moved are no longer on
  // their way.
  const { utxoToCommit, depositTxId } = deposit === null ? { utxoToCommit: null, depositTxId: null } : moves
  const utxoToDecommit = decommit === null ? null : moves.utxoToDecommit
  return { headId, version, number, utxoToCommit, depositTxId, utxoToDecommit }
}

/** Works out the accumulators; undefined when there are too many outputs, or when `ended` or the node ends it. */
export function accumulateUntil(
  ended: AbortController,
  content: SnapshotContent & Pick<LocalSnapshot, 'utxo'>,
  { timers, features }: { readonly timers: Timers; readonly features: ProfileFeatures },
  onCommitment: OnCommitment
): Promise<Accumulators | undefined> {
  const pause = (): Promise<void> =>
    new Promise<void>(nextTask).then(() => {
      if (timers.stopped) ended.abort()
      ended.signal.throwIfAborted()
    })
  return accumulatorsOf(content, features, pause, onCommitment).catch((error: unknown) => {
    if (!ended.signal.aborted) throw error
    return undefined
  })
}
