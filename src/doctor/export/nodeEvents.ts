import type { Connector, LayerPayload } from '../../bridge/inner.js'
import { LedgerDecoder, parseNodeTime } from '../../bridge/inner.js'
import { parseJson } from '../../codec/json.js'
import { isRecord } from '../../codec/record.js'
import { ProtocolError } from '../../errors/bridge.js'
import { ExportCursorError } from '../../errors/doctor.js'
import { sleep } from '../../net/timers.js'
import type { ExportCursor } from './cursor.js'
import { eventHash, formatExportCursor } from './cursor.js'
import { kindOf } from './kindOf.js'
import { WAITING_LIMIT, NoRoom, readMessages } from './readMessages.js'
import type { ExportEvent, ExportGap } from './types.js'

type Json = Readonly<Record<string, unknown>>

/** Wait before a lost connection is opened again, ms. */
const RETRY_MS = 1_000
const HEX = /^[\da-f]{1,128}$/

/** Arguments of {@link nodeEvents}. */
export interface NodeEventsArgs {
  readonly connector: Connector
  readonly after: ExportCursor | null
  readonly follow: boolean
  readonly signal: AbortSignal
}

/**
 * Yields the stored events of a node, and with `follow` its live ones. A node always sends its history from the start,
 * so the events up to the cursor are skipped; the one at the cursor has to be the same as before.
 *
 * @throws {@link ExportCursorError}, the error of the connection, the reason of the signal
 */
export async function* nodeEvents({ connector, after, follow, signal }: NodeEventsArgs): AsyncGenerator<ExportEvent> {
  if (after?.source === 'log') throw new ExportCursorError('a cursor of a node', 'one of a log')
  const place: Place = { cursor: after }
  let maxWaiting = WAITING_LIMIT
  for (;;) {
    const start = place.cursor
    try {
      const party = await partyOf(connector, signal)
      if (place.cursor !== null && place.cursor.party !== party)
        throw new ExportCursorError(`a cursor of the node of ${party}`, `one of ${String(place.cursor.party)}`)
      yield* connection(readMessages(connector, true, signal, maxWaiting), new History(party, place), follow)
      return
    } catch (error) {
      if (signal.aborted || error instanceof ExportCursorError) throw error
      if (!follow && !(error instanceof NoRoom)) throw error
      if (!(error instanceof NoRoom)) await sleep(RETRY_MS, signal)
      // All room went to what was left out: the next connection has to come further.
      else if (place.cursor === start) maxWaiting *= 2
    }
  }
}

/** Progress over several connections: the last event that was yielded or skipped. */
interface Place {
  cursor: ExportCursor | null
}

/** Returns the key of the node's party; in the stored history it would only come after all events. */
async function partyOf(connector: Connector, signal: AbortSignal): Promise<string> {
  for await (const text of readMessages(connector, false, signal)) {
    const greetings = greetingsIn(text)
    if (greetings === null) continue
    const { me } = greetings
    const key = isRecord(me) ? me['vkey'] : undefined
    if (typeof key === 'string' && /^[\da-f]{64}$/.test(key)) return key
    throw new ProtocolError('Greetings', { expected: 'the key of the party in `me`', got: 'none' })
  }
  throw new ProtocolError('The connection', { expected: 'Greetings', got: 'its end' })
}

async function* connection(
  texts: AsyncIterable<string>,
  history: History,
  follow: boolean
): AsyncGenerator<ExportEvent> {
  for await (const text of texts) {
    if (greetingsIn(text) === null) yield* history.read(text)
    else {
      history.assertReached()
      if (!follow) return
    }
  }
}

/** Reads the messages of one connection, the stored ones first. */
class History {
  readonly #party: string
  readonly #place: Place
  /** True until the event of the cursor has been read. */
  #isBehind: boolean
  #isFirst = true

  constructor(party: string, place: Place) {
    this.#party = party
    this.#place = place
    this.#isBehind = place.cursor !== null
  }

  /** @throws {@link ExportCursorError} where the history ends before the cursor */
  assertReached(): void {
    const { cursor } = this.#place
    if (this.#isBehind && cursor !== null)
      throw new ExportCursorError(
        `an event of this node’s history${this.#isFirst ? ', which is empty' : ''}`,
        `number ${cursor.seq}, which is newer`
      )
  }

  *read(text: string): Generator<ExportEvent> {
    const message = messageIn(text)
    const seq = message['seq']
    // Not stored: it comes once, over this connection, and is told when it comes live.
    if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0) {
      if (!this.#isBehind) yield this.#event(message, this.#place.cursor)
      return
    }
    const isFirst = this.#isFirst
    this.#isFirst = false
    const { cursor } = this.#place
    const isRotated = isFirst && message['tag'] === 'EventLogRotated' && (cursor === null || seq > cursor.seq)
    if (isRotated) yield this.#gap(message, seq)
    else if (cursor !== null && seq <= cursor.seq) return this.#skip(text, seq, cursor)
    else if (this.#isBehind)
      throw new ExportCursorError('an event of this node’s history', `number ${cursor!.seq}, which it does not have`)
    this.#isBehind = false
    const next: ExportCursor = {
      source: 'node',
      party: this.#party,
      headId: headOf(message),
      seq,
      at: parseNodeTime(message['timestamp']),
      hash: eventHash(text)
    }
    this.#place.cursor = next
    yield this.#event(message, next)
  }

  #skip(text: string, seq: number, cursor: ExportCursor): void {
    if (seq !== cursor.seq || !this.#isBehind) return
    if (eventHash(text) !== cursor.hash)
      throw new ExportCursorError('an event of this node’s history', `number ${seq} with another content`)
    this.#isBehind = false
  }

  #event(message: Json, cursor: ExportCursor | null): ExportEvent {
    return {
      cursor: cursor === null ? null : formatExportCursor(cursor),
      at: parseNodeTime(message['timestamp']),
      source: 'node',
      headId: headOf(message),
      kind: kindOf(message['tag']),
      data: message
    }
  }

  #gap(checkpoint: Json, seq: number): ExportEvent {
    const { cursor } = this.#place
    const at = parseNodeTime(checkpoint['timestamp'])
    const proves = new LedgerDecoder().read(checkpoint as unknown as LayerPayload)
    const data: ExportGap = {
      reason: 'rotated',
      from: cursor === null ? null : { seq: cursor.seq, at: cursor.at },
      to: { seq, at },
      proves:
        proves?.kind !== 'checkpoint' || proves.headId === null
          ? null
          : {
              headId: proves.headId,
              snapshotNumber: proves.number,
              outputs: proves.utxo === null ? null : Object.keys(proves.utxo).length
            }
    }
    const text = cursor === null ? null : formatExportCursor(cursor)
    return { cursor: text, at, source: 'node', headId: data.proves?.headId ?? null, kind: 'gap', data: { ...data } }
  }
}

/** Returns the message if it is Greetings; null for any other, even if its outputs contain the same word. */
function greetingsIn(text: string): Json | null {
  if (!text.includes('"headStatus"')) return null
  const message = messageIn(text)
  const { tag } = message
  // 0.21 sends it without a tag.
  return tag === 'Greetings' || (tag === undefined && isRecord(message['me'])) ? message : null
}

/** Returns the parsed message; for one that cannot be read, its length. */
function messageIn(text: string): Json {
  try {
    const value = parseJson(text)
    if (isRecord(value)) return value
  } catch {
    // Told below.
  }
  return { tag: null, unreadable: text.length }
}

/** Returns the id of the head that a message names; null: none. */
export function headOf(message: Json): string | null {
  const { headId, snapshot, hydraHeadId } = message
  const found = headId ?? hydraHeadId ?? (isRecord(snapshot) ? snapshot['headId'] : undefined)
  return typeof found === 'string' && HEX.test(found) ? found : null
}
