import { COST_MODELS_PV11 } from '../../codec/costModelsPv11.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ProfileFeatures } from '../profiles.js'
import type { LedgerParameters } from './validateTx.js'

/** Parameters of PlutusV3 before protocol version 11 appended those of its new builtins. */
const V3_PARAMETERS_PV10 = 297

/**
 * Body of GET /protocol-parameters: the project's sample at the tag of the version (hydra-cluster/config/protocol-parameters.json), fees and prices zero.
 * `utxoCostPerByte` is 4310 everywhere: up to 2.3 the sample has 0, which no mainnet has.
 */
export function defaultProtocolParameters(features: ProfileFeatures): Record<string, unknown> {
  const { protocolVersion: major, maxTxSize, minFeeRefScriptCostPerByte } = features.sample
  return {
    txFeeFixed: 0,
    txFeePerByte: 0,
    utxoCostPerByte: 4310,
    maxTxSize,
    maxBlockBodySize: 90112,
    maxBlockHeaderSize: 1100,
    maxValueSize: 5000,
    collateralPercentage: 150,
    maxCollateralInputs: 3,
    executionUnitPrices: { priceMemory: 0, priceSteps: 0 },
    maxTxExecutionUnits: { memory: 14000000, steps: 10000000000 },
    maxBlockExecutionUnits: { memory: 62000000, steps: 20000000000 },
    minFeeRefScriptCostPerByte,
    stakeAddressDeposit: 2000000,
    stakePoolDeposit: 500000000,
    minPoolCost: 170000000,
    monetaryExpansion: 0.003,
    treasuryCut: 0.2,
    poolPledgeInfluence: 0.3,
    poolRetireMaxEpoch: 18,
    stakePoolTargetNum: 500,
    committeeMinSize: 0,
    committeeMaxTermLength: 365,
    dRepDeposit: 500000000,
    dRepActivity: 20,
    govActionDeposit: 100000000000,
    govActionLifetime: 30,
    dRepVotingThresholds: {
      committeeNoConfidence: 0.6,
      committeeNormal: 0.67,
      hardForkInitiation: 0.6,
      motionNoConfidence: 0.67,
      ppEconomicGroup: 0.67,
      ppGovGroup: 0.75,
      ppNetworkGroup: 0.67,
      ppTechnicalGroup: 0.67,
      treasuryWithdrawal: 0.67,
      updateToConstitution: 0.75
    },
    poolVotingThresholds: {
      committeeNoConfidence: 0.51,
      committeeNormal: 0.51,
      hardForkInitiation: 0.51,
      motionNoConfidence: 0.51,
      ppSecurityGroup: 0.51
    },
    protocolVersion: { major, minor: 0 },
    costModels: major === 10 ? { ...COST_MODELS_PV11, PlutusV3: COST_MODELS_PV11.PlutusV3.slice(0, V3_PARAMETERS_PV10) } : COST_MODELS_PV11
  }
}

/** The parameters that the rules use. @throws {@link InvalidArgumentError} */
export function ledgerParameters(parameters: Readonly<Record<string, unknown>>): LedgerParameters {
  const number = (key: string): number => {
    const value = Number(parameters[key] ?? 0)
    if (Number.isSafeInteger(value) && value >= 0) return value
    throw new InvalidArgumentError(`protocolParameters.${key}`, 'a whole number from 0', parameters[key])
  }
  return {
    minFeeA: number('txFeePerByte'),
    minFeeB: number('txFeeFixed'),
    maxTxSize: number('maxTxSize'),
    maxValueSize: number('maxValueSize'),
    coinsPerUtxoByte: BigInt(number('utxoCostPerByte'))
  }
}

/** The base ledger's own: those of mainnet. */
export const BASE_PARAMETERS: LedgerParameters = {
  minFeeA: 44,
  minFeeB: 155381,
  maxTxSize: 16384,
  maxValueSize: 5000,
  coinsPerUtxoByte: 4310n
}
