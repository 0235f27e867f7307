import { assetNamePrefix } from '../../codec/assetLabel.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { isPlainObject } from '../../codec/metadatum.js'
import { PlutusData } from '../../codec/plutusData.js'
import { bytesToUtf8, utf8ToBytes } from '../../codec/utf8.js'
import { described, isLayerError } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { PlutusDataSource } from '../scripts/ScriptPart.js'

/**
 * Kind of a token whose metadata is in the datum of a second one, its reference token: `nft` is unique, `ft` fungible,
 * `rft` one of several equal tokens.
 */
export type Cip68Kind = 'nft' | 'ft' | 'rft'

/** Content of a reference token's datum: the metadata of a token (CIP-68). */
export interface Cip68Metadata {
  /** Version of the datum's form in CIP-68. */
  version: number
  /** Statements about the token: texts, whole numbers, bytes, lists and nested objects. */
  metadata: Record<string, unknown>
  /** Additional data, whose form the issuer defines. */
  extra: PlutusData
}

const LABELS: Readonly<Record<Cip68Kind, number>> = { nft: 222, ft: 333, rft: 444 }
const REFERENCE_LABEL = 100
const MAX_NAME_BYTES = 28

/**
 * Returns the two asset names of a CIP-68 token, hex: the token `user` goes to the owner, and the output with the token
 * `reference` has the metadata in its datum.
 *
 * @param name - name without a label: hex, at most 28 bytes
 * @throws {@link InvalidArgumentError}, {@link InvalidHexError}
 * @example
 * ```ts
 * import { cip68Names } from 'layer-sdk/tx'
 * console.log(cip68Names('6e6674', 'nft')) // { reference: '000643b06e6674', user: '000de1406e6674' }
 * ```
 * @see CIP-67, CIP-68
 */
export function cip68Names(name: string, kind: Cip68Kind): { reference: string; user: string } {
  const bytes = hexToBytes(name, 'name')
  if (bytes.length > MAX_NAME_BYTES)
    throw new InvalidArgumentError('name', 'at most 28 bytes', described(`${bytes.length} bytes`))
  if (!Object.hasOwn(LABELS, kind)) throw new InvalidArgumentError('kind', Object.keys(LABELS).join(', '), kind)
  const nameHex = bytesToHex(bytes)
  return { reference: assetNamePrefix(REFERENCE_LABEL) + nameHex, user: assetNamePrefix(LABELS[kind]) + nameHex }
}

/**
 * Makes the datum of a reference token: CBOR hex, for the extra `inlineDatum` of `pay`.
 *
 * @param metadata - texts are encoded as UTF-8 bytes; it may also have whole numbers, `Uint8Array`, lists and objects
 * @param options - `version` of the datum's form in CIP-68, a number (1 by default), and `extra`, data of your own
 * @throws {@link InvalidArgumentError} naming the member
 * @example
 * ```ts
 * import { cip68Datum } from 'layer-sdk/tx'
 * console.log(cip68Datum({ name: 'nft' })) // d8799fa1446e616d65436e667401d87980ff
 * ```
 * @see CIP-68
 */
export function cip68Datum(
  metadata: Readonly<Record<string, unknown>>,
  options: { version?: number; extra?: PlutusDataSource } = {}
): string {
  const { version = 1, extra } = options
  if (!isPlainObject(metadata)) throw new InvalidArgumentError('metadata', 'an object', metadata)
  const more = extra === undefined ? PlutusData.constr(0, []) : PlutusData.fromCbor(cborOf(extra))
  return PlutusData.constr(0, [toData(metadata, 'metadata'), PlutusData.int(version), more]).toCbor()
}

/**
 * Reads the datum of a reference token: bytes that are UTF-8 become texts.
 *
 * @throws {@link InvalidArgumentError} on another datum; {@link InvalidCborError}, {@link InvalidHexError}
 * @example
 * ```ts
 * import { readCip68Datum } from 'layer-sdk/tx'
 * console.log(readCip68Datum('d8799fa1446e616d65436e667401d87980ff').metadata) // { name: 'nft' }
 * ```
 */
export function readCip68Datum(datum: PlutusDataSource): Cip68Metadata {
  const data = PlutusData.fromCbor(cborOf(datum))
  const { index, fields } = data.kind === 'constr' ? data.asConstr() : { index: -1n, fields: [] }
  const [metadata, version, extra] = fields
  if (index !== 0n || metadata?.kind !== 'map' || version?.kind !== 'int' || extra === undefined)
    throw new InvalidArgumentError('datum', 'constructor 0 with metadata, version and extra (CIP-68)', data.kind)
  const plain = fromData(metadata)
  if (!isPlainObject(plain))
    throw new InvalidArgumentError('datum', 'metadata with texts as keys', described('other keys'))
  return { version: Number(version.asInt()), metadata: plain, extra }
}

const cborOf = (source: PlutusDataSource): string => (typeof source === 'string' ? source : source.toCbor())

function toData(value: unknown, path: string): PlutusData {
  if (value instanceof PlutusData) return value
  if (typeof value === 'string') return PlutusData.bytes(utf8ToBytes(value))
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return PlutusData.int(value as bigint | number)
  if (value instanceof Uint8Array) return PlutusData.bytes(value)
  if (Array.isArray(value)) return PlutusData.list(value.map((each, i) => toData(each, `${path}[${i}]`)))
  if (isPlainObject(value))
    return PlutusData.map(
      Object.entries(value).map(([key, each]) => [PlutusData.bytes(utf8ToBytes(key)), toData(each, `${path}.${key}`)])
    )
  throw new InvalidArgumentError(path, 'a text, a whole number, bytes, a list or an object', value)
}

function fromData(data: PlutusData): unknown {
  switch (data.kind) {
    case 'int':
      return data.asInt()
    case 'bytes':
      return textOr(data.asBytes())
    case 'list':
      return data.asList().map(fromData)
    case 'map': {
      const entries = data.asMap().map(([key, value]) => [fromData(key), fromData(value)] as const)
      const isNamed = entries.every(([key]) => typeof key === 'string')
      return isNamed ? Object.fromEntries(entries as [string, unknown][]) : new Map(entries)
    }
    case 'constr':
      return data
  }
}

function textOr(bytes: Uint8Array): string | Uint8Array {
  try {
    return bytesToUtf8(bytes)
  } catch (error) {
    if (isLayerError(error)) return bytes
    throw error
  }
}
