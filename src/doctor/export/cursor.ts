import { bytesToHex } from '../../codec/hex.js'
import { ExportCursorError } from '../../errors/doctor.js'
import { blake2b } from '../../hash/blake2b.js'

/** Place in a source. */
export interface ExportCursor {
  readonly source: 'node' | 'log'
  /** Key of the party whose node it is, hex; null: not stated before this place. */
  readonly party: string | null
  /** Head of the last event; null: it belongs to none. */
  readonly headId: string | null
  /** `seq` of a node's event, line of a log's. */
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

/** Reads a cursor. @throws {@link ExportCursorError} for another text, and for one of a newer version */
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

/** Hash of an event: its text as it came. */
export const eventHash = (text: string): string => bytesToHex(blake2b(new TextEncoder().encode(text), HASH_BYTES))
