import type { ScriptEvaluator } from '../../types/scriptEvaluator.js'
import type { ScriptRef, UTxO } from '../../types/utxo.js'
import type { TxParameters } from '../parameters.js'

/** Plutus data: `PlutusData` of `layer-sdk/utils`, or anything with its `toCbor()`, or CBOR hex. */
export type PlutusDataSource = string | { toCbor(): string }

/** Needs of a Plutus script: its redeemer, and the script itself. */
export interface ScriptWitness {
  /** Argument of the script. */
  redeemer: PlutusDataSource
  /** Script that the transaction carries, in either wrapping; `scriptRef()` makes one of a blueprint's code. */
  script?: ScriptRef | undefined
  /** Output that carries the script; the transaction refers to it. @default one of `readFrom` or of the inputs */
  reference?: UTxO | undefined
}

/** Witness of a script that locks an output. */
export interface SpendWitness extends ScriptWitness {
  /** Datum of an output that holds a hash alone. */
  datum?: PlutusDataSource | undefined
}

/** Witness of a withdrawal. */
export interface WithdrawWitness extends ScriptWitness {
  /** Rewards that are withdrawn, lovelace. @default 0n, which runs the script and withdraws nothing */
  amount?: bigint | undefined
}

/** How a transaction with Plutus scripts is completed. */
export interface BuildOptions {
  /** Runs the scripts: `scalusEvaluator()` of `layer-sdk/scalus`. */
  evaluator?: ScriptEvaluator | undefined
  /**
   * Slots of the ledger, by which scripts see the time: slot `zeroSlot` begins at `zeroTime` (ms since the Unix epoch),
   * and each is `slotLength` ms long. `getSlotConfig()` of the adapters has those of a head. @default mainnet's for
   * addresses of mainnet
   */
  slots?: { readonly zeroTime: number; readonly zeroSlot: number; readonly slotLength: number } | undefined
}

/** Scripts as a builder has recorded them; the record is read when the transaction is built. */
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

/** Knowledge of a builder beside the plan of a payment. */
export interface RecordedScripts {
  readonly parts: readonly ScriptPart[]
  /** The parameters as they were given. */
  readonly given: TxParameters
  /** Options where a call leaves them out. */
  readonly defaults: BuildOptions
}
