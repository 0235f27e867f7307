import { InvalidJsonError } from '../errors/input.js'

/** A number where it is exact, else the bigint: how integers stand in JSON and plain objects. */
export function jsonInteger(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/**
 * An integer of JSON exactly: a bigint, a safe integer, or decimal digits; anything else is undefined. Digits are what
 * {@link parseJsonText} makes of large integers, and what several tools write.
 */
export function exactInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value)) ? BigInt(value as string) : undefined
}

/**
 * Reads JSON with integers of 16 digits and more as text, so that none is rounded, for decoders that take their integers
 * through {@link exactInteger}. `codec/json.ts` reads any JSON and gives bigint; this is the few bytes that data schemas need.
 *
 * @throws {@link InvalidJsonError}
 */
export function parseJsonText(text: string, what: string): unknown {
  try {
    // A string, open at the end or not, is matched first and left alone; so the expression is linear.
    return JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"?|-?\d{16,}(?![\d.eE])/g, (part) => (part[0] === '"' ? part : `"${part}"`)))
  } catch {
    // Without cause: the runtime's message quotes the text.
    throw new InvalidJsonError(what, { expected: 'JSON', got: `${text.length} characters that are none` })
  }
}
