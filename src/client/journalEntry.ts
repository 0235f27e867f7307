import { bytesToHex, isHex } from '../codec/hex.js'
import { InvalidArgumentError } from '../errors/input.js'
import { JournalBrokenError, JournalVersionError } from '../errors/journal.js'
import { blake2b256 } from '../hash/blake2b.js'
import type { JournalEntry, JournalPart, JournalTx } from '../types/journal.js'

/** Version of the entries that this package writes. */
export const ENTRY_VERSION = 1
/** Longest id, characters. */
const MAX_ID = 128

/**
 * Checks an id that a caller gave: a text of 1 to 128 characters, or undefined. @throws {@link InvalidArgumentError}
 */
export function assertId(id: unknown): string | undefined {
  if (id === undefined) return undefined
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID)
    throw new InvalidArgumentError('id', `a text of 1 to ${MAX_ID} characters`, id)
  return id
}

/**
 * Returns the hash of an action and its arguments (JSON values), by which calls with the same id are compared: hex, 64
 * characters.
 */
export function argumentsHash(action: string, args: unknown): string {
  return bytesToHex(blake2b256(new TextEncoder().encode(JSON.stringify([action, args]))))
}

/**
 * Checks an entry of a journal. `place`: its position among all entries, from 1, for the error.
 * @throws {@link JournalVersionError}, {@link JournalBrokenError}
 */
export function assertEntry(value: JournalEntry, place: number): JournalEntry {
  const entry = value as Partial<JournalEntry> | null
  const { id, version } = entry ?? {}
  if (typeof version === 'number' && version > ENTRY_VERSION)
    throw new JournalVersionError(String(id).slice(0, MAX_ID), version, ENTRY_VERSION)
  const isGood =
    version === ENTRY_VERSION &&
    typeof id === 'string' &&
    id !== '' &&
    ['pay', 'payMany', 'submit', 'deposit', 'withdraw'].includes(String(entry?.action)) &&
    isText(entry?.argsHash) &&
    isText(entry?.headId) &&
    (entry?.network === 'mainnet' || entry?.network === 'testnet') &&
    (entry.wallet === null || isText(entry.wallet)) &&
    ['open', 'confirmed', 'failed'].includes(String(entry.state)) &&
    isText(entry.step) &&
    Array.isArray(entry.parts) &&
    entry.parts.every(isPart)
  if (isGood) return value
  throw new JournalBrokenError('of the client', place, {
    expected: `an entry of version ${ENTRY_VERSION}`,
    got: typeof id === 'string' ? `the entry ${JSON.stringify(id.slice(0, MAX_ID))}, with other members` : 'no entry'
  })
}

function isPart(part: Partial<JournalPart> | null): boolean {
  return (
    typeof part?.count === 'number' &&
    Array.isArray(part.txs) &&
    part.txs.every(isTx) &&
    (part.end === null || (isTxId(part.end?.txId) && isDecimal(part.end?.fee)))
  )
}

function isTx(tx: Partial<JournalTx> | null): boolean {
  return (
    isTxId(tx?.txId) &&
    isText(tx?.cborHex) &&
    isDecimal(tx?.fee) &&
    isTime(tx?.expirySlot) &&
    isTime(tx?.expiresAt) &&
    Array.isArray(tx?.spent) &&
    tx.spent.every(isText)
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTxId = (value: unknown): boolean => isText(value) && value.length === 64 && isHex(value)
const isDecimal = (value: unknown): boolean => isText(value) && /^\d+$/.test(value)
const isTime = (value: unknown): boolean => value === null || typeof value === 'number'
