import { bytesToHex, hexToBytes, isHex } from '../../codec/hex.js'
import { describeValue } from '../../errors/base.js'
import { OfferRefusedError } from '../../errors/offers.js'
import type { OfferParty } from './offerParties.js'

/** Scheme, authority and version of an offer's link (CIP-13). */
const URI_START = 'web+cardano://offer/v1?'
const TYPE = 'Offer in a head'
/** Longest envelope: enough for a transaction of 16 KiB as hex, and its terms. */
const MAX_CHARACTERS = 100_000
/** Capacity of the largest QR code, bytes: version 40 with the lowest error correction (ISO/IEC 18004). */
const MAX_QR = 2_953
const HEAD_ID_CHARACTERS = 56

/** Content of an offer's envelope, the text or link that its maker passes to others. */
export interface OfferEnvelope {
  /** 1: mainnet; 0: a test network. */
  readonly networkId: number
  /** Id of the head: hex, 56 characters. */
  readonly headId: string
  /** The transaction, signed by its maker: CBOR as hex. */
  readonly cborHex: string
}

/** Envelope with the terms (`stated`) that its text names; null when it names none. */
export interface ParsedOffer extends OfferEnvelope {
  readonly stated: readonly OfferParty[] | null
}

/** Returns an envelope as readable JSON (`text`) and as a link (`uri`), null when that is too long for a QR code. */
export function formatOffer(
  { networkId, headId, cborHex }: OfferEnvelope,
  terms: readonly OfferParty[]
): { readonly text: string; readonly uri: string | null } {
  const text = JSON.stringify({ type: TYPE, version: 1, networkId, headId, terms, cborHex }, null, 2)
  const tx = btoa(String.fromCharCode(...hexToBytes(cborHex)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
  const uri = `${URI_START}network=${networkId}&head=${headId}&tx=${tx}`
  return { text, uri: uri.length > MAX_QR ? null : uri }
}

/** Reads an envelope from its text or link. @throws {@link OfferRefusedError} when it is malformed or too large */
export function parseOffer(envelope: string): ParsedOffer {
  if (typeof envelope !== 'string') throw malformed('the text or the link of an offer', describeValue(envelope))
  if (envelope.length > MAX_CHARACTERS)
    throw new OfferRefusedError('too-large', 'The offer is too large.', {
      expected: `at most ${MAX_CHARACTERS} characters`,
      got: `${envelope.length} characters`
    })
  const text = envelope.trim()
  const members = text.startsWith('{') ? readText(text) : readUri(text)
  const { networkId, headId, cborHex, stated } = members
  if (networkId !== 0 && networkId !== 1) throw malformed('the network, 0 or 1', describeValue(networkId))
  if (typeof headId !== 'string' || headId.length !== HEAD_ID_CHARACTERS || !isHex(headId))
    throw malformed(`the id of a head, ${HEAD_ID_CHARACTERS} hex characters`, describeValue(headId))
  if (typeof cborHex !== 'string' || cborHex.length === 0 || !isHex(cborHex))
    throw malformed('a transaction: CBOR as hex', describeValue(cborHex))
  return { networkId, headId: headId.toLowerCase(), cborHex: cborHex.toLowerCase(), stated }
}

interface Members {
  readonly networkId: unknown
  readonly headId: unknown
  readonly cborHex: unknown
  readonly stated: readonly OfferParty[] | null
}

function readText(text: string): Members {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text) as Record<string, unknown>
  } catch {
    throw malformed('JSON', `${text.length} characters that are not valid JSON`)
  }
  const { type, version, networkId, headId, cborHex, terms } = value
  if (type !== TYPE || version !== 1) throw malformed(`"type": "${TYPE}", "version": 1`, 'another type or version')
  if (terms !== undefined && !Array.isArray(terms)) throw malformed('a list of terms', describeValue(terms))
  return { networkId, headId, cborHex, stated: (terms as readonly OfferParty[] | undefined) ?? null }
}

function readUri(text: string): Members {
  if (!text.toLowerCase().startsWith(URI_START))
    throw malformed(`a text, or a link that begins ${URI_START}`, 'another')
  const parameters = new URLSearchParams(text.slice(URI_START.length))
  const one = (name: string): string => {
    const [value, ...more] = parameters.getAll(name)
    if (value === undefined || more.length > 0)
      throw malformed(`the parameter ${name} once`, `${more.length + 1} of it`)
    return value
  }
  const network = one('network')
  const tx = one('tx')
  if (!/^[A-Za-z0-9_-]+$/.test(tx) || tx.length % 4 === 1)
    throw malformed('the transaction as base64url', 'other characters')
  const bytes = atob(tx.replace(/-/g, '+').replace(/_/g, '/'))
  return {
    networkId: /^[01]$/.test(network) ? Number(network) : network,
    headId: one('head'),
    cborHex: bytesToHex(Uint8Array.from(bytes, (character) => character.charCodeAt(0))),
    stated: null
  }
}

const malformed = (expected: string, got: string): OfferRefusedError =>
  new OfferRefusedError('format', 'This is no offer.', { expected, got })
