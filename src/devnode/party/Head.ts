import type { DepositDrafts } from '../deposits/DepositDrafts.js'
import type { HeadTxs } from '../headTxs/HeadTxs.js'
import type { SnapshotSigner } from '../head/snapshotSigner.js'
import type { DevNodeFaults } from '../settings/faults.js'
import type { DevKey } from '../settings/keys.js'
import type { HeadIds } from './HeadIds.js'
import type { PartyNetwork } from './PartyNetwork.js'
import type { SnapshotSigning } from './SnapshotSigning.js'

/** The parts of a head that all its parties share. */
export interface Head {
  /** Hydra keys of all parties. */
  readonly keys: readonly DevKey[]
  readonly signer: SnapshotSigner
  /** Faults that concern the whole head: those of the node. */
  readonly faults: DevNodeFaults
  readonly network: PartyNetwork
  /** The snapshot that is being signed, and the signatures so far. */
  readonly signing: SnapshotSigning
  readonly drafts: DepositDrafts
  readonly ids: HeadIds
  /** Makes the steps of the head on the base ledger. */
  readonly txs: HeadTxs
  /** Verification key of the party whose commit opens a head (before 2.0): the others make an empty commit. */
  readonly committer: string
  /** Id of the head that the node's heads were forked from; null without a fork. */
  readonly forkedHeadId: string | null
}
