import type { TxOutJson, WireInteger } from '../protocol/types.js'
import type { UnitCache } from '../protocol/utxoJson.js'
import { eachAmount } from '../protocol/utxoJson.js'

/** Sums by unit. Plain numbers as long as they are exact: adding them is many times faster than adding bigints. */
export type Amounts = Map<string, WireInteger>

/** Adds an output, or subtracts it; a unit that comes to zero is removed. */
export function addOutput(amounts: Amounts, output: TxOutJson, units: UnitCache, sign: 1 | -1 = 1): void {
  eachAmount(
    output.value,
    (unit, quantity) => {
      const before = amounts.get(unit) ?? 0
      let sum: WireInteger = typeof before === 'number' && typeof quantity === 'number' ? before + sign * quantity : NaN
      if (!Number.isSafeInteger(sum)) sum = BigInt(before) + BigInt(sign) * BigInt(quantity)
      if (sum === 0 || sum === 0n) amounts.delete(unit)
      else amounts.set(unit, sum)
    },
    units
  )
}

/** Returns the sum of a few outputs, as a Map that the caller may change. */
export function sumOutputs(outputs: readonly TxOutJson[], units: UnitCache): Map<string, bigint> {
  const balance = new Map<string, bigint>()
  for (const { value } of outputs) {
    eachAmount(
      value,
      (unit, quantity) => {
        if (quantity > 0) balance.set(unit, (balance.get(unit) ?? 0n) + BigInt(quantity))
      },
      units
    )
  }
  return balance
}

/**
 * Returns the sums as a Map that the caller may change. Copy on write would not be safe, because
 * `Map.prototype.set.call` bypasses every guard.
 */
export function toCallerMap(amounts: ReadonlyMap<string, WireInteger>): Map<string, bigint> {
  const balance = new Map<string, bigint>()
  for (const [unit, sum] of amounts) balance.set(unit, BigInt(sum))
  return balance
}
