import type { CborWriter } from '../../../codec/cbor/writer.js'
import { isObject } from '../../json/isObject.js'
import type { Shape } from './shapes.js'
import { mismatch, natural } from './shapes.js'

const POOL_THRESHOLDS = [
  'motionNoConfidence',
  'committeeNormal',
  'committeeNoConfidence',
  'hardForkInitiation',
  'ppSecurityGroup'
]
const DREP_THRESHOLDS = [
  'motionNoConfidence',
  'committeeNormal',
  'committeeNoConfidence',
  'updateToConstitution',
  'hardForkInitiation',
  'ppNetworkGroup',
  'ppEconomicGroup',
  'ppTechnicalGroup',
  'ppGovGroup',
  'treasuryWithdrawal'
]
const LANGUAGES = ['PlutusV1', 'PlutusV2', 'PlutusV3']
/** The ledger's library writes longer lists without a length. */
const LONGEST_WITH_LENGTH = 23
const TAG_RATIONAL = 30

type Write = (writer: CborWriter, value: unknown) => void
const number: Write = (writer, value) => natural.write(writer, value)
const members =
  (names: readonly string[], write: Write): Write =>
  (writer, value) => {
    const object = isObject(value) ? value : mismatch('an object', value)
    writer.array(names.length)
    for (const name of names) write(writer, object[name])
  }

/** The parameters in the order in which the ledger writes them. @see cardano-ledger, Conway/PParams.hs, eraPParams */
const PARAMETERS: readonly (readonly [string, Write])[] = [
  ['txFeePerByte', number],
  ['txFeeFixed', number],
  ['maxBlockBodySize', number],
  ['maxTxSize', number],
  ['maxBlockHeaderSize', number],
  ['stakeAddressDeposit', number],
  ['stakePoolDeposit', number],
  ['poolRetireMaxEpoch', number],
  ['stakePoolTargetNum', number],
  ['poolPledgeInfluence', rational],
  ['monetaryExpansion', rational],
  ['treasuryCut', rational],
  ['protocolVersion', members(['major', 'minor'], number)],
  ['minPoolCost', number],
  ['utxoCostPerByte', number],
  ['costModels', costModels],
  ['executionUnitPrices', members(['priceMemory', 'priceSteps'], rational)],
  ['maxTxExecutionUnits', members(['memory', 'steps'], number)],
  ['maxBlockExecutionUnits', members(['memory', 'steps'], number)],
  ['maxValueSize', number],
  ['collateralPercentage', number],
  ['maxCollateralInputs', number],
  ['poolVotingThresholds', members(POOL_THRESHOLDS, rational)],
  ['dRepVotingThresholds', members(DREP_THRESHOLDS, rational)],
  ['committeeMinSize', number],
  ['committeeMaxTermLength', number],
  ['govActionLifetime', number],
  ['govActionDeposit', number],
  ['dRepDeposit', number],
  ['dRepActivity', number],
  ['minFeeRefScriptCostPerByte', rational]
]

/** Body of GET /protocol-parameters, which no client sends to a node. */
export const protocolParametersShape: Pick<Shape, 'write'> = {
  write(writer, value) {
    const object = isObject(value) ? value : mismatch('an object', value)
    writer.array(PARAMETERS.length)
    for (const [name, write] of PARAMETERS) write(writer, object[name])
  }
}

/** A decimal as the fraction that it is, in its lowest terms. */
function rational(writer: CborWriter, value: unknown): void {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? mismatch('a number from 0', value)
  const scale = fraction.length - Number(exponent)
  const numerator = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, -scale))
  const denominator = 10n ** BigInt(Math.max(0, scale))
  const divisor = greatestDivisor(numerator, denominator)
  writer
    .tag(TAG_RATIONAL)
    .array(2)
    .uint(numerator / divisor)
    .uint(denominator / divisor)
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b)
}

function costModels(writer: CborWriter, value: unknown): void {
  const models = isObject(value) ? value : mismatch('an object', value)
  const present = LANGUAGES.filter((name) => Array.isArray(models[name]))
  writer.map(present.length)
  for (const name of present) {
    const costs = models[name] as (number | bigint)[]
    const isShort = costs.length <= LONGEST_WITH_LENGTH
    writer.uint(LANGUAGES.indexOf(name))
    if (isShort) writer.array(costs.length)
    else writer.arrayIndefinite()
    for (const cost of costs) writer.int(cost)
    if (!isShort) writer.break()
  }
}
