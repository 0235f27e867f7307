import type { SignedLocalSnapshot } from '../head/types.js'
import type { SnapshotRequest } from './inFlight.js'
import type { SnapshotRound } from './PartyMessage.js'

/** The signing of snapshots, as saved in the node's state. */
export interface SavedSigning {
  /** The snapshot that is being signed, and the time at which all parties have signed it. */
  readonly requested: (SnapshotRequest & { readonly dueMs: number }) | null
  /** The snapshot before the latest one. */
  readonly previous: SignedLocalSnapshot | null
  /** Number of requests among several parties so far; `round` is the one under way. */
  readonly rounds: number
  readonly round: SavedRound | null
}

/** A request that several parties sign. */
export interface SavedRound {
  readonly round: SnapshotRound
  /** The participating parties, and the times at which each signs or has signed. */
  readonly joined: readonly (readonly [party: number, dueMs: number, signed: boolean])[]
  /** By party (`at`): the parties whose signatures have reached it. */
  readonly seen: readonly (readonly [at: number, parties: readonly number[]])[]
  /**
   * Parties that the request has reached and that cannot sign it yet; absent in documents written before it was kept.
   */
  readonly waiting?: readonly number[]
}
