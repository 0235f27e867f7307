import type { Cardano } from '@cardano-sdk/core'
import { hexToBytes } from '../codec/hex.js'
import { Metadatum, type MetadatumJson } from '../codec/metadatum.js'
import { typedConversion } from './typedConversion.js'
import type { CborSerializable } from './plutusData.js'

/**
 * Converts a metadatum to `Cardano.Metadatum` of `@cardano-sdk/core`.
 *
 * @example
 * ```ts
 * import { toCoreMetadatum } from 'layer-sdk/cardano-sdk'
 * import { metadataObjToMetadatum } from 'layer-sdk/utils'
 * console.log(toCoreMetadatum(metadataObjToMetadatum(['hello']))) // [ 'hello' ]
 * ```
 */
export function toCoreMetadatum(metadatum: Metadatum): Cardano.Metadatum {
  return typedConversion('metadatum', 'a Metadatum', metadatum, () => fromJson(metadatum.toJson()))
}

function fromJson(json: MetadatumJson): Cardano.Metadatum {
  if ('int' in json) return BigInt(json.int)
  if ('string' in json) return json.string
  if ('bytes' in json) return hexToBytes(json.bytes)
  if ('list' in json) return json.list.map(fromJson)
  return new Map(json.map.map(({ k, v }) => [fromJson(k), fromJson(v)]))
}

/**
 * Converts a `Cardano.Metadatum`, or a `Serialization.TransactionMetadatum`, whose bytes are kept, to a metadatum.
 *
 * @throws {@link InvalidMetadatumError} on text or bytes of more than 64 bytes, and on integers beyond 64 bits.
 * @example
 * ```ts
 * import { fromCoreMetadatum } from 'layer-sdk/cardano-sdk'
 * console.log(fromCoreMetadatum(['hello']).toObject()) // [ 'hello' ]
 * ```
 */
export function fromCoreMetadatum(metadatum: Cardano.Metadatum | CborSerializable): Metadatum {
  return typedConversion('metadatum', 'a metadatum of @cardano-sdk/core', metadatum, () => {
    const serializable = typeof metadatum === 'object' && 'toCbor' in metadatum
    return serializable ? Metadatum.fromCbor(metadatum.toCbor()) : Metadatum.from(metadatum)
  })
}
