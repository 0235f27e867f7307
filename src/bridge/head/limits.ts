import { protocolError } from '../protocol/wireRecord.js'

/** Decommits that can matter at once: one is in flight, another may follow. */
export const MAX_DECOMMITS = 4
/** Longest decommit that is kept, CBOR hex; the ledger's largest transaction has 32,768. */
export const MAX_DECOMMIT_CHARACTERS = 1_000_000
/** Hex digits of a transaction id. */
export const TX_ID_CHARACTERS = 64
/** Maximum number of ended heads kept: messages about the last few may still arrive. */
export const MAX_ENDED_HEADS = 64
/** Characters of a snapshot's text that are kept, to read the next one faster: 180,000 outputs of 356 characters. */
export const DEFAULT_MAX_KEPT_TEXT = 67_108_864
/** A node's head ids have 56 characters. */
const MAX_HEAD_ID_CHARACTERS = 128

/**
 * Drops the oldest entry beyond a bound. Every collection keyed by data of the wire needs one: a node may name any
 * number of things.
 */
export function dropOldestBeyond(kept: Map<string, unknown> | Set<string>, most: number): void {
  if (kept.size > most) kept.delete(kept.keys().next().value!)
}

/**
 * Checks the length of a head's id, because ids of ended heads are kept. @throws {@link ProtocolError} when it is
 * longer than any node's
 */
export function assertHeadId(headId: unknown): void {
  if (typeof headId === 'string' && headId.length > MAX_HEAD_ID_CHARACTERS)
    protocolError('The id of a head', `at most ${MAX_HEAD_ID_CHARACTERS} characters`, headId)
}
