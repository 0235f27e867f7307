import { equalBytes } from '../codec/bytes.js'
import { bytesToHex } from '../codec/hex.js'
import { parseSigningKey, parseTextEnvelope, type TextEnvelope, textEnvelope } from '../codec/textEnvelope.js'
import { publicKeyFromExtended, publicKeyFromSeed, randomBytes } from '../crypto/inner.js'
import { InvalidKeyFileError } from '../errors/documents.js'

/** Signing key file of cardano-cli. It holds a secret. */
export type ChainCliSkey = TextEnvelope
/** Verification key file of cardano-cli. */
export type ChainCliVkey = TextEnvelope
/** Signing key file of the head node. It holds a secret. */
export type LayerCliSkey = TextEnvelope
/** Verification key file of the head node. */
export type LayerCliVkey = TextEnvelope

/**
 * Generates a payment key pair in the file format of cardano-cli: signing key `sk` and verification key `vk`.
 * `JSON.stringify(sk)` is the content of `payment.skey`.
 *
 * @throws {@link RuntimeUnsupportedError} when the runtime has no `crypto.getRandomValues`, or one whose bytes are all
 * equal.
 * @example
 * ```ts
 * import { chainCliKeygen } from 'layer-sdk/utils'
 * const { sk, vk } = chainCliKeygen()
 * console.log(sk.type, vk.cborHex)
 * ```
 */
export function chainCliKeygen(): { sk: ChainCliSkey; vk: ChainCliVkey } {
  const sk = textEnvelope('PaymentSigningKeyShelley_ed25519', 'Payment Signing Key', randomSeed())
  return { sk, vk: genVkey(sk) }
}

/**
 * Generates a key pair of a head party in the file format of the head node's `--hydra-signing-key`: signing key `sk`
 * and verification key `vk`.
 *
 * @throws {@link RuntimeUnsupportedError} when the runtime has no `crypto.getRandomValues`, or one whose bytes are all
 * equal.
 * @example
 * ```ts
 * import { layerCliKeygen } from 'layer-sdk/utils'
 * const { sk, vk } = layerCliKeygen()
 * console.log(sk.type, vk.cborHex)
 * ```
 */
export function layerCliKeygen(): { sk: LayerCliSkey; vk: LayerCliVkey } {
  const sk = textEnvelope('HydraSigningKey_ed25519', '', randomSeed())
  return { sk, vk: genVkey(sk) }
}

/**
 * Returns the verification key file that belongs to a signing key file, of any role. An extended signing key gives an
 * extended verification key, as `cardano-cli key verification-key` does.
 *
 * @throws {@link InvalidKeyFileError} when the file holds no signing key, or a public key that does not belong to it.
 * @throws {@link InvalidHexError} @throws {@link InvalidCborError}
 * @example
 * ```ts
 * import { chainCliKeygen, genVkey } from 'layer-sdk/utils'
 * const { sk, vk } = chainCliKeygen()
 * console.log(genVkey(sk).cborHex === vk.cborHex) // true
 * ```
 */
export function genVkey(sk: ChainCliSkey): ChainCliVkey {
  const file = parseTextEnvelope(sk, 'signing key')
  const key = parseSigningKey(file)
  const type = (file.type || 'PaymentSigningKeyShelley_ed25519').replace('SigningKey', 'VerificationKey')
  const description = file.description.replace('Signing', 'Verification')
  if (key.kind === 'normal') {
    const vkey = textEnvelope(type, description, bytesToHex(publicKeyFromSeed(key.seed)))
    key.seed.fill(0)
    return vkey
  }
  const publicKey = publicKeyFromExtended(key.scalar)
  key.scalar.fill(0)
  if (!equalBytes(publicKey, key.publicKey)) {
    throw new InvalidKeyFileError('signing key', {
      expected: 'the public key of the secret beside it',
      got: 'another public key'
    })
  }
  return textEnvelope(type, description, bytesToHex(publicKey) + bytesToHex(key.chainCode))
}

function randomSeed(): string {
  const seed = randomBytes(32)
  const hex = bytesToHex(seed)
  seed.fill(0)
  return hex
}
