import { InvalidAddressError, InvalidArgumentError } from '../errors/input.js'
import { decodeBase58, encodeBase58 } from './base58.js'
import { decodeBech32, encodeBech32 } from './bech32.js'
import { concatBytes } from './bytes.js'
import { CborReader } from './cbor/reader.js'
import { crc32 } from './crc32.js'
import { bytesToHex, hexToBytes } from './hex.js'
import { typedErrors } from './typedErrors.js'

/** Credential of an address: the hash of a key or of a script. */
export interface Credential {
  /** Kind of the hash. */
  readonly kind: 'key' | 'script'
  /** Blake2b-224: hex, 56 characters. */
  readonly hash: string
}

/** Place of a stake registration certificate on the chain, by which a pointer address names its stake credential. */
export interface StakePointer {
  /** Slot of the block. */
  readonly slot: bigint
  /** Position of the transaction in the block. */
  readonly txIndex: bigint
  /** Position of the certificate in the transaction. */
  readonly certIndex: bigint
}

/** The parts of a Cardano address. @see CIP-19 */
export interface Address {
  readonly type: 'base' | 'pointer' | 'enterprise' | 'reward' | 'byron'
  /** 1 for mainnet, 0 for every test network; 2 to 15 are reserved and in use nowhere. */
  readonly networkId: number
  readonly bytes: Uint8Array
  /** Payment credential of base, pointer and enterprise addresses. */
  readonly payment?: Credential
  /** Stake credential of base and reward addresses. */
  readonly stake?: Credential
  readonly pointer?: StakePointer
  /** Of Byron addresses: the protocol `magic` of their network, null on mainnet. */
  readonly byron?: { readonly magic: number | null }
}

const PREFIXES = ['addr', 'addr_test', 'stake', 'stake_test']
const HASH_BYTES = 28
const TYPE_BYRON = 8
const TYPE_REWARD = 14
const BYRON_MAGIC_ATTRIBUTE = 2
const CBOR_TAG_ENCODED = 24

/**
 * Parses the text form of an address: bech32 with the prefix of its kind and network, or base58 for Byron. `what`
 * names the argument in the error.
 *
 * @throws {@link InvalidAddressError}
 */
export function parseAddress(text: string, what = 'The address'): Address {
  return named(what, () => readAddress(text))
}

function readAddress(text: string): Address {
  if (typeof text !== 'string') throw invalid('an address text', `a ${typeof text}`)
  // A bech32 text holds "1"; the base58 alphabet does too, so the known prefixes decide.
  if (!/^(addr|stake)(_test)?1/i.test(text)) return byronAddress(decodeBase58Text(text))
  const { prefix, bytes } = decodeAddressText(text)
  // The last "1" ends the prefix: "addr1foo" would be one.
  if (!PREFIXES.includes(prefix)) throw invalid(`the prefix ${PREFIXES.join(', ')}`, 'another')
  if (bytes[0]! >> 4 === TYPE_BYRON) throw invalid('a Byron address in base58', 'one in bech32')
  const address = readAddressBytes(bytes)
  // As cardano-api (Bech32WrongPrefix): the prefix is part of the address, of its kind as of its network.
  if (prefix !== addressPrefix(address))
    throw invalid(`the prefix "${addressPrefix(address)}" of its kind and network`, `"${prefix}"`)
  return address
}

/**
 * Parses the bytes of an address.
 *
 * @throws {@link InvalidAddressError}
 */
export function addressFromBytes(bytes: Uint8Array): Address {
  return named('The address', () => readAddressBytes(bytes))
}

function readAddressBytes(bytes: Uint8Array): Address {
  const header = bytes[0]
  if (header === undefined) throw invalid('at least 29 bytes', 'none')
  const type = header >> 4
  if (type === TYPE_BYRON) return byronAddress(bytes)
  const networkId = header & 15
  if (type <= 3)
    return {
      type: 'base',
      networkId,
      bytes: sized(bytes, 57),
      payment: credential(bytes, 1, type & 1),
      stake: credential(bytes, 29, type & 2)
    }
  if (type <= 5)
    return { type: 'pointer', networkId, bytes, payment: credential(bytes, 1, type & 1), pointer: pointerAt(bytes, 29) }
  if (type <= 7)
    return { type: 'enterprise', networkId, bytes: sized(bytes, 29), payment: credential(bytes, 1, type & 1) }
  if (type >= TYPE_REWARD)
    return { type: 'reward', networkId, bytes: sized(bytes, 29), stake: credential(bytes, 1, type & 1) }
  throw invalid('address type 0 to 8, 14 or 15', `type ${type}`)
}

/** Returns the text form of an address: bech32, or base58 for Byron. @throws {@link InvalidAddressError} */
export function addressToString(bytes: Uint8Array): string {
  const address = addressFromBytes(bytes)
  return address.type === 'byron' ? encodeBase58(bytes) : encodeBech32(addressPrefix(address), bytes)
}

/**
 * Returns a caller's credential; a string is the hash of a key. The hash itself is validated when it is encoded.
 *
 * @throws {@link InvalidArgumentError}
 */
export function assertCredential(input: Credential | string): Credential {
  return typedErrors('credential', () => {
    const { kind, hash } = typeof input === 'object' && input !== null ? input : { kind: 'key' as const, hash: input }
    if (kind !== 'key' && kind !== 'script')
      throw new InvalidArgumentError('credential.kind', '"key" or "script"', kind)
    return { kind, hash }
  })
}

/** Returns the bytes of an address with a payment and a staking part (types 0 to 3). */
export function baseAddress(networkId: 0 | 1, payment: Credential, stake: Credential): Uint8Array {
  return concatBytes(
    header(scriptBit(payment) | (scriptBit(stake) << 1), networkId),
    hashBytes(payment),
    hashBytes(stake)
  )
}

/** Returns the bytes of an address with a payment part only (types 6 and 7). */
export function enterpriseAddress(networkId: 0 | 1, payment: Credential): Uint8Array {
  return concatBytes(header(6 | scriptBit(payment), networkId), hashBytes(payment))
}

/** Returns the bytes of an address that collects rewards (types 14 and 15). */
export function rewardAddress(networkId: 0 | 1, stake: Credential): Uint8Array {
  return concatBytes(header(TYPE_REWARD | scriptBit(stake), networkId), hashBytes(stake))
}

function decodeAddressText(text: string): { prefix: string; bytes: Uint8Array } {
  try {
    return decodeBech32(text, 'The address')
  } catch (cause) {
    throw invalid('bech32 with a valid checksum', 'a text with a wrong checksum or another alphabet', cause)
  }
}

function decodeBase58Text(text: string): Uint8Array {
  try {
    return decodeBase58(text)
  } catch (cause) {
    throw invalid(
      `a bech32 address with prefix ${PREFIXES.join(', ')}, or a Byron address in base58`,
      `${text.length} characters that are neither`,
      cause
    )
  }
}

function addressPrefix({ type, networkId }: Address): string {
  return (type === 'reward' ? 'stake' : 'addr') + (networkId === 0 ? '_test' : '')
}

function header(type: number, networkId: 0 | 1): Uint8Array {
  return Uint8Array.of((type << 4) | networkId)
}

function scriptBit({ kind }: Credential): number {
  return kind === 'script' ? 1 : 0
}

/** Returns the bytes of a credential's hash. @throws {@link InvalidHexError} on another length. */
export function hashBytes({ hash }: Credential): Uint8Array {
  return hexToBytes(hash, 'credential hash', HASH_BYTES)
}

function credential(bytes: Uint8Array, offset: number, scriptFlag: number): Credential {
  if (bytes.length < offset + HASH_BYTES) throw invalid(`at least ${offset + HASH_BYTES} bytes`, `${bytes.length}`)
  return { kind: scriptFlag === 0 ? 'key' : 'script', hash: bytesToHex(bytes.subarray(offset, offset + HASH_BYTES)) }
}

function sized(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw invalid(`${length} bytes`, `${bytes.length}`)
  return bytes
}

function pointerAt(bytes: Uint8Array, offset: number): StakePointer {
  let at = offset
  const next = (): bigint => {
    // CIP-19: big-endian groups of seven bits, the high bit set on all but the last.
    let value = 0n
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) throw invalid('a whole stake pointer', 'one that is cut short')
      value = (value << 7n) | BigInt(byte & 127)
      if (value > 0xffffffffffffffffn) throw invalid('a stake pointer of 64-bit numbers', 'a larger one')
      if (byte < 128) return value
    }
  }
  const pointer = { slot: next(), txIndex: next(), certIndex: next() }
  if (at !== bytes.length) throw invalid(`${at} bytes`, `${bytes.length}`)
  return pointer
}

/** Reads a Byron address, CBOR of `[tag 24 (bytes of [root, attributes, type]), crc32 of those bytes]`. */
function byronAddress(bytes: Uint8Array): Address {
  try {
    const outer = new CborReader(bytes, 'The Byron address')
    if (outer.readArrayHeader() !== 2 || outer.readTag() !== CBOR_TAG_ENCODED)
      outer.fail('[tag 24, checksum]', 'another structure')
    const payload = outer.readBytes()
    if (outer.readSafeUint() !== crc32(payload)) outer.fail('the CRC-32 of the payload', 'another checksum')
    outer.finish()
    const magic = byronMagic(new CborReader(payload, 'The Byron address'))
    return { type: 'byron', networkId: magic === null ? 1 : 0, bytes, byron: { magic } }
  } catch (cause) {
    throw invalid(`a bech32 address with prefix ${PREFIXES.join(', ')}, or a Byron address in base58`, 'neither', cause)
  }
}

function byronMagic(payload: CborReader): number | null {
  if (payload.readArrayHeader() !== 3) payload.fail('[root, attributes, type]', 'another structure')
  if (payload.readBytes().length !== HASH_BYTES) payload.fail('a root of 28 bytes', 'another length')
  let magic: number | null = null
  payload.eachEntry(() => {
    const key = payload.readSafeUint()
    const value = payload.readBytes()
    if (key !== BYRON_MAGIC_ATTRIBUTE) return
    const reader = new CborReader(value, 'The network magic')
    magic = reader.readSafeUint()
    reader.finish()
  })
  // 0 is a key's, 2 a voucher's; the ledger knows no other.
  if (![0, 2].includes(payload.readSafeUint())) payload.fail('type 0 or 2', 'another')
  payload.finish()
  return magic
}

/** Internal error of an invalid address; `named` converts it to an InvalidAddressError that names the argument. */
class AddressFault extends Error {
  readonly details: { expected: string; got: string; cause?: unknown }
  constructor(details: AddressFault['details']) {
    super()
    this.details = details
  }
}

function invalid(expected: string, got: string, cause?: unknown): AddressFault {
  return new AddressFault({ expected, got, cause })
}

function named<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof AddressFault
      ? new InvalidAddressError(`${what} is not a valid Cardano address.`, error.details)
      : error
  }
}

/**
 * Returns true for a Cardano address: bech32 of a base, pointer, enterprise, reward or script address whose prefix
 * agrees with its network, or base58 of a Byron address with a correct checksum. Never throws.
 *
 * @example
 * ```ts
 * import { isValidAddress } from 'layer-sdk/utils'
 * console.log(isValidAddress('addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8')) // true
 * ```
 * @see CIP-19
 */
export function isValidAddress(address: string): boolean {
  try {
    parseAddress(address)
    return true
  } catch {
    return false
  }
}
