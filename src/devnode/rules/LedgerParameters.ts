import type { PlutusLanguage } from '../../codec/costModels.js'

/** An exact fraction: prices have up to 15 digits. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The protocol parameters that the rules use. */
export interface LedgerParameters {
  /** Major; the rules depend on it. */
  readonly protocolVersion: number
  /** Lovelace per byte. */
  readonly minFeeA: number
  /** Lovelace per transaction. */
  readonly minFeeB: number
  /** Bytes. */
  readonly maxTxSize: number
  /** Bytes. */
  readonly maxValueSize: number
  /** Lovelace per byte of an output. */
  readonly coinsPerUtxoByte: bigint
  /** Lovelace per unit of memory. */
  readonly priceMemory: Fraction
  /** Lovelace per step. */
  readonly priceSteps: Fraction
  readonly maxTxExUnits: { readonly mem: bigint; readonly cpu: bigint }
  /** Of the fee, that collateral has to come to. */
  readonly collateralPercentage: number
  readonly maxCollateralInputs: number
  /** Lovelace per byte of the first stride. */
  readonly refScriptCostPerByte: Fraction
  /** In the ledger's order; an empty one is none. */
  readonly costModels: Readonly<Record<PlutusLanguage, readonly number[]>>
}
