/** Version of the recording format; a reader refuses newer versions. */
export const FORMAT_VERSION = 1

/** Largest line of a recording, bytes: a message of 128 MiB and its members. */
export const MAX_LINE_BYTES = 201_326_592

/** Text that replaces a secret. */
export const REMOVED = '[removed]'

/** First line of a recording, which is NDJSON (one JSON object per line). It does not contain the node's address. */
export interface RecordingHeader {
  /** {@link FORMAT_VERSION} */
  readonly recording: number
  /** Version of this package. */
  readonly package: string
  /** Start of the recording, ISO 8601. The times `at` of the lines are relative to it. */
  readonly startedAt: string
  /** Origin of the entries. @default 'recording' */
  readonly source?: 'recording' | 'log' | 'export' | 'node'
  /** Head keys of all parties in their order, hex, where the file names them. */
  readonly partyKeys?: readonly string[]
}

/** Place of an entry in its file. */
export interface Place {
  /** From 1. */
  readonly line: number
  /** Offset of the line's first byte, from 0. */
  readonly byte: number
}

/** One event of a recording. */
export type Entry = Place & {
  /** Since the start of the recording, ms. */
  readonly at: number
} & (
    | { readonly kind: 'open'; readonly history: boolean }
    | { readonly kind: 'close'; readonly reason: string }
    | { readonly kind: 'end'; readonly reason: string }
    /** A message of the node, unchanged except for removed secrets. */
    | { readonly kind: 'frame'; readonly text: string }
    /** A message that the reader adds, such as Greetings, because the file contains none. */
    | { readonly kind: 'made'; readonly text: string }
    /** A message whose values were replaced by `…`, so that only the names of its members are known. */
    | { readonly kind: 'shape'; readonly text: string }
    /** A binary or invalid message, which no node should send. */
    | { readonly kind: 'bytes'; readonly length: number }
    | { readonly kind: 'answer'; readonly path: string; readonly status: number; readonly text: string }
    /** A line of a log about an event that no client is told; `timeMs` since the Unix epoch. */
    | { readonly kind: 'note'; readonly tag: string; readonly timeMs: number | null; readonly reason: string }
    /** Events are missing before this place. */
    | { readonly kind: 'gap'; readonly reason: string }
    /** A request without an answer. */
    | { readonly kind: 'noAnswer'; readonly path: string; readonly reason: string }
  )

/** A line that cannot be read. */
export interface BrokenLine extends Place {
  readonly kind: 'broken'
  readonly reason: string
  /** True for a last line without a line end, which means that the recording was cut short here. */
  readonly torn: boolean
}

/**
 * Returns a member of a line: `asJson` with the text itself as value when the text is JSON on a single line, else
 * `asText` with the text as a string.
 */
function memberOf(text: string, asJson: string, asText: string): string {
  if (!/[\r\n]/.test(text)) {
    try {
      JSON.parse(text)
      return `"${asJson}":${text}`
    } catch {
      // Not JSON: it stands as a string.
    }
  }
  return `"${asText}":${JSON.stringify(text)}`
}

/** Returns the line of a message. */
export function frameLine(at: number, text: string): string {
  return `{"at":${at},${memberOf(text, 'frame', 'frameText')}}`
}

/** Returns the line of an answer to a GET request. */
export function answerLine(at: number, path: string, status: number, text: string): string {
  return `{"at":${at},"get":${JSON.stringify(path)},"status":${status},${memberOf(text, 'body', 'bodyText')}}`
}

/** Returns the line of an event other than a message or an answer. */
export function eventLine(at: number, event: string, details: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ at, event, ...details })
}
