import { bytesToHex } from '../codec/hex.js'
import { blake2b256 } from '../hash/blake2b.js'
import { JournalBrokenError } from '../errors/journal.js'
import { fromStored } from './entryText.js'

/** Hex digits of a line's checksum: the beginning of the BLAKE2b-256 of the rest. */
const CHECKSUM_DIGITS = 16
const LINE_FEED = 0x0a
/** Begins a line that removes an id; JSON of an entry begins with a brace. */
const FORGET = '-'

/** Content of a journal's file. */
export interface JournalContent {
  /** Newest entry of each id, as JSON, in the order in which the ids came. */
  readonly texts: Map<string, string>
  /** Bytes up to the end of the last whole line. */
  readonly goodBytes: number
}

/** Returns a line of the file: checksum, space, JSON, line feed. */
export const entryLine = (text: string): string => `${checksum(text)} ${text}\n`

/** Returns a line that removes an id. */
export const forgetLine = (id: string): string => entryLine(FORGET + JSON.stringify(id))

/**
 * Reads the lines of a file. The last one may be incomplete, by a kill or a power cut while it was written. It is left
 * out, because no caller was told that it is durable.
 *
 * @throws {@link JournalBrokenError} on any other damage
 */
export function readJournal(bytes: Uint8Array, journal: string): JournalContent {
  const texts = new Map<string, string>()
  const decoder = new TextDecoder()
  let start = 0
  for (let line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf(LINE_FEED, start)
    const next = end === -1 ? bytes.length : end + 1
    const text = decoder.decode(bytes.subarray(start, end === -1 ? next : end))
    const body = text.slice(CHECKSUM_DIGITS + 1)
    const isWhole = end !== -1 && text[CHECKSUM_DIGITS] === ' ' && text.startsWith(checksum(body))
    if (!isWhole && next === bytes.length) break
    if (!isWhole || !apply(texts, body))
      throw new JournalBrokenError(journal, line, {
        expected: 'a checksum and the entry that it is of',
        got: isWhole ? 'something that is no entry' : 'another checksum'
      })
    start = next
  }
  return { texts, goodBytes: start }
}

function apply(texts: Map<string, string>, body: string): boolean {
  if (body.startsWith(FORGET)) return texts.delete(JSON.parse(body.slice(FORGET.length)) as string) || true
  const entry = fromStored(body)
  if (entry === null) return false
  texts.set(entry.id, body)
  return true
}

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const checksum = (text: string): string => bytesToHex(blake2b256(toBytes(text))).slice(0, CHECKSUM_DIGITS)
