import { parseNodeTime } from '../../bridge/inner.js'
import { stringifyJson } from '../../codec/json.js'
import { ExportCursorError } from '../../errors/doctor.js'
import type { ExportCursor } from './cursor.js'
import { eventHash, formatExportCursor } from './cursor.js'
import type { ExportCounts } from './ExportCounts.js'
import { kindOf } from './kindOf.js'
import type { LogLine } from './logMessages.js'
import { LogReader } from './logMessages.js'
import { headOf } from './nodeEvents.js'
import type { ExportEvent, ExportGap, LogSource } from './types.js'

/** Arguments of {@link logEvents}. */
export interface LogEventsArgs {
  readonly log: LogSource['log']
  readonly after: ExportCursor | null
  readonly counts: ExportCounts
  readonly signal: AbortSignal
}

/**
 * Yields the events in the lines that a node logged. One line at a time is in memory.
 *
 * @throws {@link ExportCursorError}, the reason of the signal, the error of the lines
 */
export async function* logEvents({ log, after, counts, signal }: LogEventsArgs): AsyncGenerator<ExportEvent> {
  if (after?.source === 'node') throw new ExportCursorError('a cursor of a log', 'one of a node')
  const events = new LogEvents(after, counts)
  let line = 0
  for await (const text of log) {
    signal.throwIfAborted()
    line++
    if (text === null || text.trim() !== '') yield* events.read(text, line)
  }
  events.assertReached()
}

class LogEvents {
  readonly #reader = new LogReader()
  readonly #counts: ExportCounts
  #cursor: ExportCursor | null
  #party: string | null = null
  /** True until the event of the cursor has been read. */
  #isBehind: boolean
  #isFirst = true

  constructor(after: ExportCursor | null, counts: ExportCounts) {
    this.#cursor = after
    this.#counts = counts
    this.#isBehind = after !== null
  }

  assertReached(): void {
    if (this.#isBehind)
      throw new ExportCursorError(
        'an event of this log',
        `one of ${new Date(this.#cursor!.at ?? 0).toISOString()}, which it does not have`
      )
  }

  *read(text: string | null, number: number): Generator<ExportEvent> {
    const line = text === null ? { unreadable: 'a line too long' } : this.#reader.read(text)
    if ('unreadable' in line) {
      this.#counts.addUnreadable(number)
      if (!this.#isBehind) yield this.#gap('unreadable', number, null)
      return
    }
    for (const tag of line.unknown) this.#counts.addTag(tag)
    this.#noteParty(line)
    if (line.isIncomplete && !this.#isBehind) yield this.#gap('incomplete', number, parseNodeTime(line.timestamp))
    for (const [i, message] of line.messages.entries()) yield* this.#event(message, line, number, i)
  }

  /** @throws {@link ExportCursorError} where the log is of another node */
  #noteParty({ party }: LogLine): void {
    this.#party ??= party
    const cursorParty = this.#cursor?.party
    if (party !== null && cursorParty !== undefined && cursorParty !== null && party !== cursorParty)
      throw new ExportCursorError(`a cursor of the node of ${party}`, `one of ${cursorParty}`)
  }

  *#event(data: Readonly<Record<string, unknown>>, line: LogLine, number: number, i: number): Generator<ExportEvent> {
    const at = parseNodeTime(line.timestamp)
    const hash = eventHash(`${line.timestamp} ${i} ${stringifyJson(data)}`)
    if (this.#isBehind) {
      if (this.#cursor!.hash === hash) {
        this.#isBehind = false
        this.#isFirst = false
        return
      }
      const isLater = this.#isFirst && at !== null && this.#cursor!.at !== null && at > this.#cursor!.at
      this.#isFirst = false
      if (!isLater) return
      // The log was rotated: its first event is younger than the cursor's.
      this.#isBehind = false
      yield this.#gap('rotated', number, at)
    }
    this.#cursor = { source: 'log', party: this.#party, headId: headOf(data), seq: number, at, hash }
    yield {
      cursor: formatExportCursor(this.#cursor),
      at,
      source: 'log',
      headId: this.#cursor.headId,
      kind: kindOf(data['tag']),
      data
    }
  }

  #gap(reason: ExportGap['reason'], line: number, at: number | null): ExportEvent {
    const cursor = this.#cursor
    const data: ExportGap = {
      reason,
      from: cursor === null ? null : { seq: cursor.seq, at: cursor.at },
      to: { seq: line, at },
      proves: null
    }
    const text = cursor === null ? null : formatExportCursor(cursor)
    return { cursor: text, at, source: 'log', headId: null, kind: 'gap', data: { ...data } }
  }
}
