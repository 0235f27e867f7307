import { parseJson, stringifyJson } from '../../codec/json.js'
import { CommandFailure } from '../usage.js'
import { entriesOfDocument } from './document.js'
import type { BrokenLine, Entry, Place, RecordingHeader } from './format.js'
import { FORMAT_VERSION, MAX_LINE_BYTES } from './format.js'
import { isJsonRecord } from './isRecord.js'
import type { Line } from './readLines.js'
import { readLines } from './readLines.js'

/** A part of a recording, in the order of the file. */
export type RecordingPart = { readonly kind: 'header'; readonly header: RecordingHeader } | Entry | BrokenLine

/**
 * Reads a recording, or a JSON document of a node's messages. A line that cannot be read becomes a part of its own, and
 * reading goes on after it.
 *
 * @throws CommandFailure where the file cannot be read, or is neither
 */
export async function* readRecording(
  path: string,
  maxLineBytes: number = MAX_LINE_BYTES
): AsyncGenerator<RecordingPart> {
  let isFirst = true
  try {
    for await (const line of readLines(path, maxLineBytes)) {
      if (isFirst) {
        const header = headerOf(line)
        if (header === null) return yield* await documentOf(path, maxLineBytes)
        yield { kind: 'header', header }
        isFirst = false
      } else if (line.text === null || line.text.trim() !== '') yield partOf(line)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error
    throw new CommandFailure(`The file ${path} cannot be read (${code}).`)
  }
  if (isFirst) throw new CommandFailure(`The file ${path} is empty.`)
}

/** The header of a recording; null where the line is none. @throws CommandFailure for a newer format */
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

/** The parts of a JSON document that is no recording by this program. */
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
      `The file ${path} is neither a recording of layer-sdk nor a document of a node's messages.`
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

/** The bytes of a message within its line, which parsing and writing again might change. */
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

/** The bytes of the last member of a line as this program writes it; of a line that was rewritten, its value. */
function rawOf(text: string, before: RegExp, value: unknown): string {
  const start = before.exec(text)
  const raw = start === null || !text.endsWith('}') ? undefined : text.slice(start[0].length, -1)
  return raw !== undefined && parsed(raw) !== undefined ? raw : stringifyJson(value)
}

/** Undefined where the text is no JSON that can be read. */
function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
