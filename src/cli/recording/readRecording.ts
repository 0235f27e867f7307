import { parseJson, stringifyJson } from '../../codec/json.js'
import { CommandFailure } from '../usage.js'
import { entriesOfDocument } from './document.js'
import type { BrokenLine, Entry, Place, RecordingHeader } from './format.js'
import { FORMAT_VERSION, MAX_LINE_BYTES } from './format.js'
import { isJsonRecord } from './isRecord.js'
import { entriesOfEvents, eventIn, eventsOfExport, eventsOfLog, eventsOfNode } from './readEvents.js'
import type { Line } from './readLines.js'
import { readLines } from './readLines.js'

/** A part of a recording, in the order of the file. */
export type RecordingPart = { readonly kind: 'header'; readonly header: RecordingHeader } | Entry | BrokenLine

/** A file, or a running node whose stored history is read. */
export type RecordingSource = string | { readonly url: string; readonly signal: AbortSignal }

/** Number of first lines by which the form of a file is recognised. */
const MAX_PEEKED = 10

/**
 * Reads a recording, an export, a node's log, the history of a running node, or a JSON document of a node's messages.
 * A line that cannot be read becomes a part of the kind `broken`, and reading continues after it.
 *
 * @throws CommandFailure where the file cannot be read, or is none of these
 */
export async function* readRecording(
  source: RecordingSource,
  maxLineBytes: number = MAX_LINE_BYTES
): AsyncGenerator<RecordingPart> {
  if (typeof source !== 'string') {
    yield headerOfEvents('node')
    return yield* entriesOfEvents(eventsOfNode(source.url, source.signal))
  }
  try {
    yield* partsOfFile(source, maxLineBytes)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (typeof code === 'string' && code.startsWith('Z_'))
      throw new CommandFailure(`The file ${source} was packed by gzip and is cut short or damaged.`)
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error
    throw new CommandFailure(`The file ${source} cannot be read (${code}).`)
  }
}

async function* partsOfFile(path: string, maxLineBytes: number): AsyncGenerator<RecordingPart> {
  const peeked: Line[] = []
  let form: 'log' | 'export' | null = null
  const lines = readLines(path, maxLineBytes)
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    const line = next.value
    const header = peeked.length === 0 ? headerOf(line) : null
    if (header !== null) {
      yield { kind: 'header', header }
      return yield* entriesOfLines(lines)
    }
    peeked.push(line)
    form = formOf(line)
    if (form !== null || peeked.length === MAX_PEEKED) break
  }
  if (peeked.length === 0) throw new CommandFailure(`The file ${path} is empty.`)
  if (form === null) {
    await lines.return(undefined)
    return yield* await documentOf(path, maxLineBytes)
  }
  yield headerOfEvents(form)
  const all = joined(peeked, lines)
  yield* entriesOfEvents(form === 'log' ? eventsOfLog(all) : eventsOfExport(all))
}

async function* entriesOfLines(lines: AsyncIterable<Line>): AsyncGenerator<RecordingPart> {
  for await (const line of lines) if (line.text === null || line.text.trim() !== '') yield partOf(line)
}

async function* joined(first: readonly Line[], rest: AsyncIterable<Line>): AsyncGenerator<Line> {
  yield* first
  yield* rest
}

const headerOfEvents = (source: 'log' | 'export' | 'node'): RecordingPart => ({
  kind: 'header',
  header: { recording: FORMAT_VERSION, package: source, startedAt: '1970-01-01T00:00:00.000Z', source }
})

/** Recognises the form of a file by one of its lines; returns null when the line does not show it. */
function formOf({ text }: Line): 'log' | 'export' | null {
  if (text === null) return null
  if (eventIn(text) !== null) return 'export'
  const value = parsed(text)
  const isLog = isJsonRecord(value) && typeof value['timestamp'] === 'string' && isJsonRecord(value['message'])
  return isLog ? 'log' : null
}

/** Returns the header of a recording; null when the line is not a header. @throws CommandFailure for a newer format */
function headerOf({ text }: Line): RecordingHeader | null {
  const value = text === null ? null : parsed(text)
  if (!isJsonRecord(value) || typeof value['recording'] !== 'number') return null
  const { recording, package: made, startedAt } = value
  if ((recording as number) > FORMAT_VERSION)
    throw new CommandFailure(
      `The recording has format ${String(recording)}, and this version of layer-sdk reads up to ${FORMAT_VERSION}: update layer-sdk.`
    )
  return { recording: recording as number, package: String(made), startedAt: String(startedAt) }
}

/** Reads a whole file as one JSON document and returns the messages and answers in it. @throws CommandFailure */
async function documentOf(path: string, maxBytes: number): Promise<RecordingPart[]> {
  const lines: string[] = []
  let size = 0
  for await (const { text, length } of readLines(path, maxBytes)) {
    size += length
    if (text === null || size > maxBytes) throw new CommandFailure(`The file ${path} is too large for a document.`)
    lines.push(text)
  }
  const value = parsed(lines.join('\n'))
  const parts = value === undefined ? null : entriesOfDocument(value)
  if (parts === null)
    throw new CommandFailure(
      `The file ${path} cannot be replayed: expected a recording or an export of layer-sdk, or the messages of a node as a log or as JSON.`
    )
  return [{ kind: 'header', header: parts.header }, ...parts.entries]
}

const EVENTS: Readonly<Record<string, (value: Record<string, unknown>) => Body | null>> = {
  open: ({ history }) => ({ kind: 'open', history: history === true }),
  close: ({ reason }) => ({ kind: 'close', reason: String(reason) }),
  end: ({ reason }) => ({ kind: 'end', reason: String(reason) }),
  invalid: () => ({ kind: 'bytes', length: 0 }),
  bytes: ({ length }) => ({ kind: 'bytes', length: typeof length === 'number' ? length : 0 }),
  noAnswer: ({ get, reason }) =>
    typeof get === 'string' ? { kind: 'noAnswer', path: get, reason: String(reason) } : null
}

type Without<T> = T extends unknown ? Omit<T, 'line' | 'byte' | 'at'> : never
type Body = Without<Entry>

/** Start of a line of this program, before the message: the message is cut out unparsed, so that it stays the same. */
const RAW_FRAME = /^\{"at":\d{1,15},"frame":(?=.)/
const RAW_BODY = /^\{"at":\d{1,15},"get":"[^"\\]{1,200}","status":\d{3},"body":(?=.)/

function partOf({ line, byte, text, length, isWhole }: Line): Entry | BrokenLine {
  const place: Place = { line, byte }
  const broken = (reason: string): BrokenLine => ({ kind: 'broken', ...place, reason, torn: !isWhole })
  if (text === null) return broken(`a line of ${length} bytes`)
  const value = parsed(text)
  if (value === undefined) return broken(isWhole ? 'not JSON' : `cut short after ${length} bytes`)
  if (!isJsonRecord(value)) return broken('no object')
  const { at } = value
  if (typeof at !== 'number' || !(at >= 0)) return broken('no time')
  const body = bodyOf(value, text)
  return body === null ? broken('no entry of this format') : ({ ...place, at, ...body } as Entry)
}

function bodyOf(value: Record<string, unknown>, text: string): Body | null {
  const { event, get, status, frame, frameText, body, bodyText } = value
  if (typeof event === 'string') return Object.hasOwn(EVENTS, event) ? EVENTS[event]!(value) : null
  if (typeof get === 'string' && typeof status === 'number') {
    if (typeof bodyText === 'string') return { kind: 'answer', path: get, status, text: bodyText }
    return body === undefined ? null : { kind: 'answer', path: get, status, text: rawOf(text, RAW_BODY, body) }
  }
  if (typeof frameText === 'string') return { kind: 'frame', text: frameText }
  return frame === undefined ? null : { kind: 'frame', text: rawOf(text, RAW_FRAME, frame) }
}

/**
 * Returns the text of a line's last member, unchanged, if the line has the form in which this program writes it
 * (`before`); else `value` as JSON.
 */
function rawOf(text: string, before: RegExp, value: unknown): string {
  const start = before.exec(text)
  const raw = start === null || !text.endsWith('}') ? undefined : text.slice(start[0].length, -1)
  return raw !== undefined && parsed(raw) !== undefined ? raw : stringifyJson(value)
}

/** Parses JSON; returns undefined for other text. */
function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
