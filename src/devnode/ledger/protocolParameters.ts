import { COST_MODELS_PV11 } from '../../codec/costModelsPv11.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { LedgerParameters } from './validateTx.js'

/** Body of GET /protocol-parameters: the project's sample (fees and prices zero), protocol version 11. */
export function defaultProtocolParameters(): Record<string, unknown> {
  return {
    txFeeFixed: 0,
    txFeePerByte: 0,
    utxoCostPerByte: 4310,
    maxTxSize: 16384,
    maxBlockBodySize: 90112,
    maxBlockHeaderSize: 1100,
    maxValueSize: 5000,
    collateralPercentage: 150,
    maxCollateralInputs: 3,
    executionUnitPrices: { priceMemory: 0, priceSteps: 0 },
    maxTxExecutionUnits: { memory: 14000000, steps: 10000000000 },
    maxBlockExecutionUnits: { memory: 62000000, steps: 20000000000 },
    minFeeRefScriptCostPerByte: 0,
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
    protocolVersion: { major: 11, minor: 0 },
    costModels: COST_MODELS_PV11
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
