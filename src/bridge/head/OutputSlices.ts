import { COLON, QUOTE, parseJsonWithin, stringEnd } from '../../codec/json.js'
import { objectEnd } from '../../codec/jsonMembers.js'
import type { TxOutJson } from '../protocol/types.js'

const COMMA = 44
const OPEN = 123
const CLOSE = 125
/** Levels of one output: with those around it in any message they stay below what `parseJson` reads. */
const MAX_DEPTH = 250
const MAX_DIGITS = 4_096
/** Keys are a hash of 64 characters, a sign and up to nine digits. */
const MIN_KEY = 66
const MAX_KEY = 74

const span = { end: 0, hasLong: false }

/** One output of a text: `"key":{...}`. */
export interface OutputMember {
  readonly key: string
  readonly output: TxOutJson
  /** Index after it. */
  readonly end: number
}

/** Whether an output may end here: another one or the end of all follows. */
export function endsOutput(code: number): boolean {
  return code === COMMA || code === CLOSE
}

function isKeyLength(length: number): boolean {
  return length >= MIN_KEY && length <= MAX_KEY
}

/** Key of the output that begins at an index, as it is written; null where none begins in the form that nodes write. */
export function rawKeyAt(text: string, at: number): string | null {
  if (text.charCodeAt(at) !== QUOTE) return null
  const end = stringEnd(text, at)
  const length = end - at - 1
  return !isKeyLength(length) || text.charCodeAt(end + 1) !== COLON || text.charCodeAt(end + 2) !== OPEN ? null : text.slice(at + 1, end)
}

function parseMembers(members: string, hasLong: boolean): Record<string, TxOutJson> | null {
  const text = `{${members}}`
  try {
    return (hasLong ? parseJsonWithin(text, { what: 'A message', depth: MAX_DEPTH + 1, digits: MAX_DIGITS }) : JSON.parse(text)) as Record<string, TxOutJson>
  } catch {
    return null
  }
}

/** Reads one output; null where it is not valid JSON, or not written as nodes write it. `key`: as it stands there. */
export function readOutput(text: string, at: number, key: string): OutputMember | null {
  const { end, hasLong } = objectEnd(text, at + key.length + 3, MAX_DEPTH, span)
  if (end < 0 || !endsOutput(text.charCodeAt(end))) return null
  const members = parseMembers(text.slice(at, end), hasLong)
  if (members === null) return null
  const keys = Object.keys(members)
  // An escape in it would be another key than it looks like.
  return keys.length === 1 && keys[0] === key ? { key: keys[0], output: members[key]!, end } : null
}

/** Takes the outputs of a text one after the other, in its order. */
export interface OutputSink {
  readonly size: number
  set(key: string, output: TxOutJson): unknown
}

/**
 * Reads all outputs of a text, slice by slice, so that other tasks can run in between. Every slice is parsed by itself; where one ends, the
 * next begins, so all of them together are what one parse of the whole gives.
 */
export class OutputSlices {
  readonly text: string
  /** Index of each output. */
  starts: Uint32Array = new Uint32Array(1_024)
  count = 0
  /** Index of the brace that ends the outputs; -1 until they have been read. */
  end = -1
  readonly #sink: OutputSink
  #at: number

  /** @param start - index after the brace that begins the outputs */
  constructor(text: string, start: number, sink: OutputSink) {
    this.text = text
    this.#sink = sink
    this.#at = start
    if (text.charCodeAt(start) === CLOSE) this.end = start
  }

  /**
   * Reads outputs of at least `characters` characters, or the rest. False where they are not written as nodes write them, or not valid: then the
   * text has to be read as a whole.
   *
   * @throws what the sink throws
   */
  read(characters: number): boolean {
    const { text } = this
    const from = this.#at
    const first = this.count
    let hasLong = false
    for (let at = from; this.end < 0; at++) {
      if (text.charCodeAt(at) !== QUOTE) return false
      const keyEnd = text.indexOf('"', at + 1)
      if (!isKeyLength(keyEnd - at - 1) || text.charCodeAt(keyEnd + 1) !== COLON || text.charCodeAt(keyEnd + 2) !== OPEN) return false
      this.#note(at)
      objectEnd(text, keyEnd + 2, MAX_DEPTH, span)
      if (span.end < 0) return false
      hasLong ||= span.hasLong
      at = span.end
      const next = text.charCodeAt(at)
      if (!endsOutput(next)) return false
      if (next === CLOSE) this.end = at
      else if (at - from < characters) continue
      this.#at = at + 1
      return this.#take(text.slice(from, at), first, hasLong)
    }
    return true
  }

  #note(at: number): void {
    if (this.count === this.starts.length) {
      const starts = new Uint32Array(2 * this.count)
      starts.set(this.starts)
      this.starts = starts
    }
    this.starts[this.count++] = at
  }

  #take(members: string, first: number, hasLong: boolean): boolean {
    const { text, starts } = this
    const outputs = parseMembers(members, hasLong)
    if (outputs === null) return false
    const keys = Object.keys(outputs)
    if (keys.length !== this.count - first) return false
    for (let n = 0; n < keys.length; n++) {
      const key = keys[n]!
      const at = starts[first + n]! + 1
      // Written without escapes, and once.
      if (!text.startsWith(key, at) || text.charCodeAt(at + key.length) !== QUOTE) return false
      this.#sink.set(key, outputs[key]!)
      if (this.#sink.size !== first + n + 1) return false
    }
    return true
  }
}
