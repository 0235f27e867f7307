import type { HeadAction } from '../head/HeadAction.js'
import type { SignedLocalSnapshot } from '../head/types.js'
import type { PreparedTx } from '../rules/preparedTx.js'

/**
 * A message of a party to all, itself included; all receive them in the same order (Hydra.Network.Etcd).
 */
export type PartyMessage =
  | { readonly tag: 'ReqTx'; readonly tx: PreparedTx }
  | { readonly tag: 'ReqDec'; readonly tx: PreparedTx }
  /** The leader requests a snapshot with these transactions. */
  | { readonly tag: 'ReqSn'; readonly round: SnapshotRound }
  | { readonly tag: 'AckSn'; readonly round: SnapshotRound; readonly party: number }
  /** The last signature has arrived, so each party confirms the snapshot before the next one is requested. */
  | { readonly tag: 'Confirmed'; readonly signed: SignedLocalSnapshot; readonly txIds: readonly string[] }

/** A snapshot that all parties are requested to sign. */
export interface SnapshotRound {
  /** Number of the request, from 1; a snapshot whose signing a side-load has ended is requested again. */
  readonly id: number
  readonly action: Extract<HeadAction, { do: 'sign' }>
  /** Version of the head that the leader knows; given where parties see the base ledger at different times. */
  readonly version?: number
  /** Ids of the transactions and decommits, in their order. */
  readonly txIds: readonly string[]
}
