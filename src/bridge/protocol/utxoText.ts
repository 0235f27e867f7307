import { COLON, QUOTE, parseJson, stringEnd, stringifyJson } from '../../codec/json.js'
import { objectEnd } from '../../codec/jsonMembers.js'
import { decodeMessage } from './decode.js'
import type { LayerPayload } from './messages.js'
import type { WireRecord } from './wireRecord.js'
import { getOwn, isRecord } from './wireRecord.js'
import { toConfirmedSnapshot } from './replies.js'
import type { ConfirmedSnapshot } from './types.js'

const OPEN = 123
/** Maximum nesting of the outputs of a head. */
const MAX_DEPTH = 252
const CLOSE = 125

/** Member of a text that holds its outputs. */
type Holder = 'snapshot.utxo' | 'snapshotUtxo'

/** Position of a message's outputs in its text. */
export interface UtxoPosition {
  readonly holder: Holder
  /** Index after the opening brace. */
  readonly start: number
}

/** Level and object of a scan that was stopped at the outputs. */
interface Scan {
  at: number
  depth: number
  isInSnapshot: boolean
}

/**
 * Scans a message from one object or string to the next until the outputs begin; null at its end. It expects the form
 * that nodes write, without space between tokens: `odd` stands for any other form.
 */
function scanToOutputs(text: string, scan: Scan): Holder | 'odd' | null {
  const { length } = text
  while (scan.at < length) {
    const code = text.charCodeAt(scan.at++)
    if (code === QUOTE) {
      const start = scan.at
      const end = stringEnd(text, start - 1)
      scan.at = end + 1
      if (scan.depth !== 1 && !(scan.depth === 2 && scan.isInSnapshot)) continue
      const next = text.charCodeAt(end + 1)
      if (next <= 32) return 'odd'
      if (next !== COLON) continue
      const key = text.slice(start, end)
      // With escapes it may be any name.
      if (key.includes('\\')) return 'odd'
      const isObject = text.charCodeAt(end + 2) === OPEN
      const isNull = text.startsWith('null', end + 2)
      if (scan.depth === 2 ? key === 'utxo' : key === 'snapshotUtxo') {
        if (isNull) continue
        scan.at = end + 3
        return isObject ? (scan.depth === 2 ? 'snapshot.utxo' : 'snapshotUtxo') : 'odd'
      }
      if (scan.depth === 1 && key === 'snapshot') {
        if (!isObject) return 'odd'
        scan.at = end + 3
        scan.depth = 2
        scan.isInSnapshot = true
      }
    } else if (code === OPEN || code === 91) scan.depth++
    else if ((code === CLOSE || code === 93) && --scan.depth === 1) scan.isInSnapshot = false
  }
  return null
}

/** Finds the outputs of a message; null where it has none, or another form than nodes write. */
export function locateUtxo(text: string): UtxoPosition | null {
  const scan: Scan = { at: 0, depth: 0, isInSnapshot: false }
  const holder = scanToOutputs(text, scan)
  return holder === null || holder === 'odd' ? null : { holder, start: scan.at }
}

/** Returns true when the text has no second outputs or snapshot after these; JSON.parse would return the last ones. */
function isLast(text: string, { holder }: UtxoPosition, end: number): boolean {
  const isInSnapshot = holder === 'snapshot.utxo'
  return scanToOutputs(text, { at: end + 1, depth: isInSnapshot ? 2 : 1, isInSnapshot }) === null
}

/** Defines a member that is read at the first access, and is plain data afterwards. */
function defineLazy(record: WireRecord, name: string, read: () => unknown): void {
  const define = (value: unknown): void => {
    Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true })
  }
  Object.defineProperty(record, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      const value = read()
      define(value)
      return value
    },
    set: define
  })
}

/**
 * Decodes a value whose outputs have been read already: `decode` gets the text without them. When the outputs are
 * accessed, they are read again, as objects of their own. Null where the text has to be read as a whole.
 *
 * @param end - index of the brace that ends the outputs, all of which are valid JSON
 * @param holderOf - the object that has the outputs, under the last name of the position
 */
function decodeRest<T>(
  text: string,
  position: UtxoPosition,
  end: number,
  decode: (value: unknown) => T,
  holderOf: (value: T) => unknown
): T | null {
  if (!isLast(text, position, end)) return null
  const from = position.start - 1
  let value: T
  try {
    value = decode(parseJson(`${text.slice(0, from)}{}${text.slice(end + 1)}`))
  } catch {
    // A read of the whole text names the error.
    return null
  }
  const name = position.holder === 'snapshotUtxo' ? 'snapshotUtxo' : 'utxo'
  const record = holderOf(value)
  if (!isRecord(record) || !isRecord(getOwn(record, name))) return null
  defineLazy(record, name, () => parseJson(text.slice(from, end + 1)))
  return value
}

/** Decodes a message whose outputs have been read already; null where it has to be read as a whole. */
export function decodeAround(
  text: string,
  position: UtxoPosition,
  end: number,
  receivedAt: number
): LayerPayload | null {
  const decode = (value: unknown): LayerPayload => decodeMessage(value, receivedAt)
  return decodeRest(text, position, end, decode, (payload) =>
    position.holder === 'snapshotUtxo'
      ? payload.tag === 'Greetings' && payload
      : payload.tag === 'SnapshotConfirmed' && payload.snapshot
  )
}

/** Decodes a body of GET /snapshot whose outputs have been read already; null where it has to be read as a whole. */
export function decodeSnapshotAround(text: string, position: UtxoPosition, end: number): ConfirmedSnapshot | null {
  return decodeRest(
    text,
    position,
    end,
    toConfirmedSnapshot,
    (confirmed) => confirmed.tag === 'ConfirmedSnapshot' && confirmed.snapshot
  )
}

/**
 * Returns the text of a body of GET /snapshot with changed other members; the outputs stay as they were written. Null
 * where these have a different form from the one that nodes write.
 */
export function replaceAround(text: string, body: WireRecord): string | null {
  const before = locateUtxo(text)
  const snapshot = getOwn(body, 'snapshot')
  if (before === null || !isRecord(snapshot)) return null
  const rest: WireRecord = {}
  for (const name of Object.keys(snapshot)) rest[name] = name === 'utxo' ? {} : snapshot[name]
  const after = stringifyJson({ ...body, snapshot: rest })
  const place = locateUtxo(after)
  const { end } = objectEnd(text, before.start - 1, MAX_DEPTH, { end: 0, hasLong: false })
  if (place === null || end < 0) return null
  return `${after.slice(0, place.start - 1)}${text.slice(before.start - 1, end)}${after.slice(place.start + 1)}`
}
