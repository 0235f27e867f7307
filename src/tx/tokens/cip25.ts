import { decodeAuxiliaryData } from '../../codec/auxiliaryData.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { chunkMetadataText, isPlainObject, Metadatum } from '../../codec/metadatum.js'
import type { MetadatumObject } from '../../codec/metadatum.js'
import { bytesToUtf8, utf8ToBytes } from '../../codec/utf8.js'
import { isLayerError } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'

/** Metadata of tokens by policy id (hex), then by asset name (hex): an object such as `{ name, image }`. */
export type TokenMetadata = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>

const LABEL = 721n
const MAX_TEXT_BYTES = 64

/**
 * Makes the metadata of tokens for `TxBuilder.metadata` (CIP-25): version 1 when all asset names are UTF-8 text, else
 * version 2. Texts longer than 64 bytes are split into lists of texts.
 *
 * @param tokens - each token needs a `name` and an `image`
 * @throws {@link InvalidArgumentError}, {@link InvalidHexError}, {@link InvalidMetadatumError} naming the place
 * @example
 * ```ts
 * import { cip25Metadata, TxBuilder } from 'layer-sdk/tx'
 *
 * const policyId = '8e6c79d3eb92d058e3170c2f26428e2b8de39ff4fd38470fca2dc1d9'
 * const metadata = cip25Metadata({ [policyId]: { '6e6674': { name: 'nft', image: 'ipfs://...' } } })
 * new TxBuilder().metadata(metadata)
 * ```
 * @see CIP-25
 */
export function cip25Metadata(tokens: TokenMetadata): Record<string, Metadatum> {
  if (!isPlainObject(tokens)) throw new InvalidArgumentError('tokens', '{ [policyId]: { [assetName]: {...} } }', tokens)
  const names = Object.values(tokens).flatMap((assets) => (isPlainObject(assets) ? Object.keys(assets) : []))
  const version = names.every((name) => textOf(hexToBytes(name, 'asset name')) !== null) ? 1 : 2
  const policies = Object.entries(tokens).map(([policyId, assets]): [string | Uint8Array, unknown] => {
    const bytes = hexToBytes(policyId, 'policyId', 28)
    if (!isPlainObject(assets)) throw new InvalidArgumentError(policyId, '{ [assetName]: {...} }', assets)
    const entries = Object.entries(assets).map(([name, about]): [string | Uint8Array, unknown] => {
      const key = hexToBytes(name, 'asset name')
      return [version === 1 ? bytesToUtf8(key) : key, describedBy(about, name)]
    })
    return [version === 1 ? policyId.toLowerCase() : bytes, new Map(entries)]
  })
  return { [String(LABEL)]: Metadatum.from(new Map<unknown, unknown>([...policies, ['version', version]])) }
}

/**
 * Reads the metadata of tokens (CIP-25, both versions) from auxiliary data (CBOR hex). Lists of texts stay lists.
 * Entries that do not have the form of CIP-25 are left out.
 *
 * @returns an empty object without such metadata
 * @throws {@link InvalidHexError}, {@link InvalidCborError}
 * @example
 * ```ts
 * import { readCip25Metadata } from 'layer-sdk/tx'
 * console.log(Object.keys(readCip25Metadata('a0'))) // []
 * ```
 */
export function readCip25Metadata(auxiliaryData: string): Record<string, Record<string, Record<string, unknown>>> {
  const tokens: Record<string, Record<string, Record<string, unknown>>> = Object.create(null)
  const found = decodeAuxiliaryData(auxiliaryData).metadata.get(LABEL)
  for (const [policy, assets] of found === undefined ? [] : entriesOf(found.toObject())) {
    const policyId =
      typeof policy === 'string' ? policy.toLowerCase() : policy instanceof Uint8Array ? bytesToHex(policy) : ''
    if (!/^[0-9a-f]{56}$/.test(policyId)) continue
    const of: Record<string, Record<string, unknown>> = Object.create(null)
    for (const [name, about] of entriesOf(assets)) {
      if (!isPlainObject(about) || (typeof name !== 'string' && !(name instanceof Uint8Array))) continue
      of[bytesToHex(typeof name === 'string' ? utf8ToBytes(name) : name)] = about
    }
    tokens[policyId] = of
  }
  return tokens
}

function entriesOf(value: MetadatumObject): [MetadatumObject, MetadatumObject][] {
  if (value instanceof Map) return [...value]
  return isPlainObject(value) ? (Object.entries(value) as [string, MetadatumObject][]) : []
}

/** Checks and converts the metadata of one token. @throws {@link InvalidArgumentError} without name or image */
function describedBy(about: unknown, name: string): unknown {
  if (!isPlainObject(about)) throw new InvalidArgumentError(name, '{ name, image, ... }', about)
  for (const member of ['name', 'image']) {
    const value = about[member]
    if (typeof value !== 'string' && !(member === 'image' && Array.isArray(value)))
      throw new InvalidArgumentError(`${name}.${member}`, 'a text (CIP-25)', value)
  }
  return inPieces(about)
}

function inPieces(value: unknown): unknown {
  if (typeof value === 'string') return utf8ToBytes(value).length > MAX_TEXT_BYTES ? chunkMetadataText(value) : value
  if (Array.isArray(value)) return value.map(inPieces)
  if (isPlainObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inPieces(each)]))
  return value
}

/** Returns bytes as text; null when they are not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return bytesToUtf8(bytes)
  } catch (error) {
    if (isLayerError(error)) return null
    throw error
  }
}
