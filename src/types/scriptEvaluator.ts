/** Request to a {@link ScriptEvaluator}. */
export interface ScriptEvaluationRequest {
  /** CBOR of the transaction, witnesses included. */
  readonly tx: Uint8Array
  /** CBOR of each input, reference input and collateral input, with the CBOR of its output in the map form. */
  readonly resolved: readonly (readonly [input: Uint8Array, output: Uint8Array])[]
  /** Cost model of each language, its parameters in the ledger's order; empty where there is none. */
  readonly costModels: Readonly<Record<'PlutusV1' | 'PlutusV2' | 'PlutusV3', readonly number[]>>
  /** Slot `zeroSlot` begins at `zeroTimeMs`, Unix time in ms; slots are `slotLengthMs` long. */
  readonly slot: { readonly zeroTimeMs: number; readonly zeroSlot: number; readonly slotLengthMs: number }
  /** Major version of the ledger's protocol. */
  readonly protocolVersion: number
  /** Maximum units of all scripts of a transaction together: `mem` (memory units) and `cpu` (steps). */
  readonly maxExUnits: { readonly mem: bigint; readonly cpu: bigint }
}

/** Units that the script of one redeemer uses. */
export interface ScriptUnits {
  /** Purpose of the redeemer: `'spend'`, `'mint'`, `'cert'`, `'reward'`, `'vote'` or `'propose'`. */
  readonly tag: string
  /** Index of the input, policy, certificate, ... that the script is for, in the ledger's order, from 0. */
  readonly index: number
  /** Units of memory. */
  readonly mem: bigint
  /** Steps. */
  readonly cpu: bigint
  /** Texts that the script traced, where the evaluator reports them. */
  readonly logs?: readonly string[]
}

/**
 * Rejection of a {@link ScriptEvaluator} when a script fails. Any other rejection is a failure of the evaluator.
 */
export interface ScriptFailure {
  /** Redeemer of the script, e.g. `{ tag: 'spend', index: 0 }`. */
  readonly redeemer?: Pick<ScriptUnits, 'tag' | 'index'>
  /** Reason of the failure. */
  readonly message: string
  /** Texts that the script traced. */
  readonly logs: readonly string[]
}

/**
 * Runs the Plutus scripts of a transaction: resolves with the units of each redeemer, rejects with a
 * {@link ScriptFailure} when a script fails. `scalusEvaluator` of `layer-sdk/scalus` makes one.
 */
export type ScriptEvaluator = (request: ScriptEvaluationRequest) => Promise<readonly ScriptUnits[]>
