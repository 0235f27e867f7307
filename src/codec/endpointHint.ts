import { byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { hexToBytes } from './hex.js'
import { chunkMetadataText, Metadatum } from './metadatum.js'

/**
 * Endpoints of a head, published in the metadata of a deposit. By them `discoverHeads` of `layer-sdk/recognition` finds
 * the head for a wallet that knows only its own address. Metadata stay public for ever. @beta
 */
export interface DepositEndpointHint {
  /** Metadata label, 0 to 2^64-1 except 55555. No label is registered yet, so writers and readers must agree on one. */
  label: number | bigint
  /** Base URLs of the head's nodes, the preferred first: https, without credentials and query; at most four. */
  endpoints: readonly string[]
}

/** Maximum number of endpoints in a hint. */
export const MAX_ENDPOINTS = 4
/** Longest URL, characters. */
const MAX_LENGTH = 2_000

/** Returns true for a URL that a hint may name: https, without credentials, query and fragment. */
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
 * Returns the endpoints if a hint may name all of them.
 *
 * @throws {@link InvalidArgumentError} on none or more than four, and on one that is not https.
 */
export function assertEndpoints(endpoints: unknown, name = 'endpoints'): readonly string[] {
  if (!Array.isArray(endpoints) || endpoints.length === 0 || endpoints.length > MAX_ENDPOINTS)
    throw new InvalidArgumentError(name, `1 to ${MAX_ENDPOINTS} base addresses`, endpoints)
  // An address may hold a token: the error names its type alone.
  for (const each of endpoints as unknown[])
    if (typeof each !== 'string' || !isEndpoint(each))
      throw new InvalidArgumentError(name, 'addresses of https without credentials and query', byType(each))
  return endpoints as string[]
}

/**
 * Encodes the endpoints of a head as metadata: `{ 0: head id, 1: [base URLs] }`, long URLs as arrays of texts.
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
