import type {
  Bip32Ed25519,
  Bip32PrivateKeyHex,
  Bip32PublicKeyHex,
  Ed25519KeyHashHex,
  Ed25519PrivateExtendedKeyHex,
  Ed25519PrivateNormalKeyHex,
  Ed25519PublicKeyHex,
  Ed25519SignatureHex
} from '@cardano-sdk/crypto'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import {
  HARDENED,
  derivePrivatePath,
  derivePublicChild,
  expandSeed,
  openPublicParent,
  passwordBytes,
  publicKeyFromExtended,
  rootFromEntropy,
  signExtended,
  toExtendedPublic,
  verify
} from '../crypto/inner.js'
import { byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { InvalidKeyError } from '../errors/wallet.js'
import { blake2b224 } from '../hash/blake2b.js'

const ENTROPY_SIZES: readonly number[] = [16, 20, 24, 28, 32]
const EXTENDED_HEX_LENGTH = 128
const MAX_INDEX = 0xffffffff

function assertPath(indices: readonly number[], most: number): readonly number[] {
  for (const index of Array.isArray(indices) ? indices : [undefined]) {
    if (!Number.isInteger(index) || index! < 0 || index! > most)
      throw new InvalidArgumentError('derivationIndices', `whole numbers from 0 to ${most}`, index)
  }
  return indices
}

/** Returns kL | kR of a raw private key: an extended key unchanged, a 32-byte seed expanded (RFC 8032). */
function signingKey(privateKey: string): Uint8Array {
  if (typeof privateKey !== 'string') throw new InvalidKeyError('The private key', 'hex', `a ${typeof privateKey}`)
  if (privateKey.length === EXTENDED_HEX_LENGTH) return hexToBytes(privateKey, 'The private key', 64)
  return expandSeed(hexToBytes(privateKey, 'The private key', 32))
}

/**
 * Implementation of the interface `Bip32Ed25519` of `@cardano-sdk/crypto` (key derivation and signatures) in
 * JavaScript. It needs no WebAssembly, so it works in workers and under content security policies where libsodium does
 * not, and it needs no initialization.
 *
 * @example
 * ```ts
 * import { NobleBip32Ed25519 } from 'layer-sdk/cardano-sdk'
 * const bip32 = new NobleBip32Ed25519()
 * const root = bip32.fromBip39Entropy(new Uint8Array(32), '')
 * console.log(bip32.getBip32PublicKey(root).length) // 128
 * ```
 * @see https://github.com/input-output-hk/cardano-js-sdk
 */
export class NobleBip32Ed25519 implements Bip32Ed25519 {
  /** Creates an instance, like `SodiumBip32Ed25519.create()`; the constructor does the same synchronously. */
  static async create(): Promise<NobleBip32Ed25519> {
    return new NobleBip32Ed25519()
  }

  /**
   * Returns the root private key (Icarus, CIP-3) of a recovery phrase's entropy: hex, 192 characters.
   *
   * @throws {@link InvalidArgumentError} unless the entropy has 16, 20, 24, 28 or 32 bytes.
   */
  fromBip39Entropy(entropy: Uint8Array, passphrase: string): Bip32PrivateKeyHex {
    if (!(entropy instanceof Uint8Array) || !ENTROPY_SIZES.includes(entropy.length)) {
      throw new InvalidArgumentError(
        'entropy',
        '16, 20, 24, 28 or 32 bytes',
        entropy instanceof Uint8Array ? entropy.length : byType(entropy)
      )
    }
    return bytesToHex(rootFromEntropy(entropy, passwordBytes(passphrase))) as Bip32PrivateKeyHex
  }

  /**
   * Returns the public key, hex of 32 bytes, of an extended (64 bytes) or normal (32 bytes) private key. @throws
   * {@link InvalidHexError}
   */
  getPublicKey(privateKey: Ed25519PrivateExtendedKeyHex | Ed25519PrivateNormalKeyHex): Ed25519PublicKeyHex {
    return bytesToHex(publicKeyFromExtended(signingKey(privateKey))) as Ed25519PublicKeyHex
  }

  /** Returns the blake2b-224 of a public key: hex, 56 characters. @throws {@link InvalidHexError} */
  getPubKeyHash(publicKey: Ed25519PublicKeyHex): Ed25519KeyHashHex {
    return bytesToHex(blake2b224(hexToBytes(publicKey, 'The public key', 32))) as unknown as Ed25519KeyHashHex
  }

  /** Returns kL and kR of a private key, hex of 64 bytes. @throws {@link InvalidHexError} */
  getRawPrivateKey(bip32PrivateKey: Bip32PrivateKeyHex): Ed25519PrivateExtendedKeyHex {
    return bytesToHex(
      hexToBytes(bip32PrivateKey, 'The private key', 96).subarray(0, 64)
    ) as Ed25519PrivateExtendedKeyHex
  }

  /** Returns the public key without its chain code, hex of 32 bytes. @throws {@link InvalidHexError} */
  getRawPublicKey(bip32PublicKey: Bip32PublicKeyHex): Ed25519PublicKeyHex {
    return bytesToHex(hexToBytes(bip32PublicKey, 'The public key', 64).subarray(0, 32)) as Ed25519PublicKeyHex
  }

  /** Returns the public key and chain code of a private key, hex of 64 bytes. @throws {@link InvalidHexError} */
  getBip32PublicKey(privateKey: Bip32PrivateKeyHex): Bip32PublicKeyHex {
    return bytesToHex(toExtendedPublic(hexToBytes(privateKey, 'The private key', 96))) as Bip32PublicKeyHex
  }

  /**
   * Derives the descendant of a private key along a path of indexes; those from 2^31 on are hardened. @throws
   * {@link InvalidHexError}, {@link InvalidArgumentError}
   */
  derivePrivateKey(parentKey: Bip32PrivateKeyHex, derivationIndices: number[]): Bip32PrivateKeyHex {
    const path = assertPath(derivationIndices, MAX_INDEX)
    return bytesToHex(derivePrivatePath(hexToBytes(parentKey, 'The private key', 96), path)) as Bip32PrivateKeyHex
  }

  /**
   * Derives the descendant of a public key along a path of indexes.
   *
   * @throws {@link InvalidArgumentError} on a hardened index: only a private key has such children.
   */
  derivePublicKey(parentKey: Bip32PublicKeyHex, derivationIndices: number[]): Bip32PublicKeyHex {
    let key = hexToBytes(parentKey, 'The public key', 64)
    for (const index of assertPath(derivationIndices, HARDENED - 1)) {
      const parent = openPublicParent(key)
      if (parent === undefined)
        throw new InvalidKeyError('The public key', 'a point of the curve edwards25519', 'other bytes')
      key = derivePublicChild(parent, index)
    }
    return bytesToHex(key) as Bip32PublicKeyHex
  }

  /** Same as {@link derivePublicKey}, as a promise. @throws {@link InvalidHexError}, {@link InvalidArgumentError} */
  async derivePublicKeyAsync(parentKey: Bip32PublicKeyHex, derivationIndices: number[]): Promise<Bip32PublicKeyHex> {
    return this.derivePublicKey(parentKey, derivationIndices)
  }

  /** Signs a message in hex; returns the signature, hex of 64 bytes. @throws {@link InvalidHexError} */
  sign(privateKey: Ed25519PrivateExtendedKeyHex | Ed25519PrivateNormalKeyHex, message: string): Ed25519SignatureHex {
    const key = signingKey(privateKey)
    const signature = signExtended(hexToBytes(message, 'The message'), key, publicKeyFromExtended(key))
    key.fill(0)
    return bytesToHex(signature) as Ed25519SignatureHex
  }

  /**
   * Returns true when a signature of a message in hex is valid, checked as strictly as libsodium does.
   *
   * @throws {@link InvalidHexError} on input that is not hex; a wrong signature gives false.
   */
  verify(signature: Ed25519SignatureHex, message: string, publicKey: Ed25519PublicKeyHex): boolean {
    return verify(
      hexToBytes(signature, 'The signature'),
      hexToBytes(message, 'The message'),
      hexToBytes(publicKey, 'The public key')
    )
  }
}
