import { crc32 } from '../../codec/crc32.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { InvalidCursorError } from '../../errors/receipts.js'

/**
 * A position in the ledger: after an output of a transaction or deposit, or after a whole snapshot. Transactions of a
 * snapshot come first, then the deposits that become final before the next one.
 */
export type CursorPlace = {
  /** Hex. */
  readonly headId: string
  readonly snapshotNumber: number
} & (
  | { readonly kind: 'payment' | 'deposit'; /** Hex, 64 characters. */ readonly id: string; readonly index: number }
  | { readonly kind: 'snapshot' }
)

const LETTERS = { payment: 'p', deposit: 'd', snapshot: 's' } as const
const FORM = /^lr1_([0-9a-f]{1,128})_(\d{1,15})_(?:([pd])_([0-9a-f]{64})_(\d{1,6})|s)_([0-9a-f]{8})$/

/** Writes a place as text. */
export function formatCursor(place: CursorPlace): string {
  const { headId, snapshotNumber, kind } = place
  const rest = kind === 'snapshot' ? LETTERS[kind] : `${LETTERS[kind]}_${place.id}_${place.index}`
  const text = `lr1_${headId}_${snapshotNumber}_${rest}`
  return `${text}_${checksum(text)}`
}

/** Reads a cursor. @throws {@link InvalidCursorError} on text that {@link formatCursor} has not written */
export function parseCursor(cursor: unknown): CursorPlace {
  const found = typeof cursor === 'string' ? FORM.exec(cursor) : null
  if (found === null || typeof cursor !== 'string')
    throw new InvalidCursorError(
      'the cursor of a receipt',
      typeof cursor === 'string' ? 'a text that is not a cursor' : typeof cursor
    )
  const [, headId, number, letter, id, index, check] = found
  if (checksum(cursor.slice(0, -9)) !== check)
    throw new InvalidCursorError('a cursor as it was written', 'one with a wrong checksum')
  const place = { headId: headId!, snapshotNumber: Number(number) }
  if (letter === undefined) return { ...place, kind: 'snapshot' }
  return { ...place, kind: letter === 'p' ? 'payment' : 'deposit', id: id!, index: Number(index) }
}

/** Returns a checksum that reveals a mistyped cursor; it is not a signature. */
const checksum = (text: string): string => crc32(utf8ToBytes(text)).toString(16).padStart(8, '0')
