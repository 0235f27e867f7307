import { LOVELACE } from '../codec/value.js'
import type { UTxO } from '../types/utxo.js'

/** Outputs that a payment chooses from at most, by lovelace and by each unit that it pays. */
const MAX_BY_LOVELACE = 300
const MAX_BY_UNIT = 100

/** The outputs worth choosing from: all of a usual wallet, the largest of one with thousands. */
export function largestOf(pool: readonly UTxO[], units: readonly string[]): readonly UTxO[] {
  if (pool.length <= MAX_BY_LOVELACE) return pool
  const chosen = new Set(topBy(pool, LOVELACE, MAX_BY_LOVELACE))
  for (const unit of units) for (const utxo of topBy(pool, unit, MAX_BY_UNIT)) chosen.add(utxo)
  return [...chosen]
}

function topBy(pool: readonly UTxO[], unit: string, count: number): UTxO[] {
  const held = pool.map((utxo) => [utxo, quantityOf(utxo, unit)] as const).filter(([, quantity]) => quantity > 0n)
  return held
    .sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
    .slice(0, count)
    .map(([utxo]) => utxo)
}

function quantityOf({ output }: UTxO, unit: string): bigint {
  return BigInt(output.amount.find((amount) => amount.unit === unit)?.quantity ?? 0)
}
