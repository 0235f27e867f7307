import { InvalidJsonError } from '../errors/input.js'

/** A number where it is exact, else the bigint: how integers stand in JSON and plain objects. */
export function jsonInteger(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/**
 * An integer of JSON exactly: a bigint, a safe integer, or decimal digits, which several tools write; anything else is undefined.
 */
export function exactInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value)) ? BigInt(value as string) : undefined
}

/** An integer from 0 as hex of whole bytes. */
export function integerToHex(value: bigint): string {
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

/**
 * Reads JSON with integers of 16 digits and more as bigint, so that none is rounded. `codec/json.ts` reads any JSON, fast;
 * this is the few bytes that data schemas need, none of which has text that begins with "#".
 *
 * @throws {@link InvalidJsonError}
 */
export function parseJsonText(text: string, what: string): unknown {
  try {
    // Strings, open at the end or not, and numbers are matched whole, so that the expression is linear.
    const marked = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/g, (part) => (/^-?[1-9]\d{15,}$/.test(part) ? `"#${part}"` : part))
    return JSON.parse(marked, (_, value: unknown) => (typeof value === 'string' && /^#-?\d+$/.test(value) ? jsonInteger(BigInt(value.slice(1))) : value))
  } catch {
    // Without cause: the runtime's message quotes the text.
    throw new InvalidJsonError(what, { expected: 'JSON', got: `${text.length} characters that are none` })
  }
}
