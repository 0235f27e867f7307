// Ed25519 (RFC 8032) for seeds and for the extended keys kL | kR of BIP32-Ed25519. The two differ only in where the
// scalar and the nonce prefix come from; the signature is the same sum.
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes } from '../codec/bytes.js'
import {
  bytesToNumber,
  decodePoint,
  isStrictEncoding,
  multiplyBase,
  multiplyBaseMinus,
  numberToBytes,
  GROUP_ORDER
} from './curve.js'
import { withNodeCrypto } from './nativeCrypto.js'
import { importSeed, verifyNatively } from './nativeEd25519.js'

/**
 * Returns the SHA-512 of the parts as a little-endian number mod L. The parts may be secret, so intermediate values are
 * cleared. The runtime's own SHA-512, where there is one, needs a third of the time.
 */
function hashToScalar(...parts: readonly Uint8Array[]): bigint {
  const bytes = concatBytes(...parts)
  const digest = withNodeCrypto((crypto) => crypto.hash?.('sha512', bytes, 'buffer')) ?? sha512(bytes)
  const scalar = bytesToNumber(digest) % GROUP_ORDER
  bytes.fill(0)
  digest.fill(0)
  return scalar
}

/** The 64-byte extended key (clamped scalar, prefix) of a 32-byte seed (RFC 8032, 5.1.5). */
export function expandSeed(seed: Uint8Array): Uint8Array {
  const key = sha512(seed)
  key[0]! &= 0xf8
  key[31] = (key[31]! & 0x7f) | 0x40
  return key
}

/** Public key, 32 bytes, of a scalar kL: the first 32 bytes of `key`. */
export function publicKeyFromExtended(key: Uint8Array): Uint8Array {
  // kL is above L: reduced for the product only, never where it is stored or derived from.
  return multiplyBase(bytesToNumber(key.subarray(0, 32))).toBytes()
}

/** Public key, 32 bytes, of a 32-byte seed. */
export function publicKeyFromSeed(seed: Uint8Array): Uint8Array {
  const native = importSeed(seed)
  if (native !== undefined) return native.publicKey
  const key = expandSeed(seed)
  const publicKey = publicKeyFromExtended(key)
  key.fill(0)
  return publicKey
}

/**
 * Signature, 64 bytes, by an extended key kL | kR. Deterministic.
 *
 * `publicKey` must belong to `key`; the caller derives it once and keeps it. With a wrong one, two signatures of the
 * same message reveal the secret. No public function accepts it from a user.
 */
export function signExtended(message: Uint8Array, key: Uint8Array, publicKey: Uint8Array): Uint8Array {
  const r = hashToScalar(key.subarray(32, 64), message)
  const R = multiplyBase(r).toBytes()
  const k = hashToScalar(R, publicKey, message)
  const S = (r + k * bytesToNumber(key.subarray(0, 32))) % GROUP_ORDER
  return concatBytes(R, numberToBytes(S))
}

/**
 * Signature, 64 bytes, by a 32-byte seed (RFC 8032); `publicKey` as for {@link signExtended}, derived when left out.
 */
export function signWithSeed(message: Uint8Array, seed: Uint8Array, publicKey?: Uint8Array): Uint8Array {
  const key = expandSeed(seed)
  const signature = signExtended(message, key, publicKey ?? publicKeyFromExtended(key))
  key.fill(0)
  return signature
}

/**
 * Returns true for a valid signature, as strictly as the ledger's libsodium: S below L, the one canonical encoding of A
 * and R, no point of small order, and the equation without the cofactor. Never throws; wrong lengths are not valid.
 */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false
  const R = signature.subarray(0, 32)
  const S = bytesToNumber(signature.subarray(32))
  if (S >= GROUP_ORDER || !isStrictEncoding(R) || !isStrictEncoding(publicKey)) return false
  return verifyNatively(signature, message, publicKey) ?? satisfiesEquation(R, S, message, publicKey)
}

/** R = S·B - k·A, by noble. */
function satisfiesEquation(encodedR: Uint8Array, S: bigint, message: Uint8Array, publicKey: Uint8Array): boolean {
  const A = decodePoint(publicKey)
  const R = decodePoint(encodedR)
  return (
    A !== undefined && R !== undefined && R.equals(multiplyBaseMinus(S, hashToScalar(encodedR, publicKey, message), A))
  )
}
