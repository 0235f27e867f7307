import type { Agenda } from '../chain/Agenda.js'
import type { ClientHub } from './clientHub.js'
import type { ListeningAddress } from '../serve/api/configJson.js'
import type { Counters } from './counters.js'
import type { DepositDrafts } from '../deposits/DepositDrafts.js'
import type { DevNodeFaults } from '../settings/faults.js'
import type { PartyNetwork } from './PartyNetwork.js'
import type { HeadRuntime } from './HeadRuntime.js'
import type { SnapshotSigner } from '../head/snapshotSigner.js'
import type { DevKey } from '../settings/keys.js'
import type { BaseLedger } from '../chain/baseLedger.js'
import type { BaseListener } from '../deposits/submitBaseTx.js'
import type { HeadLedger } from '../head/headLedger.js'
import type { ScriptRunner } from '../rules/ScriptRunner.js'
import type { LedgerParameters } from '../rules/validateTx.js'
import type { NodeClock } from '../chain/NodeClock.js'
import type { ResolvedOptions } from '../settings/options.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import type { DurabilitySlot } from '../chain/Durability.js'
import type { Timers } from '../chain/Timers.js'

/** What the parts of one node share. A part that needs less takes a `Pick` of it. */
export interface NodeContext {
  readonly options: ResolvedOptions
  /** The clock of the options, which can be moved on. */
  readonly clock: NodeClock
  /** How the node's version behaves. */
  readonly features: ProfileFeatures
  /** Faults to commit; they change at any time. */
  readonly faults: DevNodeFaults
  readonly counters: Counters
  /** What keeps the state on disk, if anything does. */
  readonly durability: DurabilitySlot
  /** Hashes of keys whose signatures nobody asks for, by the addresses that were named. */
  readonly impersonated: Map<string, readonly string[]>
  /** Body of GET /protocol-parameters. */
  readonly protocolParameters: Readonly<Record<string, unknown>>
  /** The part of them that the rules of the head's ledger use. */
  readonly parameters: LedgerParameters
  /** Runs Plutus scripts; null without the option `scriptEvaluator`. */
  readonly scripts: ScriptRunner | null
  /** Hydra keys of all parties. */
  readonly keys: readonly DevKey[]
  /** Which of the parties the node is: its own key is `keys[party]`. */
  readonly party: number
  readonly network: PartyNetwork
  /** The head that this node's heads start from, and share no id with; null for most nodes. */
  readonly forkedHeadId: string | null
  readonly signer: SnapshotSigner
  readonly timers: Timers
  /** What the node will do by itself. */
  readonly agenda: Agenda
  readonly base: BaseLedger
  /** Follow what is submitted to the base ledger. */
  readonly baseListeners: Set<BaseListener>
  readonly ledger: HeadLedger
  readonly hub: ClientHub
  readonly runtime: HeadRuntime
  readonly drafts: DepositDrafts
  /** Where GET /config says that the API listens. */
  listensOn(): ListeningAddress
}
