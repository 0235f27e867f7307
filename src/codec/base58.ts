import { InvalidAddressError } from '../errors/input.js'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Longest Byron address that is read; base58 takes quadratic time, so longer texts are refused unread. */
const MAX_CHARACTERS = 512

/** Bytes as base58 (Bitcoin alphabet), the text form of Byron addresses. */
export function encodeBase58(bytes: Uint8Array): string {
  const digits = convert(bytes, 256, 58)
  let text = ''
  for (let i = 0; bytes[i] === 0; i++) text += ALPHABET[0]
  for (const digit of digits) text += ALPHABET[digit]
  return text
}

/** @throws {@link InvalidAddressError} on another character or more than 512 of them. */
export function decodeBase58(text: string): Uint8Array {
  const digits = text.length <= MAX_CHARACTERS ? Array.from(text, (character) => ALPHABET.indexOf(character)) : [-1]
  if (digits.includes(-1)) {
    const expected = `up to ${MAX_CHARACTERS} base58 characters`
    throw new InvalidAddressError('The text is not base58.', { expected, got: `${text.length} characters` })
  }
  const zeros = digits.findIndex((digit) => digit !== 0)
  const bytes = convert(digits, 58, 256)
  // Each leading "1" stands for a zero byte.
  return Uint8Array.from([...new Array<number>(zeros < 0 ? digits.length : zeros).fill(0), ...bytes])
}

/** Digits of one base to another, most significant first, without leading zeros. */
function convert(from: ArrayLike<number>, fromBase: number, toBase: number): number[] {
  // Least significant first while the number grows.
  const to: number[] = []
  for (let i = 0; i < from.length; i++) {
    let carry = from[i]!
    for (let j = 0; j < to.length; j++) {
      carry += to[j]! * fromBase
      to[j] = carry % toBase
      carry = Math.floor(carry / toBase)
    }
    for (; carry > 0; carry = Math.floor(carry / toBase)) to.push(carry % toBase)
  }
  return to.reverse()
}
