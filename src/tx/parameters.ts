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
   * Lovelace per byte of the signed transaction.
   * @default 0, as most heads have it; the base ledger demands more
   */
  minFeeA?: number
  /**
   * Lovelace per transaction.
   * @default 0
   */
  minFeeB?: number
  /**
   * Lovelace per byte of an output.
   * @default 4310n, as on mainnet and in most heads
   */
  coinsPerUtxoByte?: bigint | number
  /**
   * Bytes.
   * @default 16384
   */
  maxTxSize?: number
  /**
   * Bytes of the value of one output.
   * @default 5000
   */
  maxValueSize?: number
  /**
   * Lovelace per byte of the reference scripts that inputs carry; spending such an output costs it.
   * @default 0
   */
  minFeeRefScriptCostPerByte?: number
  /** Cost models by language, which Plutus scripts need: `PlutusV1`, `PlutusV2`, `PlutusV3`. @default those of `raw` */
  costModels?: Readonly<Record<string, readonly number[]>>
  /** Version of the ledger's rules, which Plutus scripts need: `major` and `minor`. @default that of `raw` */
  protocolVersion?: { major: number; minor: number }
  /**
   * The source's own answer. Plutus scripts need its prices and limits of units and of collateral: of a node
   * (`bridge.getRawProtocolParameters()`), Blockfrost or Ogmios.
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

/** Those above, and the others of a provider's parameters. */
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

/** For anything else, e.g. a promise or a node's raw parameters: names the function that gives the right form. */
const refuseParameter: RefuseOption = (name, expected, got) =>
  new InvalidArgumentError(
    name,
    `${expected}; for a head, txParametersFromProtocol(await bridge.getProtocolParameters())`,
    got
  )

/**
 * Adds the defaults. An unknown parameter is rejected: read as fees of zero, it would make transactions that no ledger
 * accepts.
 *
 * @throws {@link InvalidArgumentError} on a negative or fractional parameter, an unknown key, or a value that is no
 * plain object.
 */
export function resolveTxParameters(parameters?: TxParameters): ResolvedTxParameters {
  const given = readOptions<KnownParameters>(parameters ?? {}, KNOWN_KEYS, 'parameters', refuseParameter)
  // The only one that the ledger lets be a fraction.
  const scriptPrice = given.minFeeRefScriptCostPerByte ?? 0
  if (!(typeof scriptPrice === 'number' && scriptPrice >= 0 && scriptPrice <= 1e6)) {
    throw new InvalidArgumentError('minFeeRefScriptCostPerByte', 'a number from 0', scriptPrice)
  }
  const read = (name: keyof ResolvedTxParameters, otherwise: number): bigint => whole(name, given[name] ?? otherwise)
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
 * The parameters of a head or a node as `bridge.getProtocolParameters()` gives them.
 *
 * @throws {@link InvalidArgumentError} when one that fees need is missing, negative or fractional.
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
