import type { JsonValue } from '../../json/jsonText.js'
import { lovelaceJson } from './outputJson.js'

type Parameters = Readonly<Record<string, unknown>>

/** Beyond so many bytes of reference scripts each byte costs more (cardano-ledger, tierRefScriptFee). */
const REFERENCE_SCRIPTS = { range: 25_600, multiplier: 1.2 }
const MAX_REFERENCE_SCRIPTS_BYTES = 200 * 1024

/** All protocol parameters, as Ogmios writes them. */
export function parametersJson(parameters: Parameters): JsonValue {
  const number = (key: string): number => parameters[key] as number
  const part = (key: string): Readonly<Record<string, number>> => parameters[key] as Readonly<Record<string, number>>
  const bytes = (key: string): JsonValue => ({ bytes: number(key) })
  const lovelace = (key: string): JsonValue => lovelaceJson(number(key))
  const prices = part('executionUnitPrices')
  return {
    minFeeCoefficient: number('txFeePerByte'),
    minFeeConstant: lovelace('txFeeFixed'),
    minFeeReferenceScripts: { base: number('minFeeRefScriptCostPerByte'), ...REFERENCE_SCRIPTS },
    minUtxoDepositCoefficient: number('utxoCostPerByte'),
    minUtxoDepositConstant: lovelaceJson(0),
    maxBlockBodySize: bytes('maxBlockBodySize'),
    maxBlockHeaderSize: bytes('maxBlockHeaderSize'),
    maxTransactionSize: bytes('maxTxSize'),
    maxValueSize: bytes('maxValueSize'),
    maxReferenceScriptsSize: { bytes: MAX_REFERENCE_SCRIPTS_BYTES },
    stakeCredentialDeposit: lovelace('stakeAddressDeposit'),
    stakePoolDeposit: lovelace('stakePoolDeposit'),
    stakePoolRetirementEpochBound: number('poolRetireMaxEpoch'),
    stakePoolPledgeInfluence: ratio(number('poolPledgeInfluence')),
    minStakePoolCost: lovelace('minPoolCost'),
    desiredNumberOfStakePools: number('stakePoolTargetNum'),
    monetaryExpansion: ratio(number('monetaryExpansion')),
    treasuryExpansion: ratio(number('treasuryCut')),
    collateralPercentage: number('collateralPercentage'),
    maxCollateralInputs: number('maxCollateralInputs'),
    plutusCostModels: Object.fromEntries(
      Object.entries(parameters['costModels'] as Record<string, JsonValue>).map(([language, costs]) => [
        language.replace('PlutusV', 'plutus:v'),
        costs
      ])
    ),
    scriptExecutionPrices: { memory: ratio(prices['priceMemory']!), cpu: ratio(prices['priceSteps']!) },
    maxExecutionUnitsPerTransaction: unitsJson(part('maxTxExecutionUnits')),
    maxExecutionUnitsPerBlock: unitsJson(part('maxBlockExecutionUnits')),
    stakePoolVotingThresholds: poolThresholds(part('poolVotingThresholds')),
    delegateRepresentativeVotingThresholds: representativeThresholds(part('dRepVotingThresholds')),
    constitutionalCommitteeMinSize: number('committeeMinSize'),
    constitutionalCommitteeMaxTermLength: number('committeeMaxTermLength'),
    governanceActionLifetime: number('govActionLifetime'),
    governanceActionDeposit: lovelace('govActionDeposit'),
    delegateRepresentativeDeposit: lovelace('dRepDeposit'),
    delegateRepresentativeMaxIdleTime: number('dRepActivity'),
    version: parameters['protocolVersion'] as JsonValue
  }
}

function unitsJson({ memory, steps }: Readonly<Record<string, number>>): JsonValue {
  return { memory, cpu: steps }
}

function poolThresholds(thresholds: Readonly<Record<string, number>>): JsonValue {
  const of = (key: string): string => ratio(thresholds[key]!)
  return {
    noConfidence: of('motionNoConfidence'),
    constitutionalCommittee: { default: of('committeeNormal'), stateOfNoConfidence: of('committeeNoConfidence') },
    hardForkInitiation: of('hardForkInitiation'),
    protocolParametersUpdate: { security: of('ppSecurityGroup') }
  }
}

function representativeThresholds(thresholds: Readonly<Record<string, number>>): JsonValue {
  const of = (key: string): string => ratio(thresholds[key]!)
  return {
    noConfidence: of('motionNoConfidence'),
    constitutionalCommittee: { default: of('committeeNormal'), stateOfNoConfidence: of('committeeNoConfidence') },
    constitution: of('updateToConstitution'),
    hardForkInitiation: of('hardForkInitiation'),
    protocolParametersUpdate: {
      network: of('ppNetworkGroup'),
      economic: of('ppEconomicGroup'),
      technical: of('ppTechnicalGroup'),
      governance: of('ppGovGroup')
    },
    treasuryWithdrawals: of('treasuryWithdrawal')
  }
}

/** A decimal as a fraction in lowest terms: `0.0577` is `577/10000`. */
export function ratio(decimal: number): string {
  const [whole = '0', part = ''] = decimal.toFixed(12).replace(/0+$/, '').split('.')
  const denominator = 10n ** BigInt(part.length)
  const numerator = BigInt(whole) * denominator + BigInt(part === '' ? 0 : part)
  let [a, b] = [numerator, denominator]
  while (b !== 0n) [a, b] = [b, a % b]
  return `${numerator / a}/${denominator / a}`
}
