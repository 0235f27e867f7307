/** Returns an integer for JSON and plain objects: a number where that is exact, else the bigint. */
export function jsonInteger(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/**
 * Reads an integer from parsed JSON without loss: a bigint, a safe integer, or a text of decimal digits, which several
 * tools write. Returns undefined for other values.
 */
export function exactInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value))
    ? BigInt(value as string)
    : undefined
}

/** Encodes a non-negative integer as hex with an even number of digits. */
export function integerToHex(value: bigint): string {
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}
