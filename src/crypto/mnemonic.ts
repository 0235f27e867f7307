// Recovery phrases (BIP-39, English) and the root key that Cardano wallets make of them (CIP-3, "Icarus").
import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { utf8ToBytes } from '../codec/utf8.js'
import { InvalidKeyError, InvalidMnemonicError } from '../errors/wallet.js'
import { withNodeCrypto } from './nativeCrypto.js'
import { randomBytes } from './random.js'

const WORD_COUNTS: readonly number[] = [12, 15, 18, 21, 24]
const STRENGTHS: readonly number[] = [128, 160, 192, 224, 256]
const ROUNDS = 4096
const ROOT_BYTES = 96

/**
 * Generates a recovery phrase: words separated by one space.
 *
 * @param strength - bits of entropy: 128, 160, 192, 224 or 256 for 12, 15, 18, 21 or 24 words.
 */
export function generateMnemonicText(strength = 256): string {
  if (!STRENGTHS.includes(strength)) {
    throw new InvalidMnemonicError(
      'WALLET_MNEMONIC_STRENGTH',
      STRENGTHS.join(', '),
      typeof strength === 'number' ? String(strength) : `a ${typeof strength}`
    )
  }
  const entropy = randomBytes(strength / 8)
  const text = entropyToMnemonic(entropy, wordlist)
  entropy.fill(0)
  return text
}

/**
 * Returns the entropy, 16 to 32 bytes, of a recovery phrase.
 *
 * @throws {@link InvalidMnemonicError} on another number of words, a word that is not in the list (its position is
 * named, the word is not), or a wrong checksum.
 */
export function wordsToEntropy(words: readonly string[]): Uint8Array {
  if (!Array.isArray(words)) {
    const got = typeof words === 'string' ? 'one text; split it at the spaces' : `a ${typeof words}`
    throw new InvalidMnemonicError('WALLET_MNEMONIC_WORD_COUNT', 'an array of 12, 15, 18, 21 or 24 words', got)
  }
  if (!WORD_COUNTS.includes(words.length))
    throw new InvalidMnemonicError('WALLET_MNEMONIC_WORD_COUNT', '12, 15, 18, 21 or 24 words', `${words.length}`)
  const unknown = words.findIndex((word) => !wordlist.includes(word))
  if (unknown >= 0)
    throw new InvalidMnemonicError(
      'WALLET_MNEMONIC_WORD',
      'words of the English BIP-39 list, in lower case',
      `a word ${unknown + 1} that is not in the list`
    )
  try {
    return mnemonicToEntropy(words.join(' '), wordlist)
  } catch {
    // The cause is dropped: it could repeat words.
    throw new InvalidMnemonicError(
      'WALLET_MNEMONIC_CHECKSUM',
      'a last word that agrees with the others',
      'another; check each word and their order'
    )
  }
}

/**
 * Returns the bytes of a wallet password: its UTF-8, without normalization. Text that looks like hex is not decoded
 * (CIP-3).
 */
export function passwordBytes(password: unknown = ''): Uint8Array {
  if (typeof password !== 'string') throw new InvalidKeyError('The password', 'a text', `a ${typeof password}`)
  return utf8ToBytes(password, 'password')
}

/** Makes a valid scalar of the derived bytes (CIP-3), with the third highest bit clear as BIP32-Ed25519 requires. */
function clamp(root: Uint8Array): Uint8Array {
  root[0]! &= 0xf8
  root[31] = (root[31]! & 0x1f) | 0x40
  return root
}

/** Root key kL | kR | chain code, 96 bytes: PBKDF2 over the *entropy*, not over the BIP-39 seed. @see CIP-3 */
export function rootFromEntropy(entropy: Uint8Array, password: Uint8Array): Uint8Array {
  const bytes =
    withNodeCrypto((crypto) => crypto.pbkdf2Sync(password, entropy, ROUNDS, ROOT_BYTES, 'sha512')) ??
    pbkdf2(sha512, password, entropy, { c: ROUNDS, dkLen: ROOT_BYTES })
  const root = clamp(Uint8Array.from(bytes))
  bytes.fill(0)
  return root
}

/**
 * Same as {@link rootFromEntropy}, through WebCrypto, which does not block the thread. Without WebCrypto, or when it
 * fails, the key is derived synchronously.
 */
export async function rootFromEntropyAsync(entropy: Uint8Array, password: Uint8Array): Promise<Uint8Array> {
  try {
    const { subtle } = globalThis.crypto
    const key = await subtle.importKey('raw', password as Uint8Array<ArrayBuffer>, 'PBKDF2', false, ['deriveBits'])
    const parameters = { name: 'PBKDF2', hash: 'SHA-512', salt: entropy as Uint8Array<ArrayBuffer>, iterations: ROUNDS }
    return clamp(new Uint8Array(await subtle.deriveBits(parameters, key, ROOT_BYTES * 8)))
  } catch {
    return rootFromEntropy(entropy, password)
  }
}
