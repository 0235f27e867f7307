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
/** The signature of a party in a round: when it is due, and if it has been made. */
export interface Signing {
  readonly dueMs: number
  signed: boolean
  /** Cancels a signature that is still due. */
  readonly cancel: () => void
}
export type SnapshotContent = Pick<
  LocalSnapshot,
  'headId' | 'version' | 'number' | 'utxoToCommit' | 'depositTxId' | 'utxoToDecommit'
>
/** Returns the version of the head that a party knows. */
export const versionAt = ({ state: { head } }: HeadMember['runtime']): number =>
  head.status === 'Open' ? head.version : 0

/** Returns the content of a requested snapshot in the present state of the head. */
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

/** Computes the accumulators; undefined for too many outputs, or when `ended` is aborted or the node is stopped. */
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
