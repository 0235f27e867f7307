import type { ScriptRunner } from '../rules/ScriptRunner.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import type { NodeSettings } from '../settings/options.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import type { BaseLedger } from './baseLedger.js'
import type { DurabilitySlot } from './Durability.js'
import type { NodeClock } from './NodeClock.js'
import type { Timers } from './Timers.js'

/** The base ledger of a local head, and all that outlives its heads: settings, time, rules. */
export interface Chain {
  readonly options: NodeSettings
  /** Behaviour of the node's version. */
  readonly features: ProfileFeatures
  /** The clock of the options, which can be moved on. */
  readonly clock: NodeClock
  readonly timers: Timers
  readonly base: BaseLedger
  /** Stores the state on disk; empty without a state file. */
  readonly durability: DurabilitySlot
  /** Body of GET /protocol-parameters. */
  readonly protocolParameters: Readonly<Record<string, unknown>>
  /** The part of {@link protocolParameters} that the rules of the head's ledger use. */
  readonly parameters: LedgerParameters
  /** Runs Plutus scripts; null without the option `scriptEvaluator`. */
  readonly scripts: ScriptRunner | null
  /** By impersonated address: the hashes of its keys, whose signatures are not required. */
  readonly impersonated: Map<string, readonly string[]>
}
