import { bech32 } from '@scure/base'
import { InvalidBech32Error } from '../errors/input.js'

/** Bech32 text under a prefix (CIP-5); Cardano sets no limit of 90 characters. */
export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), false)
}

/**
 * Prefix and bytes of a bech32 text. `what` names the argument in the error; the text is never repeated, it may be a secret.
 *
 * @throws {@link InvalidBech32Error} on mixed case, another alphabet, a wrong checksum or padding.
 */
export function decodeBech32(text: string, what = 'text'): { prefix: string; bytes: Uint8Array } {
  try {
    const { prefix, words } = bech32.decode(text as `${string}1${string}`, false)
    return { prefix, bytes: bech32.fromWords(words) }
  } catch {
    // The cause is dropped: its message repeats the text.
    const got = typeof text === 'string' ? `${text.length} characters that are not` : `a ${typeof text}`
    throw new InvalidBech32Error(what, { expected: 'a prefix, "1", data and a valid checksum', got })
  }
}
