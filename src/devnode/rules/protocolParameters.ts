import { COST_MODELS_PV11 } from '../../codec/costModelsPv11.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import { isObject } from '../json/isObject.js'
import type { Fraction } from './LedgerParameters.js'
import type { LedgerParameters } from './LedgerParameters.js'

/** Parameters of each language before protocol version 11 appended those of its new builtins. */
const PARAMETERS_PV10 = { PlutusV1: 166, PlutusV2: 175, PlutusV3: 297 } as const

/**
 * Costs of the sample that differ from the chains': index and cost (hydra-cluster/config/protocol-parameters.json of
 * 2.4.1).
 */
const SAMPLE_COSTS: Readonly<Record<PlutusLanguage, readonly (readonly [index: number, cost: number])[]>> = {
  PlutusV1: [
    [59, 24548],
    [60, 29498],
    [61, 38]
  ],
  PlutusV2: [
    [59, 24548],
    [60, 29498],
    [61, 38]
  ],
  PlutusV3: [
    [54, 549],
    [64, 24548],
    [65, 29498],
    [66, 38],
    [119, 549],
    [135, 549],
    [146, 549]
  ]
}

/**
 * Body of GET /protocol-parameters: the project's sample at the tag of the version
 * (hydra-cluster/config/protocol-parameters.json), fees and prices zero. `utxoCostPerByte` is 4310 everywhere: up to
 * 2.3 the sample has 0, which no mainnet has.
 */
export function defaultProtocolParameters(features: ProfileFeatures): Record<string, unknown> {
  const { protocolVersion: major, maxTxSize, minFeeRefScriptCostPerByte, sampleCosts } = features.sample
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
    costModels: sampleCosts ? sampleCostModels() : chainCostModels(major)
  }
}

/** Returns the cost models of the chains at a protocol version; for version 10 PlutusV3's is cut to its length then. */
function chainCostModels(major: number): Record<PlutusLanguage, readonly number[]> {
  return major === 10
    ? { ...COST_MODELS_PV11, PlutusV3: COST_MODELS_PV11.PlutusV3.slice(0, PARAMETERS_PV10.PlutusV3) }
    : COST_MODELS_PV11
}

function sampleCostModels(): Record<PlutusLanguage, readonly number[]> {
  const model = (language: PlutusLanguage): number[] => {
    const costs = COST_MODELS_PV11[language].slice(0, PARAMETERS_PV10[language])
    for (const [index, cost] of SAMPLE_COSTS[language]) costs[index] = cost
    return costs
  }
  return { PlutusV1: model('PlutusV1'), PlutusV2: model('PlutusV2'), PlutusV3: model('PlutusV3') }
}

/** The parameters that the rules use. @throws {@link InvalidArgumentError} */
export function ledgerParameters(parameters: Readonly<Record<string, unknown>>): LedgerParameters {
  const { protocolVersion, executionUnitPrices, maxTxExecutionUnits } = parameters
  const number = (key: string, value: unknown = parameters[key]): number => {
    const whole = Number(value ?? 0)
    if (Number.isSafeInteger(whole) && whole >= 0) return whole
    throw new InvalidArgumentError(`protocolParameters.${key}`, 'a whole number from 0', value)
  }
  const within = (key: string, of: unknown): unknown => (isObject(of) ? of[key] : undefined)
  return {
    protocolVersion: number('protocolVersion.major', within('major', protocolVersion)),
    minFeeA: number('txFeePerByte'),
    minFeeB: number('txFeeFixed'),
    maxTxSize: number('maxTxSize'),
    maxValueSize: number('maxValueSize'),
    coinsPerUtxoByte: BigInt(number('utxoCostPerByte')),
    priceMemory: price('executionUnitPrices.priceMemory', within('priceMemory', executionUnitPrices)),
    priceSteps: price('executionUnitPrices.priceSteps', within('priceSteps', executionUnitPrices)),
    maxTxExUnits: {
      mem: BigInt(number('maxTxExecutionUnits.memory', within('memory', maxTxExecutionUnits))),
      cpu: BigInt(number('maxTxExecutionUnits.steps', within('steps', maxTxExecutionUnits)))
    },
    collateralPercentage: number('collateralPercentage'),
    maxCollateralInputs: number('maxCollateralInputs'),
    refScriptCostPerByte: price('minFeeRefScriptCostPerByte', parameters['minFeeRefScriptCostPerByte']),
    costModels: costModels(parameters['costModels'])
  }
}

/** Returns the base ledger's own parameters: mainnet's, with the protocol version and the cost models of the head's. */
export function baseParameters({ protocolVersion, costModels }: LedgerParameters): LedgerParameters {
  return {
    protocolVersion,
    minFeeA: 44,
    minFeeB: 155381,
    maxTxSize: 16384,
    maxValueSize: 5000,
    coinsPerUtxoByte: 4310n,
    priceMemory: { numerator: 577n, denominator: 10_000n },
    priceSteps: { numerator: 721n, denominator: 10_000_000n },
    maxTxExUnits: { mem: 14_000_000n, cpu: 10_000_000_000n },
    collateralPercentage: 150,
    maxCollateralInputs: 3,
    refScriptCostPerByte: { numerator: 15n, denominator: 1n },
    costModels
  }
}

/** Reads a decimal number as an exact fraction: `0.0577`, `7.21e-5`. */
function price(key: string, value: unknown): Fraction {
  const match = /^(\d{1,20})(?:\.(\d{1,20}))?(?:e([+-]\d{1,2}))?$/.exec(String(value ?? 0))
  if (match === null) throw new InvalidArgumentError(`protocolParameters.${key}`, 'a number from 0', value)
  const [, whole, decimals = '', exponent = '0'] = match
  const shift = Number(exponent) - decimals.length
  const digits = BigInt(whole! + decimals)
  return { numerator: digits * 10n ** BigInt(Math.max(0, shift)), denominator: 10n ** BigInt(Math.max(0, -shift)) }
}

function costModels(models: unknown): LedgerParameters['costModels'] {
  const model = (language: PlutusLanguage): readonly number[] => {
    const costs: unknown = isObject(models) ? (models[language] ?? []) : []
    if (Array.isArray(costs) && costs.every((cost) => Number.isSafeInteger(cost)))
      return Object.freeze([...(costs as number[])])
    throw new InvalidArgumentError(`protocolParameters.costModels.${language}`, 'an array of whole numbers', costs)
  }
  // An evaluator gets them as they are.
  return Object.freeze({ PlutusV1: model('PlutusV1'), PlutusV2: model('PlutusV2'), PlutusV3: model('PlutusV3') })
}
