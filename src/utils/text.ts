import { isBytes } from '../codec/bytes.js'
import { bytesToHex, hexToBytes, isHex } from '../codec/hex.js'
import { bytesToUtf8, utf8ToBytes } from '../codec/utf8.js'
import { InvalidArgumentError } from '../errors/input.js'

/**
 * Converts text to the hex of its UTF-8.
 *
 * @throws {@link InvalidUtf8Error} on a lone surrogate, which has no UTF-8 form.
 * @example
 * ```ts
 * import { stringToHex } from 'layer-sdk/utils'
 * console.log(stringToHex('café')) // 636166c3a9
 * ```
 */
export function stringToHex(str: string): string {
  return bytesToHex(utf8ToBytes(str))
}

/**
 * Converts the hex of UTF-8 to text.
 *
 * @throws {@link InvalidHexError}
 * @throws {@link InvalidUtf8Error}
 * @example
 * ```ts
 * import { hexToString } from 'layer-sdk/utils'
 * console.log(hexToString('636166c3a9')) // café
 * ```
 */
export function hexToString(hex: string): string {
  return bytesToUtf8(hexToBytes(hex), 'hex')
}

/**
 * Converts text to the hex of its UTF-8; the same as {@link stringToHex}.
 *
 * @throws {@link InvalidUtf8Error} on a lone surrogate.
 * @example
 * ```ts
 * import { fromUTF8 } from 'layer-sdk/utils'
 * console.log(fromUTF8('ada')) // 616461
 * ```
 */
export function fromUTF8(str: string): string {
  return stringToHex(str)
}

/**
 * Converts the hex of UTF-8 to text; the same as {@link hexToString}.
 *
 * @throws {@link InvalidHexError}, {@link InvalidUtf8Error}
 * @example
 * ```ts
 * import { toUTF8 } from 'layer-sdk/utils'
 * console.log(toUTF8('616461')) // ada
 * ```
 */
export function toUTF8(hex: string): string {
  return hexToString(hex)
}

/**
 * Converts text or bytes to bytes. Text of whole hex bytes (either case) is decoded as hex, all other text is encoded
 * as UTF-8, and bytes are returned unchanged. Pass bytes if the text may look like hex without being hex.
 *
 * @throws {@link InvalidArgumentError} on another type. @throws {@link InvalidUtf8Error} on a lone surrogate.
 * @example
 * ```ts
 * import { toBytes } from 'layer-sdk/utils'
 * console.log(toBytes('cafe').length, toBytes('café').length) // 2 5
 * ```
 */
export function toBytes(data: string | Uint8Array): Uint8Array {
  if (isBytes(data)) return data
  if (typeof data !== 'string') throw new InvalidArgumentError('data', 'a string or a Uint8Array', data)
  return isHex(data) ? hexToBytes(data) : utf8ToBytes(data)
}
