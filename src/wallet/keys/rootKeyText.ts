import {
  passwordBytes,
  rootFromEntropy,
  wordsToEntropy,
  xprvFromBech32,
  xprvFromHex,
  xprvToBech32,
  xprvToHex
} from '../../crypto/inner.js'

/** Derives the root key of a recovery phrase: kL, kR and chain code, hex, 192 characters. @see CIP-3 (Icarus) */
export function mnemonicToRootHex(words: readonly string[], password: string): string {
  return xprvToHex(rootFromEntropy(wordsToEntropy(words), passwordBytes(password)))
}

/** Converts a root key from hex (192 characters) to `xprv1...`. */
export function rootHexToBech32(hex: string): string {
  return xprvToBech32(xprvFromHex(hex))
}

/** Converts a root key from `xprv1...` (or `root_xsk1...`) to hex. */
export function rootBech32ToHex(bech32: string): string {
  return xprvToHex(xprvFromBech32(bech32))
}
