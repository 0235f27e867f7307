import { InvalidArgumentError } from '../errors/input.js'
import { hexToBytes } from './hex.js'
import { chunkMetadataText, Metadatum } from './metadatum.js'

/**
 * Endpoints of a head, named in the metadata of a deposit: a wallet that knows an address alone finds the head by
 * `discoverHeads` of `layer-sdk/recognition`. Metadata are public for ever. @beta
 */
export interface DepositEndpointHint {
  /** Metadata label, 0 to 2^64-1 but 55555: none is registered yet, so the deployments agree on one. */
  label: number | bigint
  /** Base addresses of the head's nodes by preference: https, without credentials and query; at most four. */
  endpoints: readonly string[]
}

/** Most endpoints of a hint. */
export const MAX_ENDPOINTS = 4
/** Longest address, characters. */
const MAX_LENGTH = 2_000

/** True for an address that a hint may name: https, without credentials, query and fragment. */
export function isEndpoint(text: string): boolean {
  if (text.length > MAX_LENGTH || !text.startsWith('https://')) return false
  try {
    const { protocol, username, password, search, hash } = new URL(text)
    return protocol === 'https:' && `${username}${password}${search}${hash}` === ''
  } catch {
    return false
  }
}

/**
 * Returns the endpoints when a hint may name them.
 *
 * @throws {@link InvalidArgumentError} on none or more than four, and on one that is not https.
 */
export function assertEndpoints(endpoints: unknown, name = 'endpoints'): readonly string[] {
  if (!Array.isArray(endpoints) || endpoints.length === 0 || endpoints.length > MAX_ENDPOINTS)
    throw new InvalidArgumentError(name, `1 to ${MAX_ENDPOINTS} base addresses`, endpoints)
  // An address may hold a token: the error names its type alone.
  for (const each of endpoints as unknown[])
    if (typeof each !== 'string' || !isEndpoint(each))
      throw new InvalidArgumentError(name, 'addresses of https without credentials and query', typeof each)
  return endpoints as string[]
}

/**
 * Metadata that names the endpoints of a head: `{ 0: head id, 1: [base addresses] }`, long addresses as arrays of texts.
 *
 * @throws {@link InvalidArgumentError} {@link InvalidHexError}
 */
export function encodeEndpointHint(headId: string, endpoints: readonly string[]): Metadatum {
  const list = assertEndpoints(endpoints).map((each) => {
    const parts = chunkMetadataText(each)
    return parts.length === 1 ? parts[0]! : parts
  })
  return Metadatum.from(
    new Map<number, Uint8Array | (string | string[])[]>([
      [0, hexToBytes(headId, 'headId', 28)],
      [1, list]
    ])
  )
}
