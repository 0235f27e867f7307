import type { ChainTime } from '../../chain/chainTime.js'
import type { HeadLedger } from '../../head/headLedger.js'
import type { NodeState, SnapshotInFlight } from '../../head/types.js'
import type { DevKey } from '../../settings/keys.js'
import type { NodeSettings } from '../../settings/options.js'
import type { ProfileFeatures } from '../../settings/profiles.js'

/** Settings and time that the node's JSON shows. */
export interface ChainView extends ChainTime {
  readonly options: NodeSettings
  readonly features: ProfileFeatures
}

/** A party as the node's JSON shows it. */
export interface PartyView {
  /** Place among the parties, from 0. */
  readonly index: number
  readonly chain: ChainView
  readonly head: {
    readonly keys: readonly DevKey[]
    readonly signing: { inFlight(party: number): SnapshotInFlight | null }
  }
  readonly ledger: HeadLedger
  readonly runtime: { readonly state: NodeState }
}
