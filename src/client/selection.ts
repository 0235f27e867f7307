import type { Value } from '../codec/value.js'
import { addValue, LOVELACE, valueFromAmounts } from '../codec/value.js'
import { isLayerError } from '../errors/base.js'
import { WalletFragmentedError } from '../errors/client.js'
import { InsufficientFundsError } from '../errors/tx.js'
import type { TransactionTooLargeError } from '../errors/tx.js'
import type { UTxO } from '../types/utxo.js'

/** Number of largest outputs that a payment chooses from at first, by lovelace and by each unit that it pays. */
const MAX_BY_LOVELACE = 300
const MAX_BY_UNIT = 100
/**
 * Maximum number of inputs that are considered. One transaction can spend fewer: an input has 36 bytes at least, and a
 * transaction 16,384 at most.
 */
const MAX_INPUTS = 500
/**
 * Bytes of an input in a body, and of a transaction with a payment, change and one signature without its inputs. An
 * input is a pair of 32 bytes and an index of up to 3 bytes.
 */
const INPUT_BYTES = 37
const OTHER_BYTES = 320
/**
 * Number of outputs from which a payment with one input chooses at random: clients of one wallet that choose the same
 * output make each other's payments fail.
 */
const SPREAD = 16

/** Number of inputs that a payment has room for in a transaction of at most `maxTxSize` bytes. */
export function inputsWithin(maxTxSize: number): number {
  return Math.min(MAX_INPUTS, Math.max(1, Math.floor((maxTxSize - OTHER_BYTES) / INPUT_BYTES)))
}

/**
 * Pools to build a payment from, one after another: `confirmed` outputs, then `all`, which holds unconfirmed ones too.
 * None has more outputs of a unit than the `mostInputs` that a transaction has room for.
 */
export function poolsOf(
  confirmed: readonly UTxO[],
  all: readonly UTxO[],
  units: readonly string[],
  mostInputs: number = MAX_INPUTS
): (readonly UTxO[])[] {
  const pools = [largestOf(confirmed, units, mostInputs), largestOf(all, units, mostInputs)]
  if (confirmed.length > 1 && units.length === 0) {
    pools.unshift(oneOf(topBy(confirmed.filter(isPlain), LOVELACE, SPREAD)))
  }
  if (all.length > MAX_BY_LOVELACE) pools.push(widestOf(all, units, mostInputs))
  return pools
}

/**
 * Returns the error of a payment for which no pool sufficed, with figures of `all` outputs, because the last pool may
 * have held only a part of them.
 */
export function shortageOf(
  error: unknown,
  all: readonly UTxO[],
  units: readonly string[],
  mostInputs: number = MAX_INPUTS
): unknown {
  const widest = widestOf(all, units, mostInputs)
  if (!isLayerError(error, 'TX_INSUFFICIENT_FUNDS') || widest.length === all.length) return error
  const [available, reachable] = [sumOf(all), sumOf(widest)]
  const missing = new Map<string, bigint>()
  for (const [unit, amount] of Object.entries(error.missing)) {
    const short = BigInt(amount) - (available.get(unit) ?? 0n) + (reachable.get(unit) ?? 0n)
    if (short > 0n) missing.set(unit, short)
  }
  if (missing.size === 0) return new WalletFragmentedError(all.length, widest.length, reachable.get(LOVELACE) ?? 0n)
  return new InsufficientFundsError(missing, {
    purpose: 'outputs and fee',
    available,
    inputs: all.length,
    unspendable: 0
  })
}

/**
 * Returns the error of a payment whose transaction is too large; where fewer inputs would make it fit, the error names
 * the amount that those hold.
 *
 * @param isEnough - true when these outputs cover the payment
 */
export function tooLargeOf(
  error: TransactionTooLargeError,
  all: readonly UTxO[],
  units: readonly string[],
  isEnough: (pool: readonly UTxO[]) => boolean
): Error {
  const largest = topBy(all, units[0] ?? LOVELACE, MAX_INPUTS)
  if (!isEnough(largest)) return error
  let [tooFew, enough] = [0, largest.length]
  while (enough - tooFew > 1) {
    const count = (enough + tooFew) >> 1
    if (isEnough(largest.slice(0, count))) enough = count
    else tooFew = count
  }
  return fragmentedOf(error, all.length, largest.slice(0, enough))
}

/**
 * Returns the error of a transaction that is too large with these inputs, the largest first, which names the amount
 * that the fitting ones hold. `outputs`: number of outputs in all.
 */
export function fragmentedOf(error: TransactionTooLargeError, outputs: number, inputs: readonly UTxO[]): Error {
  const fitting = inputs.length - Math.ceil((error.sizeBytes - error.limitBytes) / INPUT_BYTES)
  if (fitting < 1) return error
  const reachable = sumOf(inputs.slice(0, fitting)).get(LOVELACE) ?? 0n
  return new WalletFragmentedError(outputs, fitting, reachable, error)
}

/**
 * Pools that a payment tries first: `count` is the number of largest confirmed outputs by each unit, from which `pick`
 * chooses the pool.
 */
export const FIRST_POOLS: readonly { readonly count: number; readonly pick: (utxos: readonly UTxO[]) => UTxO[] }[] = [
  { count: SPREAD, pick: (utxos) => oneOf(topBy(utxos.filter(isPlain), LOVELACE, SPREAD)) },
  { count: MAX_BY_LOVELACE, pick: (utxos) => [...utxos] }
]

/** True for a plain output, without datum and script. */
export function isPlain({ output }: UTxO): boolean {
  return output.inlineDatum === undefined && output.datumHash === undefined && output.scriptRef === undefined
}

/** Returns one of the outputs at random; an empty list for an empty list. */
function oneOf(utxos: readonly UTxO[]): UTxO[] {
  const index = Math.floor(Math.random() * utxos.length)
  return utxos.slice(index, index + 1)
}

function largestOf(pool: readonly UTxO[], units: readonly string[], mostInputs: number): readonly UTxO[] {
  const [lovelace, unit] = [Math.min(MAX_BY_LOVELACE, mostInputs), Math.min(MAX_BY_UNIT, mostInputs)]
  return pool.length <= lovelace ? pool : topByAll(pool, units, { lovelace, unit })
}

function widestOf(pool: readonly UTxO[], units: readonly string[], mostInputs: number): readonly UTxO[] {
  return pool.length <= mostInputs ? pool : topByAll(pool, units, { lovelace: mostInputs, unit: mostInputs })
}

function topByAll(
  pool: readonly UTxO[],
  units: readonly string[],
  count: { readonly lovelace: number; readonly unit: number }
): UTxO[] {
  const chosen = new Set(topBy(pool, LOVELACE, count.lovelace))
  for (const unit of units) for (const utxo of topBy(pool, unit, count.unit)) chosen.add(utxo)
  return [...chosen]
}

function topBy(pool: readonly UTxO[], unit: string, count: number): UTxO[] {
  const candidates = pool.map((utxo) => [utxo, quantityOf(utxo, unit)] as const).filter(([, quantity]) => quantity > 0n)
  return candidates
    .sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
    .slice(0, count)
    .map(([utxo]) => utxo)
}

function sumOf(utxos: readonly UTxO[]): Value {
  const sum: Value = new Map()
  for (const { output } of utxos) addValue(sum, valueFromAmounts(output.amount))
  return sum
}

function quantityOf({ output }: UTxO, unit: string): bigint {
  return BigInt(output.amount.find((amount) => amount.unit === unit)?.quantity ?? 0)
}
