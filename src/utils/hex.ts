import { isBytes } from '../codec/bytes.js'
import { bytesToHex as encodeHex, hexToBytes as decodeHex } from '../codec/hex.js'
import { InvalidArgumentError } from '../errors/input.js'

/**
 * Converts hex of either case to bytes.
 *
 * @throws {@link InvalidHexError} on an odd number of digits or another character.
 * @example
 * ```ts
 * import { hexToBytes } from 'layer-sdk/utils'
 * console.log(hexToBytes('cafe')) // Uint8Array [ 202, 254 ]
 * ```
 */
export function hexToBytes(hex: string): Uint8Array {
  return decodeHex(hex)
}

/**
 * Converts bytes to lower-case hex.
 *
 * @throws {@link InvalidArgumentError} on another type.
 * @example
 * ```ts
 * import { bytesToHex } from 'layer-sdk/utils'
 * console.log(bytesToHex(Uint8Array.of(202, 254))) // cafe
 * ```
 */
export function bytesToHex(bytes: Uint8Array): string {
  if (!isBytes(bytes)) throw new InvalidArgumentError('bytes', 'a Uint8Array', bytes)
  return encodeHex(bytes)
}
