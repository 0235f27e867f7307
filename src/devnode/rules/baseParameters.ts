import type { LedgerParameters } from './LedgerParameters.js'

/** Mainnet's parameters where a head's differ: prices, sizes of blocks, governance. */
const MAINNET: Readonly<Record<string, unknown>> = {
  maxBlockBodySize: 90112,
  maxBlockHeaderSize: 1100,
  collateralPercentage: 150,
  maxCollateralInputs: 3,
  executionUnitPrices: { priceMemory: 0.0577, priceSteps: 0.0000721 },
  maxTxExecutionUnits: { memory: 14000000, steps: 10000000000 },
  maxBlockExecutionUnits: { memory: 62000000, steps: 20000000000 },
  minFeeRefScriptCostPerByte: 15,
  committeeMinSize: 7,
  committeeMaxTermLength: 146,
  govActionLifetime: 6,
  dRepDeposit: 500000000,
  govActionDeposit: 100000000000
}

/**
 * Returns the parameters of the base ledger in the form of GET /protocol-parameters: the members that the rules use,
 * mainnet's prices, and the rest as the head has it.
 */
export function baseProtocolParameters(
  ofHead: Readonly<Record<string, unknown>>,
  rules: LedgerParameters
): Record<string, unknown> {
  return {
    ...ofHead,
    ...MAINNET,
    txFeeFixed: rules.minFeeB,
    txFeePerByte: rules.minFeeA,
    utxoCostPerByte: Number(rules.coinsPerUtxoByte),
    maxTxSize: rules.maxTxSize,
    maxValueSize: rules.maxValueSize
  }
}
