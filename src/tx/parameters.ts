import type { OptionNames, RefuseOption } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { ProtocolParameters } from '../types/provider.js'

/**
 * The protocol parameters that building a transaction needs. A provider's `fetchProtocolParameters()` has this form;
 * {@link txParametersFromProtocol} converts the result of a bridge's `getProtocolParameters()`.
 */
export interface TxParameters {
  /**
   * Fee per byte of the signed transaction, lovelace.
   * @default 0, as most heads have it; the base ledger demands more
   */
  minFeeA?: number
  /**
   * Fixed fee per transaction, lovelace.
   * @default 0
   */
  minFeeB?: number
  /**
   * Least lovelace of an output, per byte of its size.
   * @default 4310n, as on mainnet and in most heads
   */
  coinsPerUtxoByte?: bigint | number
  /**
   * Maximum size of a transaction, bytes.
   * @default 16384
   */
  maxTxSize?: number
  /**
   * Maximum size of the value of one output, bytes.
   * @default 5000
   */
  maxValueSize?: number
  /**
   * Fee per byte of the reference scripts that inputs and reference inputs carry, lovelace.
   * @default 0
   */
  minFeeRefScriptCostPerByte?: number
  /** Cost models by language, which Plutus scripts need: `PlutusV1`, `PlutusV2`, `PlutusV3`. @default those of `raw` */
  costModels?: Readonly<Record<string, readonly number[]>>
  /** Version of the ledger's rules, which Plutus scripts need: `major` and `minor`. @default that of `raw` */
  protocolVersion?: { major: number; minor: number }
  /**
   * Original protocol parameters of the source: of a node (`bridge.getRawProtocolParameters()`), Blockfrost or Ogmios.
   * Plutus scripts need them for the prices and limits of execution units and of collateral.
   */
  raw?: unknown
}

/** The parameters with every default filled in. */
export interface ResolvedTxParameters {
  readonly minFeeA: bigint
  readonly minFeeB: bigint
  readonly coinsPerUtxoByte: bigint
  readonly maxTxSize: number
  readonly maxValueSize: number
  readonly minFeeRefScriptCostPerByte: number
}

// Mainnet's protocol parameters since epoch 365, which heads adopt.
const DEFAULT_MAX_TX_BYTES = 16_384
const DEFAULT_MAX_VALUE_BYTES = 5_000
const DEFAULT_COINS_PER_UTXO_BYTE = 4_310

/** `TxParameters`, and the other parameters of a provider, which are accepted but not used. */
type KnownParameters = TxParameters & Partial<Omit<ProtocolParameters, keyof TxParameters>>

const KNOWN_KEYS: OptionNames<KnownParameters> = {
  minFeeA: true,
  minFeeB: true,
  coinsPerUtxoByte: true,
  maxTxSize: true,
  maxValueSize: true,
  minFeeRefScriptCostPerByte: true,
  keyDeposit: true,
  poolDeposit: true,
  costModels: true,
  protocolVersion: true,
  raw: true
}

/** Makes the error for other values, e.g. a promise or a node's raw parameters; it names the converting function. */
const refuseParameter: RefuseOption = (name, expected, got) =>
  new InvalidArgumentError(
    name,
    `${expected}; for a head, txParametersFromProtocol(await bridge.getProtocolParameters())`,
    got
  )

/**
 * Checks parameters and adds the defaults. An unknown parameter is rejected: if it were ignored, fees could be zero by
 * mistake, and the ledger would refuse the transactions.
 *
 * @throws {@link InvalidArgumentError} on a negative or fractional parameter, an unknown key, or a value that is not a
 * plain object.
 */
export function resolveTxParameters(parameters?: TxParameters): ResolvedTxParameters {
  const knownParameters = readOptions<KnownParameters>(parameters ?? {}, KNOWN_KEYS, 'parameters', refuseParameter)
  // The only one that the ledger lets be a fraction.
  const scriptPrice = knownParameters.minFeeRefScriptCostPerByte ?? 0
  if (!(typeof scriptPrice === 'number' && scriptPrice >= 0 && scriptPrice <= 1e6)) {
    throw new InvalidArgumentError('minFeeRefScriptCostPerByte', 'a number from 0', scriptPrice)
  }
  const read = (name: keyof ResolvedTxParameters, otherwise: number): bigint =>
    whole(name, knownParameters[name] ?? otherwise)
  return {
    minFeeRefScriptCostPerByte: scriptPrice,
    minFeeA: read('minFeeA', 0),
    minFeeB: read('minFeeB', 0),
    coinsPerUtxoByte: read('coinsPerUtxoByte', DEFAULT_COINS_PER_UTXO_BYTE),
    maxTxSize: Number(read('maxTxSize', DEFAULT_MAX_TX_BYTES)),
    maxValueSize: Number(read('maxValueSize', DEFAULT_MAX_VALUE_BYTES))
  }
}

/**
 * Converts the result of `bridge.getProtocolParameters()` to the parameters of a {@link TxBuilder}.
 *
 * @throws {@link InvalidArgumentError} when a parameter for fees is missing, negative or fractional.
 * @example
 * ```ts no-run
 * import { TxBuilder, txParametersFromProtocol } from 'layer-sdk/tx'
 * const builder = new TxBuilder(txParametersFromProtocol(await bridge.getProtocolParameters()))
 * ```
 */
export function txParametersFromProtocol(protocol: Readonly<Record<string, unknown>>): TxParameters {
  if (typeof protocol !== 'object' || protocol === null)
    throw new InvalidArgumentError('protocol', 'what getProtocolParameters() resolves with, awaited', protocol)
  // A node's raw parameters have other names: they must not pass for fees of zero.
  for (const key of ['min_fee_a', 'min_fee_b']) {
    if (!isGiven(protocol, key))
      throw new InvalidArgumentError(
        `protocol.${key}`,
        'what getProtocolParameters() resolves with, awaited',
        undefined
      )
  }
  const number = (key: string): number => Number(whole(key, protocol[key]))
  const parameters: TxParameters = { minFeeA: number('min_fee_a'), minFeeB: number('min_fee_b') }
  if (isGiven(protocol, 'utxo_cost_per_byte'))
    parameters.coinsPerUtxoByte = whole('utxo_cost_per_byte', protocol['utxo_cost_per_byte'])
  if (isGiven(protocol, 'max_tx_size')) parameters.maxTxSize = number('max_tx_size')
  if (isGiven(protocol, 'max_value_size')) parameters.maxValueSize = number('max_value_size')
  if (isGiven(protocol, 'min_fee_ref_script_cost_per_byte'))
    parameters.minFeeRefScriptCostPerByte = protocol['min_fee_ref_script_cost_per_byte'] as number
  resolveTxParameters(parameters)
  return parameters
}

const isGiven = (object: object, key: string): boolean =>
  Object.hasOwn(object, key) && (object as Record<string, unknown>)[key] != null

function whole(name: string, value: unknown): bigint {
  if ((typeof value !== 'bigint' && !Number.isSafeInteger(value)) || (value as bigint | number) < 0)
    throw new InvalidArgumentError(name, 'a whole number from 0', value)
  return BigInt(value as bigint | number)
}
