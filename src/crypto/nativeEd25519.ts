// Ed25519 of the runtime's own crypto (Node, Bun, Deno, workerd with nodejs_compat): the same bytes and verdicts as
// noble's in a fraction of the time. Everything here gives undefined where the runtime has none; the caller computes it
// with noble then.
import { concatBytes } from '../codec/bytes.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import { withNodeCrypto } from './nativeCrypto.js'

/**
 * RFC 8410: the prefix of the 32 bytes of a seed in PKCS #8, and those of a public key in SubjectPublicKeyInfo, both in
 * DER.
 */
const PKCS8_PREFIX = '302e020100300506032b657004220420'
const SPKI_PREFIX = '302a300506032b6570032100'
/** Imported public keys kept: a head has few parties, and importing one costs as much as a third of a verification. */
const MAX_KEPT_KEYS = 256

/** A private key inside the runtime. To discard the secret, the caller drops its reference to this object. */
export interface NativeKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  /** Signature, 64 bytes; undefined when the runtime refuses. */
  sign(message: Uint8Array): Uint8Array | undefined
}

/** Imports a 32-byte seed into the runtime's crypto; undefined when the runtime has no Ed25519. */
export function importSeed(seed: Uint8Array): NativeKey | undefined {
  const der = concatBytes(hexToBytes(PKCS8_PREFIX), seed)
  const imported = withNodeCrypto((crypto) => {
    const key = crypto.createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    const spki = crypto.createPublicKey(key).export({ format: 'der', type: 'spki' })
    return { key, spki: Uint8Array.from(spki) }
  })
  der.fill(0)
  if (imported === undefined || bytesToHex(imported.spki.subarray(0, -32)) !== SPKI_PREFIX) return undefined
  return {
    publicKey: imported.spki.slice(-32),
    sign: (message) => {
      const signature = withNodeCrypto((crypto) => Uint8Array.from(crypto.sign(null, message, imported.key)))
      return signature?.length === 64 ? signature : undefined
    }
  }
}

const publicKeys = new Map<string, object>()

/**
 * Checks the equation R = S·B - k·A of a signature: the runtime decodes A and compares R as bytes. Undefined when the
 * runtime has no Ed25519.
 */
export function verifyNatively(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean | undefined {
  return withNodeCrypto((crypto) => {
    const id = bytesToHex(publicKey)
    const key =
      publicKeys.get(id) ??
      crypto.createPublicKey({ key: concatBytes(hexToBytes(SPKI_PREFIX), publicKey), format: 'der', type: 'spki' })
    // The most recently used last.
    publicKeys.delete(id)
    if (publicKeys.size >= MAX_KEPT_KEYS) publicKeys.delete(publicKeys.keys().next().value!)
    publicKeys.set(id, key)
    return crypto.verify(null, message, key, signature)
  })
}
