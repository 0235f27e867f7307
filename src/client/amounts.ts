import { LOVELACE } from '../codec/value.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { PaymentAmount } from '../tx/inner.js'

/** Amounts of an address or a wallet. */
export interface Balance {
  /** Lovelace: a millionth of an ada. */
  lovelace: bigint
  /** Amounts by unit: policy id followed by the asset name, hex. */
  assets: Record<string, bigint>
}

/** Converts a sum of amounts by unit to a plain object, without a prototype because units come from the network. */
export function toBalance(sum: ReadonlyMap<string, bigint>): Balance {
  const assets = Object.create(null) as Record<string, bigint>
  for (const [unit, amount] of sum) if (unit !== LOVELACE && amount !== 0n) assets[unit] = amount
  return { lovelace: sum.get(LOVELACE) ?? 0n, assets }
}

export function isEqualBalance(a: Balance | null, b: Balance | null): boolean {
  if (a === null || b === null) return a === b
  const units = Object.keys(a.assets)
  return (
    a.lovelace === b.lovelace &&
    units.length === Object.keys(b.assets).length &&
    units.every((unit) => a.assets[unit] === b.assets[unit])
  )
}

/**
 * Checks an amount, and returns a copy that the caller can no longer change.
 *
 * @throws {@link InvalidArgumentError} unless it is a positive bigint, or a list of positive amounts with each unit
 * once
 */
export function assertAmount(amount: PaymentAmount, name = 'amount'): PaymentAmount {
  const expected = "lovelace as a positive bigint (2_000_000n, ada('2')), or a list of { unit, quantity }"
  if (typeof amount === 'bigint') {
    if (amount > 0n) return amount
    throw new InvalidArgumentError(name, expected, amount)
  }
  if (!Array.isArray(amount) || amount.length === 0) throw new InvalidArgumentError(name, expected, amount)
  const units = new Set<string>()
  for (const entry of amount as readonly { unit?: unknown; quantity?: unknown }[]) {
    const { unit, quantity } = entry ?? {}
    if (typeof quantity !== 'string' || !/^\d+$/.test(quantity) || BigInt(quantity) === 0n)
      throw new InvalidArgumentError(`${name}.quantity`, 'a positive whole number in decimal digits', quantity)
    if (typeof unit !== 'string' || units.has(unit.toLowerCase()))
      throw new InvalidArgumentError(`${name}.unit`, 'each unit once, as text', unit)
    units.add(unit.toLowerCase())
  }
  return amount.map(({ unit, quantity }) => ({ unit, quantity }))
}
