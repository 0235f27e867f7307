import { InvalidBech32Error } from '../errors/input.js'

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_WORDS = 6

/** One step of the checksum (BIP-173): a BCH code over 5-bit words. */
function step(checksum: number, word: number): number {
  const top = checksum >>> 25
  let next = ((checksum & 0x1ffffff) << 5) ^ word
  if (top & 1) next ^= 0x3b6a57b2
  if (top & 2) next ^= 0x26508e6d
  if (top & 4) next ^= 0x1ea119fa
  if (top & 8) next ^= 0x3d4233dd
  if (top & 16) next ^= 0x2a1462b3
  return next
}

/** Checksum state after the prefix: the high bits of its characters, zero, the low bits. */
function startOf(prefix: string): number {
  let checksum = 1
  for (let i = 0; i < prefix.length; i++) checksum = step(checksum, prefix.charCodeAt(i) >> 5)
  checksum = step(checksum, 0)
  for (let i = 0; i < prefix.length; i++) checksum = step(checksum, prefix.charCodeAt(i) & 31)
  return checksum
}

/** Bech32 text under a prefix (CIP-5); Cardano sets no limit of 90 characters. */
export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  let checksum = startOf(prefix)
  let text = `${prefix}1`
  const push = (word: number): void => {
    checksum = step(checksum, word)
    text += ALPHABET[word]
  }
  let pending = 0
  let bits = 0
  for (const byte of bytes) {
    pending = (pending << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) push((pending >> (bits - 5)) & 31)
    pending &= 31
  }
  if (bits > 0) push((pending << (5 - bits)) & 31)
  for (let i = 0; i < CHECKSUM_WORDS; i++) checksum = step(checksum, 0)
  for (let i = CHECKSUM_WORDS - 1; i >= 0; i--) text += ALPHABET[((checksum ^ 1) >> (5 * i)) & 31]
  return text
}

/**
 * Prefix and bytes of a bech32 text. `what` names the argument in the error; the text is never repeated, it may be a secret.
 *
 * @throws {@link InvalidBech32Error} on mixed case, another alphabet, a wrong checksum or padding.
 */
export function decodeBech32(text: string, what = 'text'): { prefix: string; bytes: Uint8Array } {
  const decoded = typeof text === 'string' ? decode(text) : null
  if (decoded !== null) return decoded
  const got = typeof text === 'string' ? `${text.length} characters that are not` : `a ${typeof text}`
  throw new InvalidBech32Error(what, { expected: 'a prefix, "1", data and a valid checksum', got })
}

function decode(text: string): { prefix: string; bytes: Uint8Array } | null {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return null
  const separator = lower.lastIndexOf('1')
  const prefix = lower.slice(0, separator)
  const end = lower.length - CHECKSUM_WORDS
  // ASCII only, judged before lower case: the Kelvin sign would turn into a "k".
  if (separator < 1 || separator >= end || !/^[!-~]+$/.test(text)) return null
  const bytes = new Uint8Array(((end - separator - 1) * 5) >> 3)
  let checksum = startOf(prefix)
  let pending = 0
  let bits = 0
  let size = 0
  for (let i = separator + 1; i < lower.length; i++) {
    const word = WORDS[lower.charCodeAt(i)] ?? 0
    if (word === 0) return null
    checksum = step(checksum, word - 1)
    if (i >= end) continue
    pending = ((pending << 5) | (word - 1)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[size++] = pending >> bits
    }
  }
  // Padding: fewer than five bits, all of them zero.
  return checksum === 1 && bits < 5 && (pending & ((1 << bits) - 1)) === 0 ? { prefix, bytes } : null
}

/** The 5-bit word of a character code, plus one; zero for characters outside the alphabet. */
const WORDS: Uint8Array = /* @__PURE__ */ (() => {
  const words = new Uint8Array(128)
  for (let word = 0; word < ALPHABET.length; word++) words[ALPHABET.charCodeAt(word)] = word + 1
  return words
})()
