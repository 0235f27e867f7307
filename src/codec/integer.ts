/** A number where it is exact, else the bigint: how integers stand in JSON and plain objects. */
export function jsonInteger(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/**
 * An integer of JSON exactly: a bigint, a safe integer, or decimal digits, which several tools write; anything else is
 * undefined.
 */
export function exactInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value))
    ? BigInt(value as string)
    : undefined
}

/** An integer from 0 as hex of whole bytes. */
export function integerToHex(value: bigint): string {
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}
