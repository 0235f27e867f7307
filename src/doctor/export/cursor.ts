import { bytesToHex } from '../../codec/hex.js'
import { ExportCursorError } from '../../errors/doctor.js'
import { blake2b } from '../../hash/blake2b.js'

/** Place in the source of an export, directly after one event; as text it is the cursor of that event. */
export interface ExportCursor {
  readonly source: 'node' | 'log'
  /** Key of the party that runs the node, hex; null: the source does not state it before this place. */
  readonly party: string | null
  /** Head of the last event; null: the event belongs to no head. */
  readonly headId: string | null
  /** `seq` of the event of a node, or number of the line in a log. */
  readonly seq: number
  /** Time of the last event, ms since the epoch; null: not stated. */
  readonly at: number | null
  /** Hash of the last event, hex. */
  readonly hash: string
}

const VERSION = 1
const NONE = '-'
const FORM = /^(\d{1,4})\.(node|log)\.([\da-f]{64}|-)\.([\da-f]{1,128}|-)\.(\d{1,15})\.(\d{1,15}|-)\.([\da-f]{32})$/
const HASH_BYTES = 16

/** Returns a cursor as text. */
export function formatExportCursor({ source, party, headId, seq, at, hash }: ExportCursor): string {
  return [VERSION, source, party ?? NONE, headId ?? NONE, seq, at ?? NONE, hash].join('.')
}

/**
 * Reads the text of a cursor, the position from which an export continues. @throws {@link ExportCursorError} for a text
 * that is not a cursor, and for a cursor of a newer format
 */
export function readCursor(text: unknown): ExportCursor {
  const version = typeof text === 'string' ? /^(\d{1,4})\.(?:node|log)\./.exec(text)?.[1] : undefined
  if (version !== undefined && Number(version) !== VERSION)
    throw new ExportCursorError('a cursor of version 1', `version ${version}: update layer-sdk`)
  const found = typeof text === 'string' ? FORM.exec(text) : null
  if (found === null)
    throw new ExportCursorError(
      'the cursor of an exported event',
      typeof text === 'string' ? 'a text that is not a cursor' : 'no text'
    )
  const [, , source, party, headId, seq, at, hash] = found as unknown as string[]
  return {
    source: source as 'node' | 'log',
    party: party === NONE ? null : party!,
    headId: headId === NONE ? null : headId!,
    seq: Number(seq),
    at: at === NONE ? null : Number(at),
    hash: hash!
  }
}

/** Returns the hash of an event: that of its text as it was received. */
export const eventHash = (text: string): string => bytesToHex(blake2b(new TextEncoder().encode(text), HASH_BYTES))
