import { describeValue } from '../errors/base.js'
import { InvalidKeyFileError } from '../errors/documents.js'
import { CborReader } from './cbor/reader.js'
import { hexToBytes } from './hex.js'
import { typedErrors } from './typedErrors.js'

/** Content of a key file of cardano-cli or of the head node (text envelope). */
export interface TextEnvelope {
  /** E.g. `PaymentSigningKeyShelley_ed25519`. */
  type: string
  /** Free text. cardano-cli writes different ones by version, so no code may depend on it. */
  description: string
  /** CBOR byte string of the raw key: hex. */
  cborHex: string
}

/** Raw signing key of a key file. */
export type SigningKeyBytes =
  /** RFC 8032 seed, 32 bytes. */
  | { kind: 'normal'; seed: Uint8Array }
  /** BIP32-Ed25519: `scalar` is kL and kR, 64 bytes; the file also contains the public key and the chain code. */
  | { kind: 'extended'; scalar: Uint8Array; publicKey: Uint8Array; chainCode: Uint8Array }

/** Raw verification key of a key file. */
export interface VerificationKeyBytes {
  /** Ed25519 public key, 32 bytes. */
  publicKey: Uint8Array
  /** Only of extended keys, 32 bytes. */
  chainCode?: Uint8Array
}

const EXPECTED = 'a text envelope { type, description, cborHex }, or the CBOR hex in it'

/** Matches a file's path that was passed instead of its content: a slash, a backslash, or the ending of a key file. */
const PATH = /^[^{]*([\\/]|\.(skey|vkey|sk|vk|json)$)/i

/**
 * Reads a text envelope: the file's text, the parsed object, or the bare CBOR hex (its `type` is then empty).
 *
 * @throws {@link InvalidKeyFileError} on another shape, without repeating the content.
 */
export function parseTextEnvelope(input: unknown, what = 'key file'): TextEnvelope {
  let value = input
  if (typeof input === 'string') {
    const text = input.trim()
    if (PATH.test(text))
      throw new InvalidKeyFileError(what, {
        expected: EXPECTED,
        got: 'what looks like a path: read the file and pass its content'
      })
    if (!text.startsWith('{')) return { type: '', description: '', cborHex: text }
    try {
      value = JSON.parse(text)
    } catch {
      // Without `cause`: the parser's message quotes the text, which may hold a secret.
      throw new InvalidKeyFileError(what, { expected: EXPECTED, got: 'text that is not JSON' })
    }
  }
  return typedErrors(what, () => {
    const { type = '', description = '', cborHex } = (value ?? {}) as Record<string, unknown>
    if (typeof type === 'string' && typeof description === 'string' && typeof cborHex === 'string')
      return { type, description, cborHex }
    throw new InvalidKeyFileError(what, {
      expected: EXPECTED,
      got: typeof value === 'object' ? 'an object without these texts' : `a ${typeof value}`
    })
  })
}

/**
 * Returns the raw key of an envelope: its CBOR must be one byte string without trailing bytes. `kind`: allowed types.
 */
function keyBytes(envelope: TextEnvelope, what: string, kind: RegExp, noun: string): Uint8Array {
  if (envelope.type !== '' && !kind.test(envelope.type)) {
    throw new InvalidKeyFileError(what, {
      expected: `the type of an Ed25519 ${noun}`,
      got: describeValue(envelope.type)
    })
  }
  const reader = new CborReader(hexToBytes(envelope.cborHex, what), what)
  const bytes = reader.readBytes()
  reader.finish()
  return bytes
}

/**
 * Reads the secret of a signing key file, plain (32 bytes) or extended (128 bytes: kL, kR, public key, chain code).
 *
 * @throws {@link InvalidKeyFileError} on a verification key, a key that is not Ed25519, or another length.
 * @throws {@link InvalidHexError} @throws {@link InvalidCborError} on malformed `cborHex`.
 */
export function parseSigningKey(input: unknown, what = 'signing key'): SigningKeyBytes {
  const bytes = keyBytes(parseTextEnvelope(input, what), what, /SigningKey\w*_ed25519(_bip32)?$/, 'signing key')
  if (bytes.length === 32) return { kind: 'normal', seed: bytes.slice() }
  if (bytes.length === 128) {
    return { kind: 'extended', scalar: bytes.slice(0, 64), publicKey: bytes.slice(64, 96), chainCode: bytes.slice(96) }
  }
  throw new InvalidKeyFileError(what, {
    expected: '32 bytes, or 128 bytes of an extended key',
    got: `${bytes.length} bytes`
  })
}

/**
 * Reads the public key of a verification key file, plain (32 bytes) or extended (64 bytes: public key, chain code).
 *
 * @throws {@link InvalidKeyFileError} on a signing key, a key that is not Ed25519, or another length.
 * @throws {@link InvalidHexError} @throws {@link InvalidCborError} on malformed `cborHex`.
 */
export function parseVerificationKey(input: unknown, what = 'verification key'): VerificationKeyBytes {
  const bytes = keyBytes(
    parseTextEnvelope(input, what),
    what,
    /VerificationKey\w*_ed25519(_bip32)?$/,
    'verification key'
  )
  if (bytes.length === 32) return { publicKey: bytes.slice() }
  if (bytes.length === 64) return { publicKey: bytes.slice(0, 32), chainCode: bytes.slice(32) }
  throw new InvalidKeyFileError(what, {
    expected: '32 bytes, or 64 bytes of an extended key',
    got: `${bytes.length} bytes`
  })
}

/** Makes a text envelope from a raw key (hex). */
export function textEnvelope(type: string, description: string, keyHex: string): TextEnvelope {
  const length = keyHex.length / 2
  // Keys are 32 to 128 bytes, so the head is always 0x58 and one length byte.
  return { type, description, cborHex: `58${length.toString(16).padStart(2, '0')}${keyHex}` }
}
