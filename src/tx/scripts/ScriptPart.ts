import type { ScriptEvaluator } from '../../types/scriptEvaluator.js'
import type { ScriptRef, UTxO } from '../../types/utxo.js'
import type { TxParameters } from '../parameters.js'

/** Plutus data as an argument: `PlutusData` of `layer-sdk/utils`, another object with its `toCbor()`, or CBOR hex. */
export type PlutusDataSource = string | { toCbor(): string }

/** Data by which a Plutus script is run: its redeemer, and the script itself or an output that carries it. */
export interface ScriptWitness {
  /** Argument of the script. */
  redeemer: PlutusDataSource
  /** Script that the transaction carries. `scriptRef()` makes it from a blueprint's code. */
  script?: ScriptRef | undefined
  /** Output that carries the script, for use as reference input. @default one of `readFrom` or of the inputs */
  reference?: UTxO | undefined
}

/** Data by which a Plutus script that locks an output is run. */
export interface SpendWitness extends ScriptWitness {
  /** Datum of the output, needed when the output has only the hash of it. */
  datum?: PlutusDataSource | undefined
}

/** Data by which a Plutus script that owns rewards is run. */
export interface WithdrawWitness extends ScriptWitness {
  /** Rewards to withdraw, lovelace. @default 0n, which only runs the script */
  amount?: bigint | undefined
}

/** Options by which a transaction with Plutus scripts is completed. */
export interface BuildOptions {
  /** Function that runs the scripts, e.g. `scalusEvaluator()` of `layer-sdk/scalus`. */
  evaluator?: ScriptEvaluator | undefined
  /**
   * Times of the ledger's slots, from which scripts see the time: slot `zeroSlot` begins at `zeroTime` (ms since the
   * Unix epoch), and each slot lasts `slotLength` ms. For a head, `getSlotConfig()` of the adapters returns them.
   * @default those of mainnet for mainnet addresses; required for other networks
   */
  slots?: { readonly zeroTime: number; readonly zeroSlot: number; readonly slotLength: number } | undefined
}

/** One call about scripts that a builder has recorded. It is checked when the transaction is built. */
export type ScriptPart =
  | { readonly kind: 'spend'; readonly utxo: UTxO; readonly witness: SpendWitness }
  | {
      readonly kind: 'mint'
      readonly policyId: string
      readonly assets: Readonly<Record<string, bigint>>
      readonly witness: ScriptWitness
    }
  | { readonly kind: 'withdraw'; readonly address: string; readonly witness: WithdrawWitness }
  | { readonly kind: 'read' | 'collateral'; readonly utxos: readonly UTxO[] }

/** Parts of a builder that concern Plutus scripts, in addition to the plan of a payment. */
export interface RecordedScripts {
  readonly parts: readonly ScriptPart[]
  /** Original protocol parameters that the caller passed. */
  readonly given: TxParameters
  /** Options for calls that leave them out. */
  readonly defaults: BuildOptions
}
