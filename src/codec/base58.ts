import { InvalidAddressError } from '../errors/input.js'
import { bytesToHex, hexToBytes } from './hex.js'
import { integerToHex } from './integer.js'

const BASE = 58n
/** Digits per division, as many as a JavaScript number holds exactly: each division walks over the whole bigint. */
const STEP_DIGITS = 9
const STEP = BASE ** 9n
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/**
 * Longest Byron address that is read: base58 decoding is quadratic (decoding is about three times slower than
 * `@scure/base`), so longer texts are refused unread.
 */
const MAX_CHARACTERS = 512

/** Encodes bytes as base58 (Bitcoin alphabet), the text form of Byron addresses. */
export function encodeBase58(bytes: Uint8Array): string {
  let text = ''
  for (let number = BigInt(`0x0${bytesToHex(bytes)}`); number > 0n; number /= STEP) {
    let digits = Number(number % STEP)
    for (let i = 0; i < STEP_DIGITS; i++, digits = Math.floor(digits / 58)) text = ALPHABET[digits % 58]! + text
  }
  text = text.replace(/^1+/, '')
  // Each leading zero byte is a "1".
  for (let i = 0; bytes[i] === 0; i++) text = ALPHABET[0] + text
  return text
}

/** Decodes base58. @throws {@link InvalidAddressError} on other characters, or on more than 512 characters */
export function decodeBase58(text: string): Uint8Array {
  if (text.length > MAX_CHARACTERS || !/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) {
    const expected = `up to ${MAX_CHARACTERS} base58 characters`
    throw new InvalidAddressError('The text is not base58.', { expected, got: `${text.length} characters` })
  }
  let number = 0n
  for (const character of text) number = number * BASE + BigInt(ALPHABET.indexOf(character))
  const zeros = /^1*/.exec(text)![0].length
  return hexToBytes('00'.repeat(zeros) + (number === 0n ? '' : integerToHex(number)))
}
