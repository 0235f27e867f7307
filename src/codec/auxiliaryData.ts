import { blake2b256 } from '../hash/blake2b.js'
import type { ScriptLanguage, ScriptRef } from '../types/utxo.js'
import { CborReader, MAJOR } from './cbor/reader.js'
import { CborWriter } from './cbor/writer.js'
import { bytesToHex, copyBytes, hexToBytes } from './hex.js'
import { Metadatum } from './metadatum.js'

/** Auxiliary data: the part of a transaction besides its body and witnesses, with metadata and scripts. */
export interface AuxiliaryData {
  /** Metadata by label, 0 to 2^64-1. */
  metadata: Map<bigint, Metadatum>
  /** Scripts published with the transaction; `cborHex` is the CBOR of the script, for Plutus a byte string. */
  scripts: ScriptRef[]
}

const CBOR_TAG_ALONZO = 259
const LANGUAGES: readonly ScriptLanguage[] = ['native', 'PlutusV1', 'PlutusV2', 'PlutusV3']

/**
 * Reads auxiliary data (hex or bytes) of any era: metadata alone, `[metadata, native scripts]`, or the tagged map.
 *
 * @throws {@link InvalidCborError} @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { buildAuxiliaryData, decodeAuxiliaryData } from 'layer-sdk/utils'
 * const { metadata } = decodeAuxiliaryData(buildAuxiliaryData({ 674: { msg: ['hello'] } }))
 * console.log(metadata.get(674n)?.toObject())
 * ```
 */
export function decodeAuxiliaryData(cbor: string | Uint8Array): AuxiliaryData {
  const reader = new CborReader(copyBytes(cbor, 'auxiliary data'), 'auxiliary data')
  const data: AuxiliaryData = { metadata: new Map(), scripts: [] }
  const major = reader.peekMajor()
  if (major === MAJOR.MAP) readMetadata(reader, data)
  else if (major === MAJOR.ARRAY) {
    const count = reader.readArrayHeader()
    if (count >= 0 && count !== 2) reader.fail('[metadata, scripts]', `${count} items`)
    readMetadata(reader, data)
    readScripts(reader, data, 'native')
    if (count < 0) reader.readBreak()
  } else {
    if (reader.readTag() !== CBOR_TAG_ALONZO) reader.fail(`tag ${CBOR_TAG_ALONZO}`, 'another tag', 0)
    reader.eachEntry(() => {
      const key = reader.readSafeUint()
      const language = LANGUAGES[key - 1]
      if (key === 0) readMetadata(reader, data)
      else if (language !== undefined) readScripts(reader, data, language)
      else reader.skip()
    })
  }
  reader.finish()
  return data
}

function readMetadata(reader: CborReader, data: AuxiliaryData): void {
  reader.eachEntry(() => data.metadata.set(reader.readUint(), Metadatum.read(reader)))
}

function readScripts(reader: CborReader, data: AuxiliaryData, language: ScriptLanguage): void {
  reader.eachItem(() => data.scripts.push({ language, cborHex: bytesToHex(reader.slice(reader.skip())) }))
}

/**
 * Encodes auxiliary data as CBOR: the plain metadata map, or the tagged map of Alonzo and later when there are scripts.
 *
 * @throws {@link InvalidArgumentError} on a label that is not an unsigned integer of 64 bits.
 */
export function encodeAuxiliaryData(data: {
  metadata: ReadonlyMap<bigint, Metadatum>
  scripts?: readonly ScriptRef[]
}): Uint8Array {
  const scripts = data.scripts ?? []
  if (scripts.length === 0) return encodeMetadata(data.metadata)
  const writer = new CborWriter()
  const used = LANGUAGES.filter((language) => scripts.some((script) => script.language === language))
  writer.tag(CBOR_TAG_ALONZO).map(used.length + (data.metadata.size > 0 ? 1 : 0))
  if (data.metadata.size > 0) writer.uint(0).raw(encodeMetadata(data.metadata))
  for (const language of used) {
    const group = scripts.filter((script) => script.language === language)
    writer.uint(LANGUAGES.indexOf(language) + 1).array(group.length)
    for (const { cborHex } of group) writer.raw(hexToBytes(cborHex, 'scripts.cborHex'))
  }
  return writer.toBytes()
}

/**
 * Encodes metadata by label as CBOR, which is also the auxiliary data of a transaction without scripts.
 *
 * @throws {@link InvalidArgumentError} on a label that is not an unsigned integer of 64 bits.
 */
export function encodeMetadata(metadata: ReadonlyMap<bigint, Metadatum>): Uint8Array {
  const writer = new CborWriter().map(metadata.size)
  for (const [label, metadatum] of metadata) writer.uint(label).raw(metadatum.toBytes())
  return writer.toBytes()
}

/** Hashes the CBOR of auxiliary data (blake2b-256) for the transaction body (key 7). Returns hex, 64 characters. */
export function hashAuxiliaryData(cbor: Uint8Array): string {
  return bytesToHex(blake2b256(cbor))
}
