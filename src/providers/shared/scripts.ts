import { blake2b224 } from '../../hash/blake2b.js'
import { concatBytes } from '../../codec/bytes.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { encodeNativeScript, type NativeScript } from '../../codec/nativeScript.js'
import type { ScriptLanguage, ScriptRef } from '../../types/utxo.js'
import type { ResponseReader } from './ResponseReader.js'

/** Script languages in the order of their hash tags, 0 to 3 (ledger: blake2b-224 of tag and script bytes). */
export const LANGUAGES: readonly ScriptLanguage[] = ['native', 'PlutusV1', 'PlutusV2', 'PlutusV3']

/**
 * Finds a Plutus script in bytes that may have one CBOR byte-string wrapping more or less than the ledger's. The hash
 * shows which bytes are the script, and its language. The result is the script as a CBOR byte string.
 */
export function scriptFromHash(cborHex: string, hash: string, read: ResponseReader): ScriptRef {
  const bytes = hexToBytes(cborHex)
  for (const candidate of [bytes, ...unwrap(bytes), wrap(bytes)]) {
    for (let tag = 1; tag < LANGUAGES.length; tag++) {
      const hashed = bytesToHex(blake2b224(concatBytes(Uint8Array.of(tag), candidate)))
      if (hashed === hash) return { language: LANGUAGES[tag]!, cborHex: bytesToHex(wrap(candidate)) }
    }
  }
  return read.check<never>(false, 'cbor', `a Plutus script with hash ${hash}`, undefined as never)
}

/** Returns the content of a byte string as the only element; none when the bytes are not exactly one. */
function unwrap(bytes: Uint8Array): Uint8Array[] {
  const reader = new CborReader(bytes)
  if (reader.done || reader.peekMajor() !== MAJOR.BYTES) return []
  try {
    const content = reader.readBytes()
    return reader.done ? [content] : []
  } catch {
    return []
  }
}

function wrap(bytes: Uint8Array): Uint8Array {
  return new CborWriter().bytes(bytes).toBytes()
}

/** Wraps bytes in a CBOR byte string; hex. */
export function wrapBytes(hex: string): string {
  return bytesToHex(wrap(hexToBytes(hex)))
}

/**
 * Encodes a native script as CBOR, in hex, from JSON: cardano-cli's form, as Blockfrost returns it, or that of Ogmios.
 */
export function nativeScriptCbor(json: unknown, read: ResponseReader): string {
  return bytesToHex(encodeNativeScript(toNativeScript(json, read)))
}

function toNativeScript(json: unknown, read: ResponseReader): NativeScript {
  const { type, clause, keyHash, from, scripts, required, atLeast, slot } = read.object(json, 'script') as Record<
    string,
    unknown
  >
  const children = (): NativeScript[] => read.list(scripts ?? from, 'scripts').map((each) => toNativeScript(each, read))
  const kind = type ?? clause
  switch (kind) {
    case 'sig':
    case 'signature':
      return { type: 'sig', keyHash: read.hex(keyHash ?? from, 'keyHash', 28) }
    case 'all':
    case 'any':
      return { type: kind, scripts: children() }
    case 'atLeast':
    case 'some': {
      const count = Number(required ?? atLeast)
      read.check(Number.isSafeInteger(count), 'required', 'a whole number', count)
      return { type: 'atLeast', required: count, scripts: children() }
    }
    case 'after':
    case 'before': {
      const exact = BigInt(read.quantity(slot, 'slot'))
      read.check(exact < 2n ** 64n, 'slot', 'a whole number of 64 bits', slot)
      return { type: kind, slot: exact }
    }
    default:
      return read.check<never>(false, 'type', 'a kind of native script', undefined as never)
  }
}
