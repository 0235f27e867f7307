import { encodeEndpointHint, isEndpoint, MAX_ENDPOINTS } from '../codec/endpointHint.js'
import { bytesToHex } from '../codec/hex.js'
import { Metadatum } from '../codec/metadatum.js'
import type { Hex } from '../types/utxo.js'
import { checkHeadId } from './material.js'

/** Endpoints of a head that the metadata of a deposit names; they are not verified. @beta */
export interface EndpointHint {
  /** Id of the head: hex, 56 characters. */
  readonly headId: Hex
  /** Base addresses by preference; https alone, at most four, each once. */
  readonly endpoints: readonly string[]
}

/**
 * Reads an endpoint hint from the metadata of the transaction of a deposit: `{ 0: head id, 1: [https base addresses]
 * }`, where long addresses are arrays of texts. Null when there is none. Never throws.
 *
 * @beta
 * @param metadata - CBOR of the metadatum below the hint's label: hex
 * @example
 * ```ts
 * import { endpointHint, readEndpointHint } from 'layer-sdk/recognition'
 * const hint = endpointHint({ headId: '11'.repeat(28), endpoints: ['https://head.example'] })
 * console.log(readEndpointHint(hint)?.endpoints) // [ 'https://head.example' ]
 * ```
 */
export function readEndpointHint(metadata: Hex): EndpointHint | null {
  try {
    const map = Metadatum.fromCbor(metadata).toObject()
    if (!(map instanceof Map)) return null
    const [id, list] = [valueAt(map, 0), valueAt(map, 1)]
    if (!(id instanceof Uint8Array) || id.length !== 28 || !Array.isArray(list)) return null
    const endpoints = [...new Set(list.map(textOf).filter((each) => each !== null && isEndpoint(each)))] as string[]
    return endpoints.length === 0 ? null : { headId: bytesToHex(id), endpoints: endpoints.slice(0, MAX_ENDPOINTS) }
  } catch {
    // Metadata of another meaning.
    return null
  }
}

/** Returns the value of an integer key, which is a number or bigint in metadata, by its size. */
function valueAt(map: ReadonlyMap<unknown, unknown>, key: number): unknown {
  return map.get(key) ?? map.get(BigInt(key))
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value.join('') : null
}

/**
 * Returns the metadata that names the endpoints of a head, for the transaction of a deposit: CBOR of the metadatum,
 * hex. No metadata label is registered for it yet: choose one, and let wallets know it.
 *
 * @beta
 * @throws {@link InvalidArgumentError} on an id of another form, on none or more than four endpoints, and on one that
 * is not https.
 * @example
 * ```ts
 * import { endpointHint } from 'layer-sdk/recognition'
 * console.log(endpointHint({ headId: '11'.repeat(28), endpoints: ['https://head.example'] }).slice(0, 6)) // a20058
 * ```
 */
export function endpointHint(hint: EndpointHint): Hex {
  const { headId, endpoints } = hint ?? {}
  checkHeadId(headId)
  return encodeEndpointHint(headId, endpoints).toCbor()
}
