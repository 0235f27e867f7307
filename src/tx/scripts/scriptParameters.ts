import { PLUTUS_LANGUAGES } from '../../codec/costModels.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import { decimalPrice } from '../../codec/unitPrice.js'
import type { UnitPrice } from '../../codec/unitPrice.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { TxParameters } from '../parameters.js'

/** The protocol parameters that scripts need. */
export interface ScriptParameters {
  readonly costModels: Readonly<Record<PlutusLanguage, readonly number[]>>
  /** Major version. */
  readonly protocolVersion: number
  readonly priceMemory: UnitPrice
  readonly priceSteps: UnitPrice
  /** Maximum units of all scripts of a transaction together. */
  readonly maxUnits: { readonly mem: bigint; readonly cpu: bigint }
  /** Least collateral, percent of the fee. */
  readonly collateralPercentage: bigint
  readonly maxCollateralInputs: number
}

/** Names of each parameter in the sources: `bridge.getProtocolParameters()`, a node, Blockfrost and Ogmios. */
const NAMES = {
  costModels: ['cost_models', 'costModels', 'plutusCostModels'],
  protocolVersion: ['protocol_version', 'protocolVersion', 'version', 'protocol_major_ver'],
  priceMemory: [
    'execution_unit_prices.priceMemory',
    'executionUnitPrices.priceMemory',
    'price_mem',
    'scriptExecutionPrices.memory'
  ],
  priceSteps: [
    'execution_unit_prices.priceSteps',
    'executionUnitPrices.priceSteps',
    'price_step',
    'scriptExecutionPrices.cpu'
  ],
  maxMemory: [
    'max_tx_execution_units.memory',
    'maxTxExecutionUnits.memory',
    'max_tx_ex_mem',
    'maxExecutionUnitsPerTransaction.memory'
  ],
  maxSteps: [
    'max_tx_execution_units.steps',
    'maxTxExecutionUnits.steps',
    'max_tx_ex_steps',
    'maxExecutionUnitsPerTransaction.cpu'
  ],
  collateralPercentage: ['collateral_percentage', 'collateralPercentage', 'collateral_percent'],
  maxCollateralInputs: ['max_collateral_inputs', 'maxCollateralInputs']
} as const

/** Cache of the results for parameters that are deeply frozen, so that they cannot change. */
const fixed = new WeakMap<TxParameters, ScriptParameters>()

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}

/**
 * Reads the parameters that scripts need from those of a builder: `costModels`, `protocolVersion`, and the source's
 * original parameters in `raw`.
 *
 * @throws {@link InvalidArgumentError} naming the missing parameter
 */
export function readScriptParameters(parameters: TxParameters): ScriptParameters {
  const cached = fixed.get(parameters)
  if (cached !== undefined) return cached
  const read = readParameters(parameters)
  if (isDeepFrozen(parameters)) fixed.set(parameters, read)
  return read
}

function readParameters(parameters: TxParameters): ScriptParameters {
  const { raw, costModels, protocolVersion } = parameters
  const find = (name: keyof typeof NAMES): unknown =>
    NAMES[name].map((path) => memberAt(raw, path)).find((value) => value !== undefined)
  const count = (name: keyof typeof NAMES): bigint => {
    const value = find(name)
    const text = typeof value === 'bigint' || typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || !/^\d+$/.test(text)) throw missing(name, value)
    return BigInt(text)
  }
  return {
    costModels: readCostModels(costModels ?? find('costModels')),
    protocolVersion: readVersion(protocolVersion ?? find('protocolVersion')),
    priceMemory: readPrice('priceMemory', find('priceMemory')),
    priceSteps: readPrice('priceSteps', find('priceSteps')),
    maxUnits: { mem: count('maxMemory'), cpu: count('maxSteps') },
    collateralPercentage: count('collateralPercentage'),
    maxCollateralInputs: Number(count('maxCollateralInputs'))
  }
}

function memberAt(raw: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      raw
    )
}

function missing(name: string, got: unknown): InvalidArgumentError {
  return new InvalidArgumentError(
    `parameters.${name}`,
    'a figure that scripts need: parameters of a provider, or of a head with raw: await bridge.getRawProtocolParameters()',
    got
  )
}

function readCostModels(models: unknown): ScriptParameters['costModels'] {
  const costModels: Record<PlutusLanguage, readonly number[]> = { PlutusV1: [], PlutusV2: [], PlutusV3: [] }
  if (typeof models !== 'object' || models === null) throw missing('costModels', models)
  for (const [key, model] of Object.entries(models)) {
    const language = PLUTUS_LANGUAGES.find((each) => each.toLowerCase() === key.toLowerCase().replace(':', ''))
    if (language === undefined) continue
    if (!Array.isArray(model)) throw missing(`costModels.${language}`, model)
    costModels[language] = model.map(Number)
  }
  return costModels
}

function readVersion(version: unknown): number {
  const major: unknown = typeof version === 'object' && version !== null ? memberAt(version, 'major') : version
  if (!Number.isSafeInteger(Number(major))) throw missing('protocolVersion', version)
  return Number(major)
}

/** Reads a price: a decimal fraction as number or text, or a quotient such as `577/10000`. */
function readPrice(name: string, price: unknown): UnitPrice {
  const quotient = typeof price === 'string' ? /^(\d+)\/([1-9]\d*)$/.exec(price) : null
  if (quotient !== null) return { numerator: BigInt(quotient[1]!), denominator: BigInt(quotient[2]!) }
  const decimal = typeof price === 'string' || typeof price === 'bigint' ? Number(price) : price
  if (typeof decimal !== 'number' || !(decimal >= 0) || decimal === Infinity) throw missing(name, price)
  return decimalPrice(decimal)
}
