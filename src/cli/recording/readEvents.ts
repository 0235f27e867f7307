import { parseJson, stringifyJson } from '../../codec/json.js'
import type { ExportEvent } from '../../doctor/inner.js'
import { exportEvents } from '../../doctor/inner.js'
import type { BrokenLine, Entry, Place } from './format.js'
import { isJsonRecord } from './isRecord.js'
import type { Line } from './readLines.js'

/** Messages that only a log states: no client of the API receives them. */
const NOTES: ReadonlySet<unknown> = new Set(['DroppedFromQueue', 'LogicError', 'Misconfiguration', 'EnteringMainloop'])

/** Members of an exported event that a replay reads. */
type ReplayedEvent = Pick<ExportEvent, 'at' | 'kind' | 'data'>

/** An event with its place in the file. */
type PlacedEvent = Place & { readonly event: ReplayedEvent }

/**
 * Converts events to the entries of a recording: one connection to a node that greets as idle and then sends the events
 * as messages, so that the state of the head comes from the events alone.
 */
export async function* entriesOfEvents(
  events: AsyncIterable<PlacedEvent | BrokenLine>
): AsyncGenerator<Entry | BrokenLine> {
  const start: Place = { line: 1, byte: 0 }
  yield { ...start, at: 0, kind: 'open', history: false }
  const greetings = { tag: 'Greetings', me: { vkey: '00'.repeat(32) }, headStatus: 'Idle' }
  yield { ...start, at: 0, kind: 'made', text: JSON.stringify(greetings) }
  let [firstMs, at, last]: [number | null, number, Place] = [null, 0, start]
  for await (const each of events) {
    last = { line: each.line, byte: each.byte }
    if ('kind' in each) {
      yield each
      continue
    }
    const { event } = each
    firstMs ??= event.at
    if (event.at !== null) at = Math.max(0, event.at - firstMs!)
    yield entryOf(event, { ...last, at })
  }
  yield { ...last, at, kind: 'end', reason: 'events' }
}

function entryOf(
  { at: timeMs, kind, data }: ReplayedEvent,
  place: Place & { readonly at: number }
): Entry | BrokenLine {
  const { tag } = data
  if (kind === 'gap') {
    const { reason } = data
    if (reason === 'unreadable') return { ...place, kind: 'broken', reason: 'cannot be read', torn: false }
    return { ...place, kind: 'gap', reason: gapText(data) }
  }
  if (NOTES.has(tag)) return { ...place, kind: 'note', tag: String(tag), timeMs, reason: noteText(data) }
  return { ...place, kind: 'frame', text: stringifyJson(data) }
}

function gapText({ reason, from, proves }: Readonly<Record<string, unknown>>): string {
  if (reason === 'incomplete') return 'a snapshot was confirmed whose request is not there'
  const since = isJsonRecord(from) ? `after number ${String(from['seq'])}` : 'before the first event'
  const state = isJsonRecord(proves) ? `; the state behind it is snapshot ${String(proves['snapshotNumber'])}` : ''
  return `events ${since} are not there${state}`
}

/** Returns the subject of a log message that no client receives, in a few words. */
function noteText({ tag, input, error }: Readonly<Record<string, unknown>>): string {
  if (tag === 'LogicError') return isJsonRecord(error) ? wordsOf(error, 'requirementFailure') : 'no reason given'
  if (tag !== 'DroppedFromQueue' || !isJsonRecord(input)) return ''
  return wordsOf(input, 'clientInput', 'networkEvent', 'chainEvent')
}

/** Returns the tags of a value and of the values nested in it, outermost first: `NetworkInput ReqTx`. */
function wordsOf(value: Readonly<Record<string, unknown>>, ...members: readonly string[]): string {
  const inner = members.map((name) => value[name]).find(isJsonRecord)
  const message = inner !== undefined && isJsonRecord(inner['msg']) ? inner['msg'] : inner
  return [value['tag'], inner?.['tag'], message === inner ? undefined : message?.['tag']]
    .filter((each) => typeof each === 'string')
    .join(' ')
}

/** Yields the lines of a log for the export. A last line that is cut short is left out, and reported by `onTorn`. */
export async function* logLines(lines: AsyncIterable<Line>, onTorn: () => void): AsyncGenerator<string | null> {
  for await (const { text, isWhole } of lines) {
    if (!isWhole && (text === null || parsed(text) === undefined)) return onTorn()
    yield text
  }
}

/** Yields the events of a node's log, each with its line. */
export async function* eventsOfLog(lines: AsyncIterable<Line>): AsyncGenerator<PlacedEvent> {
  let place: Place = { line: 1, byte: 0 }
  const noted = async function* (): AsyncGenerator<Line> {
    for await (const line of lines) {
      place = { line: line.line, byte: line.byte }
      yield line
    }
  }
  const log = logLines(noted(), () => undefined)
  // A line is read when the events of the one before it were handed out.
  for await (const event of exportEvents({ source: { log } })) yield { ...place, event }
}

/** Yields the events of a running node; their sequence number replaces the line. */
export async function* eventsOfNode(url: string, signal: AbortSignal): AsyncGenerator<PlacedEvent> {
  let line = 0
  for await (const event of exportEvents({ source: url, signal })) yield { line: ++line, byte: 0, event }
}

/**
 * Yields the events of an export. A last line that is cut short is left out. When a later run appended an event to such
 * a line, that event is read.
 */
export async function* eventsOfExport(lines: AsyncIterable<Line>): AsyncGenerator<PlacedEvent | BrokenLine> {
  for await (const { line, byte, text, length, isWhole } of lines) {
    if (text?.trim() === '') continue
    const event = text === null ? null : (eventIn(text) ?? eventIn(text.slice(Math.max(0, text.lastIndexOf(START)))))
    if (event !== null) yield { line, byte, event }
    else if (isWhole)
      yield {
        kind: 'broken',
        line,
        byte,
        reason: text === null ? `a line of ${length} bytes` : 'no event',
        torn: false
      }
  }
}

const START = '{"cursor":'

/** Returns the event in a line of an export; null for another line. */
export function eventIn(text: string): ReplayedEvent | null {
  const value = parsed(text)
  if (!isJsonRecord(value) || !('cursor' in value)) return null
  const { at, kind, data } = value
  if (typeof kind !== 'string' || !isJsonRecord(data) || (at !== null && typeof at !== 'number')) return null
  return { at, kind: kind as ExportEvent['kind'], data }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
