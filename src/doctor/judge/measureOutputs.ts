import { parseAddress } from '../../codec/address.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { encodeTxOutput, minLovelace } from '../../codec/txOutput.js'
import { encodeValue, LOVELACE, parseQuantity, valueFromAmounts } from '../../codec/value.js'
import type { TxOutput, UTxO } from '../../types/utxo.js'

/**
 * Highest price, lovelace per byte, up to which a plain output (ada at a Shelley address, without datum) with
 * {@link PLAIN_ENOUGH} is not measured: it certainly holds enough.
 */
const PLAIN_PRICE = 4_310n
/** Lovelace that is more than enough for a plain output at that price. */
const PLAIN_ENOUGH = 1_500_000n
/** Size assumed for a plain output, bytes: rounded up, so that it need not be encoded. */
const PLAIN_BYTES = 80
/** Number of outputs in a slice, after which other tasks may run. */
const SLICE = 64

/** An output as the judges see it. */
export interface MeasuredOutput {
  readonly ref: string
  readonly lovelace: bigint
  /** Size of the output; Infinity for one that no ledger could hold, because a proxy altered it. */
  readonly sizeBytes: number
  readonly valueBytes: number
  /** Least lovelace that the output has to hold at the given price; null without a price. */
  readonly least: bigint | null
  readonly byron: boolean
  readonly atScript: boolean
  readonly hasDatum: boolean
  readonly adaOnly: boolean
}

/** Measures of all outputs of a head. */
export interface MeasuredOutputs {
  readonly outputs: readonly MeasuredOutput[]
  /** Sum of the outputs, by unit. */
  readonly held: ReadonlyMap<string, bigint>
  /** Network of the first Shelley address: 1 is mainnet; null where there is none. */
  readonly networkId: number | null
}

/**
 * Measures outputs, and yields after each slice of them so that other tasks can run.
 *
 * @param coinsPerByte - price of the base ledger, lovelace per byte; null while it is unknown
 */
export function* measureOutputs(
  utxos: readonly UTxO[],
  coinsPerByte: bigint | null
): Generator<undefined, MeasuredOutputs> {
  const outputs: MeasuredOutput[] = []
  const held = new Map<string, bigint>()
  const addresses = new Map<string, AddressKind>()
  let networkId: number | null = null
  for (const [i, { input, output }] of utxos.entries()) {
    const kind = kindOf(output.address, addresses)
    if (networkId === null && kind !== 'byron' && kind !== 'unreadable') networkId = kind.networkId
    outputs.push(measure(`${input.txHash}#${input.index}`, output, kind, coinsPerByte))
    for (const { unit, quantity } of output.amount) held.set(unit, (held.get(unit) ?? 0n) + quantityOf(quantity))
    if (i % SLICE === SLICE - 1) yield
  }
  return { outputs, held, networkId }
}

type AddressKind = 'byron' | 'unreadable' | { readonly networkId: number; readonly atScript: boolean }

/** Maximum number of addresses in the cache, so that a head with 100,000 of them costs little memory. */
const MAX_ADDRESSES = 10_000

function kindOf(text: string, cache: Map<string, AddressKind>): AddressKind {
  const before = cache.get(text)
  if (before !== undefined) return before
  let kind: AddressKind
  try {
    const { type, networkId, payment } = parseAddress(text)
    kind = type === 'byron' ? 'byron' : { networkId, atScript: payment?.kind === 'script' }
  } catch {
    kind = 'unreadable'
  }
  if (cache.size < MAX_ADDRESSES) cache.set(text, kind)
  return kind
}

function measure(ref: string, output: TxOutput, kind: AddressKind, coinsPerByte: bigint | null): MeasuredOutput {
  const lovelace = quantityOf(output.amount.find(({ unit }) => unit === LOVELACE)?.quantity ?? '0')
  const hasDatum = output.inlineDatum !== undefined || output.datumHash !== undefined
  const adaOnly = output.amount.every(({ unit }) => unit === LOVELACE)
  const common = {
    ref,
    lovelace,
    byron: kind === 'byron',
    atScript: typeof kind === 'object' && kind.atScript,
    hasDatum,
    adaOnly
  }
  const isPlain = typeof kind === 'object' && adaOnly && !hasDatum && output.scriptRef === undefined
  if (isPlain && lovelace >= PLAIN_ENOUGH && coinsPerByte !== null && coinsPerByte <= PLAIN_PRICE)
    return { ...common, sizeBytes: PLAIN_BYTES, valueBytes: 9, least: 0n }
  return { ...common, ...sizes(output, coinsPerByte) }
}

function sizes(
  output: TxOutput,
  coinsPerByte: bigint | null
): Pick<MeasuredOutput, 'sizeBytes' | 'valueBytes' | 'least'> {
  try {
    const value = new CborWriter()
    encodeValue(value, valueFromAmounts(output.amount))
    return {
      sizeBytes: encodeTxOutput(output).length,
      valueBytes: value.toBytes().length,
      least: coinsPerByte === null ? null : minLovelace(output, coinsPerByte)
    }
  } catch {
    return { sizeBytes: Infinity, valueBytes: Infinity, least: coinsPerByte === null ? null : 0n }
  }
}

function quantityOf(text: string): bigint {
  try {
    return parseQuantity(text)
  } catch {
    return 0n
  }
}
