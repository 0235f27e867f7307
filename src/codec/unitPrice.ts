/** A price as an exact fraction, lovelace. */
export interface UnitPrice {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Fee for units of scripts, lovelace: rounded up once, for all scripts together. */
export function priceOfUnits(
  units: readonly { readonly mem: bigint; readonly cpu: bigint }[],
  memory: UnitPrice,
  steps: UnitPrice
): bigint {
  const mem = units.reduce((sum, each) => sum + each.mem, 0n)
  const cpu = units.reduce((sum, each) => sum + each.cpu, 0n)
  const denominator = memory.denominator * steps.denominator
  const numerator = memory.numerator * mem * steps.denominator + steps.numerator * cpu * memory.denominator
  return (numerator + denominator - 1n) / denominator
}

/** Returns a price as the decimal fraction that the parameters state. */
export function decimalPrice(price: number): UnitPrice {
  const [digits = '0', exponent = '0'] = String(price).split('e')
  const [whole = '0', decimals = ''] = digits.split('.')
  const places = decimals.length - Number(exponent)
  const numerator = BigInt(whole + decimals)
  return places >= 0
    ? { numerator, denominator: 10n ** BigInt(places) }
    : { numerator: numerator * 10n ** BigInt(-places), denominator: 1n }
}
