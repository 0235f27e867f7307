import { InvalidArgumentError } from '../errors/input.js'

/** The protocol parameters that building a transaction needs. A provider's `fetchProtocolParameters()` has this form. */
export interface TxParameters {
  /**
   * Lovelace per byte of the signed transaction.
   * @default 0, as most heads have it
   */
  minFeeA?: number
  /**
   * Lovelace per transaction.
   * @default 0
   */
  minFeeB?: number
  /**
   * Lovelace per byte of an output.
   * @default 0n
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

// Mainnet's limits, which heads take over (mainnet protocol parameters since epoch 365).
const DEFAULT_MAX_TX_BYTES = 16_384
const DEFAULT_MAX_VALUE_BYTES = 5_000

/** @throws {@link InvalidArgumentError} on a negative or fractional parameter. */
export function resolveTxParameters(parameters?: TxParameters): ResolvedTxParameters {
  // The only one that the ledger lets be a fraction.
  const scriptPrice = parameters?.minFeeRefScriptCostPerByte ?? 0
  if (!(typeof scriptPrice === 'number' && scriptPrice >= 0 && scriptPrice <= 1e6)) {
    throw new InvalidArgumentError('minFeeRefScriptCostPerByte', 'a number from 0', scriptPrice)
  }
  return {
    minFeeRefScriptCostPerByte: scriptPrice,
    minFeeA: whole('minFeeA', parameters?.minFeeA),
    minFeeB: whole('minFeeB', parameters?.minFeeB),
    coinsPerUtxoByte: whole('coinsPerUtxoByte', parameters?.coinsPerUtxoByte),
    maxTxSize: Number(whole('maxTxSize', parameters?.maxTxSize, DEFAULT_MAX_TX_BYTES)),
    maxValueSize: Number(whole('maxValueSize', parameters?.maxValueSize, DEFAULT_MAX_VALUE_BYTES))
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
  const number = (key: string): number => Number(whole(key, protocol[key] as number))
  // A node's raw parameters have other names: they must not pass for fees of zero.
  for (const key of ['min_fee_a', 'min_fee_b']) {
    if (protocol?.[key] == null) throw new InvalidArgumentError(`protocol.${key}`, 'the parameters of getProtocolParameters()', undefined)
  }
  const scriptPrice = protocol['min_fee_ref_script_cost_per_byte']
  return {
    minFeeA: number('min_fee_a'),
    minFeeB: number('min_fee_b'),
    coinsPerUtxoByte: whole('utxo_cost_per_byte', protocol['utxo_cost_per_byte'] as number),
    ...(protocol['max_tx_size'] == null ? {} : { maxTxSize: number('max_tx_size') }),
    ...(protocol['max_value_size'] == null ? {} : { maxValueSize: number('max_value_size') }),
    ...(typeof scriptPrice === 'number' ? { minFeeRefScriptCostPerByte: scriptPrice } : {})
  }
}

function whole(name: string, value: number | bigint | undefined, otherwise = 0): bigint {
  const chosen = value ?? otherwise
  if ((typeof chosen !== 'bigint' && !Number.isSafeInteger(chosen)) || chosen < 0) throw new InvalidArgumentError(name, 'a whole number from 0', value)
  return BigInt(chosen)
}
