import type { LedgerParameters } from './LedgerParameters.js'
import type { ScriptRunner } from './ScriptRunner.js'
import type { UtxoSet } from './utxoSet.js'

/** The ledger state, time and settings that a transaction is validated in. */
export interface LedgerEnvironment {
  readonly parameters: LedgerParameters
  readonly networkId: 0 | 1
  /** Slot of the base ledger. */
  readonly slot: bigint
  readonly utxo: Pick<UtxoSet, 'get'>
  /**
   * True when the ledger refuses a transaction whose inputs are all unknown as a probable duplicate, before any other
   * rule (from node 2.1).
   */
  readonly duplicateCheck?: boolean
  /**
   * True when there is an empty account for each withdrawal of zero, as a head pretends; the base ledger has no
   * accounts.
   */
  readonly zeroAccounts?: boolean
  /** Hashes of keys whose signatures are not required. */
  readonly impersonated?: ReadonlySet<string>
  /** Runner of the scripts; without one a transaction with Plutus scripts is refused. */
  readonly scripts?: ScriptRunner | null
}

/** Time and settings of a ledger: all that a validation needs besides the UTxO. */
export type LedgerRules = Omit<LedgerEnvironment, 'utxo'>
