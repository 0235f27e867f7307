import { decodeBech32 } from '../codec/bech32.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { writeAddress } from './outputData.js'
import { parseOutputAddress } from './readOutput.js'

const HASH_BYTES = 28
const BASE_BYTES = 1 + 2 * HASH_BYTES
const ENTERPRISE_BYTES = 1 + HASH_BYTES
/** Opening bytes of an output: the start of Constr 0 for the output and of Constr 0 for its address. */
const START = /* @__PURE__ */ Uint8Array.of(0xd8, 0x79, 0x9f, 0xd8, 0x79, 0x9f)
/** Bytes before a stake credential: Constr 0 [Constr 0 [. */
const STAKED = START
/** End of an address without a stake credential: Constr 1 [], break. */
const NOT_STAKED = /* @__PURE__ */ Uint8Array.of(0xd8, 0x7a, 0x80, 0xff)

/** Length of an encoded credential: Constr 0 or 1 [hash]. */
const CREDENTIAL_BYTES = 3 + 2 + HASH_BYTES + 1
const STAKED_BYTES = 2 * (START.length + CREDENTIAL_BYTES) + 3
const NOT_STAKED_BYTES = START.length + CREDENTIAL_BYTES + NOT_STAKED.length

/** Maximum number of bytes that {@link writeOutputStart} writes. Even a pointer of three 64-bit numbers needs fewer. */
export const MAX_OUTPUT_START: number = STAKED_BYTES

/**
 * Writes the beginning of an encoded output into an array that has room for it: the opening of its constructor and the
 * Plutus data of its address. Returns the number of bytes written; 0 for a Byron address. Credentials of base and
 * enterprise addresses, which are nearly all addresses, are copied without further decoding.
 *
 * @throws {@link VerificationError}, {@link InvalidAddressError}
 */
export function writeOutputStart(text: string, target: Uint8Array, at: number): number {
  const bytes = usualAddress(text)
  if (bytes !== null) return writeUsual(bytes, target, at)
  const address = parseOutputAddress(text)
  if (address.payment === undefined) return 0
  const writer = new CborWriter().tag(121).arrayIndefinite()
  writeAddress(writer, address)
  target.set(writer.toBytes(), at)
  return writer.length
}

/** Bytes of a valid base or enterprise address in bech32; null for every other text. */
function usualAddress(text: string): Uint8Array | null {
  if (!/^addr/i.test(text)) return null
  let decoded: ReturnType<typeof decodeBech32>
  try {
    decoded = decodeBech32(text)
  } catch {
    return null
  }
  const { prefix, bytes } = decoded
  const header = bytes[0] ?? 0xff
  const type = header >> 4
  const isUsual = (type <= 3 && bytes.length === BASE_BYTES) || (type >> 1 === 3 && bytes.length === ENTERPRISE_BYTES)
  return isUsual && prefix === ((header & 15) === 0 ? 'addr_test' : 'addr') ? bytes : null
}

function writeUsual(address: Uint8Array, target: Uint8Array, start: number): number {
  const type = address[0]! >> 4
  target.set(START, start)
  writeCredential(target, start + START.length, address.subarray(1, 1 + HASH_BYTES), type & 1)
  const at = start + START.length + CREDENTIAL_BYTES
  if (address.length !== BASE_BYTES) {
    target.set(NOT_STAKED, at)
    return NOT_STAKED_BYTES
  }
  target.set(STAKED, at)
  writeCredential(target, at + STAKED.length, address.subarray(1 + HASH_BYTES), type & 2)
  target.fill(0xff, at + STAKED.length + CREDENTIAL_BYTES, start + STAKED_BYTES)
  return STAKED_BYTES
}

function writeCredential(target: Uint8Array, at: number, hash: Uint8Array, scriptFlag: number): void {
  target[at] = 0xd8
  target[at + 1] = scriptFlag === 0 ? 0x79 : 0x7a
  target[at + 2] = 0x9f
  target[at + 3] = 0x58
  target[at + 4] = HASH_BYTES
  target.set(hash, at + 5)
  target[at + 5 + HASH_BYTES] = 0xff
}
