import type { PlutusLanguage } from '../../codec/costModels.js'

/** An exact fraction: prices have up to 15 digits. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The protocol parameters that the rules use. */
export interface LedgerParameters {
  /** Major version, on which the rules depend. */
  readonly protocolVersion: number
  /** Fee per byte of a transaction, lovelace. */
  readonly minFeeA: number
  /** Fixed fee of a transaction, lovelace. */
  readonly minFeeB: number
  /** Largest transaction, bytes. */
  readonly maxTxSize: number
  /** Largest value of an output, bytes. */
  readonly maxValueSize: number
  /** Lovelace per byte of an output. */
  readonly coinsPerUtxoByte: bigint
  /** Lovelace per unit of memory. */
  readonly priceMemory: Fraction
  /** Lovelace per step. */
  readonly priceSteps: Fraction
  readonly maxTxExUnits: { readonly mem: bigint; readonly cpu: bigint }
  /** Percentage of the fee that the collateral must reach. */
  readonly collateralPercentage: number
  readonly maxCollateralInputs: number
  /** Price of reference scripts in the first stride, lovelace per byte. */
  readonly refScriptCostPerByte: Fraction
  /** By language: the costs in the ledger's order; an empty list means that the language has no model. */
  readonly costModels: Readonly<Record<PlutusLanguage, readonly number[]>>
}
