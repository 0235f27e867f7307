import type { Value } from '../codec/value.js'
import { addValue, LOVELACE, valueFromAmounts } from '../codec/value.js'
import { isLayerError } from '../errors/base.js'
import { WalletFragmentedError } from '../errors/client.js'
import { InsufficientFundsError } from '../errors/tx.js'
import type { UTxO } from '../types/utxo.js'

/** Outputs that a payment chooses from at first, by lovelace and by each unit that it pays. */
const MAX_BY_LOVELACE = 300
const MAX_BY_UNIT = 100
/** More than one transaction can spend: an input has 36 bytes at least, and a transaction 16,384 at most. */
const MAX_INPUTS = 500
/**
 * Payments with one input choose it from so many outputs at random: clients of one wallet that choose alike refuse each
 * other's payments.
 */
const SPREAD = 16

/**
 * Pools to build a payment from, one after another: `confirmed` outputs, then `all`, which holds what is not confirmed
 * too.
 */
export function poolsOf(
  confirmed: readonly UTxO[],
  all: readonly UTxO[],
  units: readonly string[]
): (readonly UTxO[])[] {
  const pools = [largestOf(confirmed, units), largestOf(all, units)]
  if (confirmed.length > 1 && units.length === 0) {
    const largest = topBy(confirmed.filter(isPlain), LOVELACE, SPREAD)
    const index = Math.floor(Math.random() * largest.length)
    pools.unshift(largest.slice(index, index + 1))
  }
  if (all.length > MAX_BY_LOVELACE) pools.push(widestOf(all, units))
  return pools
}

/**
 * The error of a payment that no pool sufficed for, with figures of `all` outputs: the last pool may have held a part
 * of them.
 */
export function shortageOf(error: unknown, all: readonly UTxO[], units: readonly string[]): unknown {
  const widest = widestOf(all, units)
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

/** True for an output that is money and no more: it carries no datum and no script. */
export function isPlain({ output }: UTxO): boolean {
  return output.inlineDatum === undefined && output.datumHash === undefined && output.scriptRef === undefined
}

function largestOf(pool: readonly UTxO[], units: readonly string[]): readonly UTxO[] {
  if (pool.length <= MAX_BY_LOVELACE) return pool
  return topByAll(pool, units, { lovelace: MAX_BY_LOVELACE, unit: MAX_BY_UNIT })
}

function widestOf(pool: readonly UTxO[], units: readonly string[]): readonly UTxO[] {
  return pool.length <= MAX_INPUTS ? pool : topByAll(pool, units, { lovelace: MAX_INPUTS, unit: MAX_INPUTS })
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
  const held = pool.map((utxo) => [utxo, quantityOf(utxo, unit)] as const).filter(([, quantity]) => quantity > 0n)
  return held
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
