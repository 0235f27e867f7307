import { InvalidHexError } from '../errors/input.js'
import { isBytes } from './bytes.js'
import { typedErrors } from './typedErrors.js'

export { isHex } from './isHex.js'

const DIGITS = '0123456789abcdef'
const PAIRS: readonly string[] = /* @__PURE__ */ Array.from(
  { length: 256 },
  (_, byte) => DIGITS[byte >> 4]! + DIGITS[byte & 15]!
)

/** Returns the value of a hex digit by its character code; -1 for other characters. */
function digit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  if (code >= 97 && code <= 102) return code - 87
  if (code >= 65 && code <= 70) return code - 55
  return -1
}

/** Encodes bytes as lower-case hex. */
export function bytesToHex(bytes: Uint8Array): string {
  let hex = ''
  for (let i = 0; i < bytes.length; i++) hex += PAIRS[bytes[i]!]
  return hex
}

/** Returns new bytes, which no caller can change: decoded hex, or a copy of the array. */
export function copyBytes(input: string | Uint8Array, what: string): Uint8Array {
  // A detached buffer cannot be copied.
  return isBytes(input) ? typedErrors(what, () => new Uint8Array(input)) : hexToBytes(input, what)
}

/**
 * Decodes hex, in upper or lower case. `what` names the argument in the error. `length`: required number of bytes.
 *
 * @throws {@link InvalidHexError} on an odd number of digits, another character, or a wrong length when one is asked
 * for.
 */
export function hexToBytes(hex: string, what = 'hex', length?: number): Uint8Array {
  if (typeof hex === 'string' && /^0x/i.test(hex))
    throw new InvalidHexError(what, hex, 1, 'hexadecimal digits without the prefix "0x"')
  if (typeof hex !== 'string' || hex.length % 2 !== 0) throw new InvalidHexError(what, hex)
  if (length !== undefined && hex.length !== length * 2)
    throw new InvalidHexError(what, hex, -1, `${length} bytes, ${length * 2} hexadecimal digits`)
  const bytes = new Uint8Array(hex.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    const high = digit(hex.charCodeAt(2 * i))
    const low = digit(hex.charCodeAt(2 * i + 1))
    if (high < 0 || low < 0) throw new InvalidHexError(what, hex, 2 * i + (high < 0 ? 0 : 1))
    bytes[i] = (high << 4) | low
  }
  return bytes
}
