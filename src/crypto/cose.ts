// The part of COSE (RFC 9052) that CIP-8 and CIP-30 use for signed data: COSE_Sign1 and COSE_Key with EdDSA. Headers
// are kept as the bytes that came: signed bytes are never encoded again.
import { readBool, readOptionalNull, readOptionalTag } from '../codec/cbor/optional.js'
import { CborReader, MAJOR } from '../codec/cbor/reader.js'
import { CborWriter } from '../codec/cbor/writer.js'

const HEADER_ALGORITHM = 1
const HEADER_CRITICAL = 2
const HEADER_KEY_ID = 4
const HEADER_ADDRESS = 'address'
const HEADER_HASHED = 'hashed'
const ALGORITHM_EDDSA = -8
const KEY_TYPE_OKP = 1
const CURVE_ED25519 = 6
const KEY = { TYPE: 1, ID: 2, ALGORITHM: 3, CURVE: -1, X: -2 } as const
const TAG_COSE_SIGN1 = 18

/**
 * The parts of a COSE_Sign1. Address, key id and algorithm are read only from the protected header, because only that
 * is signed.
 */
export interface CoseSign1 {
  /** Bytes of the protected header, a CBOR map, as received. */
  readonly protectedHeader: Uint8Array
  /** Raw address, or a 28-byte key hash (Ledger). */
  readonly address: Uint8Array
  readonly keyId: Uint8Array | undefined
  /** True when the payload is the blake2b-224 of the message. */
  readonly hashed: boolean
  /** Null when the payload is detached (sent separately). */
  readonly payload: Uint8Array | null
  readonly signature: Uint8Array
}

/** Returns the bytes that a signature covers: `["Signature1", protected header, external data (none), payload]`. */
export function sigStructure(protectedHeader: Uint8Array, payload: Uint8Array): Uint8Array {
  return new CborWriter()
    .array(4)
    .text('Signature1')
    .bytes(protectedHeader)
    .bytes(new Uint8Array())
    .bytes(payload)
    .toBytes()
}

/** Encodes the protected header { 1: -8, "address": bytes } in the order in which wallets write it. */
export function encodeProtectedHeader(address: Uint8Array): Uint8Array {
  return new CborWriter()
    .map(2)
    .uint(HEADER_ALGORITHM)
    .int(ALGORITHM_EDDSA)
    .text(HEADER_ADDRESS)
    .bytes(address)
    .toBytes()
}

/** Encodes a COSE_Sign1 without a tag, as CIP-30 requires. */
export function encodeCoseSign1(protectedHeader: Uint8Array, payload: Uint8Array, signature: Uint8Array): Uint8Array {
  const writer = new CborWriter().array(4).bytes(protectedHeader)
  return writer.map(1).text(HEADER_HASHED).bool(false).bytes(payload).bytes(signature).toBytes()
}

/** Encodes a COSE_Key { 1: 1 (OKP), 3: -8 (EdDSA), -1: 6 (Ed25519), -2: public key }. */
export function encodeCoseKey(publicKey: Uint8Array): Uint8Array {
  const writer = new CborWriter().map(4).uint(KEY.TYPE).uint(KEY_TYPE_OKP).uint(KEY.ALGORITHM).int(ALGORITHM_EDDSA)
  return writer.int(KEY.CURVE).uint(CURVE_ED25519).int(KEY.X).bytes(publicKey).toBytes()
}

/**
 * Reads a map of headers, whose labels are integers or texts, each once. `read` reads the value of a label, or returns
 * false to skip it.
 */
function readHeaders(reader: CborReader, read: (label: number | string) => boolean): void {
  const seen = new Set<number | string>()
  reader.eachEntry(() => {
    const label = reader.peekMajor() === MAJOR.TEXT ? reader.readText() : Number(reader.readInt())
    if (seen.has(label)) reader.fail('each label once', 'one again')
    seen.add(label)
    if (!read(label)) reader.skip()
  })
}

/**
 * Parses a COSE_Sign1, with tag 18 or without.
 *
 * @throws {@link InvalidCborError} when it is malformed, its algorithm is not EdDSA, or a header that must be signed is
 * not.
 */
export function decodeCoseSign1(bytes: Uint8Array): CoseSign1 {
  const reader = new CborReader(bytes, 'The signature')
  readOptionalTag(reader, TAG_COSE_SIGN1)
  const count = reader.readArrayHeader()
  if (count >= 0 && count !== 4) reader.fail('[protected, unprotected, payload, signature]', `${count} items`)
  const protectedHeader = reader.readBytes()
  const hashed = readUnprotected(reader)
  const payload = readOptionalNull(reader) ? null : reader.readBytes()
  const signature = reader.readBytes()
  if (count < 0) reader.readBreak()
  reader.finish()
  return { protectedHeader, ...readProtected(protectedHeader), hashed, payload, signature }
}

function readProtected(bytes: Uint8Array): Pick<CoseSign1, 'address' | 'keyId'> {
  const reader = new CborReader(bytes, 'The protected header')
  let algorithm: bigint | undefined
  let address: Uint8Array | undefined
  let keyId: Uint8Array | undefined
  readHeaders(reader, (label) => {
    if (label === HEADER_ALGORITHM) algorithm = reader.readInt()
    else if (label === HEADER_KEY_ID) keyId = reader.readBytes()
    else if (label === HEADER_ADDRESS) address = reader.readBytes()
    // RFC 9052, 3.1: critical headers must be understood, and none that comes here is.
    else if (label === HEADER_CRITICAL) reader.fail('no critical headers', 'some')
    else return false
    return true
  })
  reader.finish()
  if (algorithm !== BigInt(ALGORITHM_EDDSA)) reader.fail('algorithm -8 (EdDSA)', 'another or none', 0)
  if (address === undefined) return reader.fail('an address', 'none', 0)
  return { address, keyId }
}

/**
 * Reads the unprotected header and returns true for a hashed payload. Rejects algorithm, address and critical headers
 * here, because they would not be signed.
 */
function readUnprotected(reader: CborReader): boolean {
  let hashed = false
  readHeaders(reader, (label) => {
    if (label === HEADER_HASHED) hashed = readBool(reader)
    else if (label === HEADER_ALGORITHM || label === HEADER_ADDRESS || label === HEADER_CRITICAL)
      reader.fail('this header in the protected map', 'it outside')
    else return false
    return true
  })
  return hashed
}

/**
 * Decodes the public key, 32 bytes, and the key id of a COSE_Key.
 *
 * @throws {@link InvalidCborError} when it is malformed or not an Ed25519 key.
 */
export function decodeCoseKey(bytes: Uint8Array): { publicKey: Uint8Array; keyId: Uint8Array | undefined } {
  const reader = new CborReader(bytes, 'The key')
  const members = new Map<number, bigint>()
  let publicKey: Uint8Array | undefined
  let keyId: Uint8Array | undefined
  readHeaders(reader, (label) => {
    if (label === KEY.X) publicKey = reader.readBytes()
    else if (label === KEY.ID) keyId = reader.readBytes()
    else if (label === KEY.TYPE || label === KEY.ALGORITHM || label === KEY.CURVE) members.set(label, reader.readInt())
    else return false
    return true
  })
  reader.finish()
  const algorithm = members.get(KEY.ALGORITHM) ?? BigInt(ALGORITHM_EDDSA)
  if (
    members.get(KEY.TYPE) !== BigInt(KEY_TYPE_OKP) ||
    members.get(KEY.CURVE) !== BigInt(CURVE_ED25519) ||
    algorithm !== BigInt(ALGORITHM_EDDSA)
  ) {
    reader.fail('an Ed25519 key', 'a key of another kind', 0)
  }
  if (publicKey?.length !== 32) return reader.fail('a public key of 32 bytes', 'another or none', 0)
  return { publicKey, keyId }
}
