import { decodeAuxiliaryData, encodeMetadata, hashAuxiliaryData } from '../codec/auxiliaryData.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import { exactInteger } from '../codec/integer.js'
import { isPlainObject, Metadatum, type MetadatumInput, type MetadatumObject } from '../codec/metadatum.js'
import { typedErrors } from '../codec/typedErrors.js'
import { InvalidArgumentError } from '../errors/input.js'

/**
 * Converts plain values to transaction metadata. Text and object keys become text, a Uint8Array becomes bytes, and a
 * Map keeps the types of its keys. Text is not interpreted, so `"0xff"` stays text. Limits are the ledger's and count
 * bytes: text and byte strings of at most 64 bytes (longer text: {@link chunkMetadataText}), integers from -2^64 to
 * 2^64-1.
 *
 * @throws {@link InvalidMetadatumError} that names the place: on longer text, null, undefined, booleans, fractions,
 * functions, Dates and other class instances.
 * @example
 * ```ts
 * import { chunkMetadataText, metadataObjToMetadatum } from 'layer-sdk/utils'
 * const metadatum = metadataObjToMetadatum({ msg: chunkMetadataText('Invoice 42, thank you') })
 * console.log(metadatum.toCbor())
 * ```
 */
export function metadataObjToMetadatum(obj: MetadatumInput): Metadatum {
  return Metadatum.from(obj)
}

/**
 * Converts metadata, or its CBOR hex, to plain values; see `Metadatum.toObject`.
 *
 * @throws {@link InvalidCborError} @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { metadataObjToMetadatum, metadatumToObj } from 'layer-sdk/utils'
 * console.log(metadatumToObj(metadataObjToMetadatum({ msg: ['hello'] }))) // { msg: [ 'hello' ] }
 * ```
 */
export function metadatumToObj(metadatum: Metadatum | string): MetadatumObject {
  return typedErrors('metadatum', () =>
    (metadatum instanceof Metadatum ? metadatum : Metadatum.fromCbor(metadatum)).toObject()
  )
}

/** Metadata by label; labels are whole numbers from 0 to 2^64-1, in decimal digits as keys of an object. */
export type MetadataByLabel = Readonly<Record<string, MetadatumInput>> | ReadonlyMap<number | bigint, MetadatumInput>

/**
 * Builds auxiliary data that carries metadata: CBOR hex. In a transaction it is stored beside the body, and the body
 * contains its hash.
 *
 * @throws {@link InvalidMetadatumError} that names the place. @throws {@link InvalidArgumentError} on another label,
 * one that comes twice, and on a value that is neither a plain object nor a Map.
 * @example
 * ```ts
 * import { buildAuxiliaryData } from 'layer-sdk/utils'
 * console.log(buildAuxiliaryData({ 674: { msg: ['hello'] } }))
 * ```
 */
export function buildAuxiliaryData(metadata: MetadataByLabel): string {
  return typedErrors('metadata', () => {
    const labelled = new Map<bigint, Metadatum>()
    // Of Map itself, which throws on everything else; a Map of another realm is one too.
    for (const [label, value] of isPlainObject(metadata)
      ? Object.entries(metadata)
      : Map.prototype.entries.call(metadata)) {
      const exact = exactInteger(label) ?? -1n
      if (exact < 0n || exact >= 2n ** 64n || labelled.has(exact))
        throw new InvalidArgumentError('label', 'a whole number from 0 to 2^64-1, once', label)
      labelled.set(exact, Metadatum.from(value, `metadata[${exact}]`))
    }
    return bytesToHex(encodeMetadata(labelled))
  })
}

/**
 * Returns the hash of auxiliary data (CBOR hex) that the transaction's body contains: hex, 64 characters. The bytes are
 * hashed as they are given.
 *
 * @throws {@link InvalidHexError} @throws {@link InvalidCborError} when they are not auxiliary data.
 * @example
 * ```ts
 * import { auxiliaryDataHash, buildAuxiliaryData } from 'layer-sdk/utils'
 * console.log(auxiliaryDataHash(buildAuxiliaryData({ 674: { msg: ['hello'] } })))
 * ```
 */
export function auxiliaryDataHash(auxiliaryData: string): string {
  const bytes = hexToBytes(auxiliaryData, 'auxiliaryData')
  decodeAuxiliaryData(bytes)
  return hashAuxiliaryData(bytes)
}
