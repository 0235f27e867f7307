import type { Cardano } from '@cardano-sdk/core'
import { PlutusData } from '../codec/plutusData.js'
import { typedConversion } from './typedConversion.js'

/** An object that can write itself as CBOR hex, such as those of `Serialization` in `@cardano-sdk/core`. */
export interface CborSerializable {
  /** Returns the object as CBOR hex. */
  toCbor(): string
}

/**
 * Converts PlutusData to `Cardano.PlutusData` of `@cardano-sdk/core`. Lists, maps and constructors keep their bytes in
 * `cbor`, so `Serialization.PlutusData.fromCore(...)` gives the same datum hash.
 *
 * @example
 * ```ts
 * import { toCorePlutusData } from 'layer-sdk/cardano-sdk'
 * import { mkInt } from 'layer-sdk/utils'
 * console.log(toCorePlutusData(mkInt(7))) // 7n
 * ```
 */
export function toCorePlutusData(data: PlutusData): Cardano.PlutusData {
  return typedConversion('data', 'PlutusData', data, () => toCore(data))
}

function toCore(data: PlutusData): Cardano.PlutusData {
  const cbor = data.toCbor() as NonNullable<Cardano.PlutusList['cbor']>
  switch (data.kind) {
    case 'int':
      return data.asInt()
    case 'bytes':
      return data.asBytes()
    case 'list':
      return { cbor, items: data.asList().map(toCore) }
    case 'map':
      return { cbor, data: new Map(data.asMap().map(([key, value]) => [toCore(key), toCore(value)])) }
    case 'constr': {
      const { index, fields } = data.asConstr()
      return { cbor, constructor: index, fields: { items: fields.map(toCore) } }
    }
  }
}

/**
 * Converts a `Cardano.PlutusData`, or a `Serialization.PlutusData`, to PlutusData. Bytes that the object carries are
 * kept.
 *
 * @throws {@link InvalidCborError} when those bytes are not PlutusData. @throws {@link InvalidArgumentError}
 * @example
 * ```ts
 * import { fromCorePlutusData } from 'layer-sdk/cardano-sdk'
 * console.log(fromCorePlutusData(7n).toCbor()) // 07
 * ```
 */
export function fromCorePlutusData(data: Cardano.PlutusData | CborSerializable): PlutusData {
  return typedConversion('data', 'PlutusData of @cardano-sdk/core', data, () => fromCore(data))
}

function fromCore(data: Cardano.PlutusData | CborSerializable): PlutusData {
  if (typeof data === 'bigint') return PlutusData.int(data)
  if (data instanceof Uint8Array) return PlutusData.bytes(data)
  if ('toCbor' in data) return PlutusData.fromCbor(data.toCbor())
  if (data.cbor !== undefined) return PlutusData.fromCbor(data.cbor)
  if ('items' in data) return PlutusData.list(data.items.map(fromCore))
  if ('data' in data) {
    return PlutusData.map([...data.data].map(([key, value]) => [fromCore(key), fromCore(value)]))
  }
  return PlutusData.constr(data.constructor, data.fields.items.map(fromCore))
}
