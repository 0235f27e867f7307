import { InvalidBech32Error } from '../errors/input.js'

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_WORDS = 6

/**
 * Table of the checksum (BIP-173): for each value of the five bits that are shifted out of the checksum, the XOR of the
 * generator words that they add.
 */
const GENERATOR: Int32Array = /* @__PURE__ */ Int32Array.from({ length: 32 }, (_, top) =>
  [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].reduce(
    (sum, word, bit) => ((top >> bit) & 1 ? sum ^ word : sum),
    0
  )
)

/** Returns the checksum after one more 5-bit word (a BCH code). */
function step(checksum: number, word: number): number {
  return ((checksum & 0x1ffffff) << 5) ^ word ^ GENERATOR[checksum >>> 25]!
}

/** Returns the checksum after the prefix: the high bits of its characters, zero, then their low bits. */
function startOf(prefix: string): number {
  let checksum = 1
  for (let i = 0; i < prefix.length; i++) checksum = step(checksum, prefix.charCodeAt(i) >> 5)
  checksum = step(checksum, 0)
  for (let i = 0; i < prefix.length; i++) checksum = step(checksum, prefix.charCodeAt(i) & 31)
  return checksum
}

/** Encodes bytes as bech32 with a prefix (CIP-5). As usual in Cardano, the limit of 90 characters does not apply. */
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
 * Decodes a bech32 text to its prefix and bytes. `what` names the argument in the error. The error never repeats the
 * text, because it may be a secret.
 *
 * @throws {@link InvalidBech32Error} on mixed case, another alphabet, a wrong checksum or padding.
 */
export function decodeBech32(text: string, what = 'text'): { prefix: string; bytes: Uint8Array } {
  const decoded = typeof text === 'string' ? decode(text) : null
  if (decoded !== null) return decoded
  const got =
    typeof text === 'string'
      ? `${text.length} characters that are not bech32, or whose checksum is wrong`
      : `a ${typeof text}`
  throw new InvalidBech32Error(what, { expected: 'a prefix, "1", data and a valid checksum', got })
}

function decode(text: string): { prefix: string; bytes: Uint8Array } | null {
  const lower = text.toLowerCase()
  const separator = text.lastIndexOf('1')
  const end = text.length - CHECKSUM_WORDS
  const isOneCase = text === lower || text === text.toUpperCase()
  if (separator < 1 || separator >= end || !isOneCase || /[^!-~]/.test(text.slice(0, separator))) return null
  const prefix = lower.slice(0, separator)
  const bytes = new Uint8Array(((end - separator - 1) * 5) >> 3)
  let checksum = startOf(prefix)
  let pending = 0
  let bits = 0
  let size = 0
  for (let i = separator + 1; i < text.length; i++) {
    // Of the text as it came: lower case turns the Kelvin sign into a "k".
    const word = WORDS[text.charCodeAt(i)] ?? -1
    if (word < 0) return null
    checksum = step(checksum, word)
    if (i >= end) continue
    pending = ((pending << 5) | word) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[size++] = pending >> bits
    }
  }
  // Padding: fewer than five bits, all of them zero.
  const padded = bits < 5 && (pending & ((1 << bits) - 1)) === 0
  return checksum === 1 && padded ? { prefix, bytes } : null
}

/** Table of the 5-bit word of each character code, in either case; -1 for characters outside the alphabet. */
const WORDS: Int8Array = /* @__PURE__ */ Int8Array.from({ length: 128 }, (_, code) =>
  ALPHABET.indexOf(String.fromCharCode(code).toLowerCase())
)
