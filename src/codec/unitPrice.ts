/** Price of one execution unit as an exact fraction, in lovelace. */
export interface UnitPrice {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Returns the fee for the execution units of all scripts, in lovelace: the exact sum, rounded up once. */
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

/**
 * Converts a price of the protocol parameters to an exact fraction: the decimal number that is written there, e.g.
 * 0.0577 to 577/10000, without the rounding error of the double.
 */
export function decimalPrice(price: number): UnitPrice {
  const [digits = '0', exponent = '0'] = String(price).split('e')
  const [whole = '0', decimals = ''] = digits.split('.')
  const places = decimals.length - Number(exponent)
  const numerator = BigInt(whole + decimals)
  return places >= 0
    ? { numerator, denominator: 10n ** BigInt(places) }
    : { numerator: numerator * 10n ** BigInt(-places), denominator: 1n }
}
