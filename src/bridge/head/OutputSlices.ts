import { COLON, QUOTE, parseJsonWithin, stringEnd } from '../../codec/json.js'
import { objectEnd } from '../../codec/jsonMembers.js'
import type { TxOutJson } from '../protocol/types.js'

const COMMA = 44
const OPEN = 123
const CLOSE = 125
/** Levels of one output: with those around it in any message they stay below what `parseJson` reads. */
const MAX_DEPTH = 250
const MAX_DIGITS = 4_096
/** Keys are a hash of 64 characters, a sign and digits. What is shorter may be a name that objects treat differently: `__proto__`, an index. */
const MIN_KEY = 66

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

/** Key of the output that begins at an index, as it is written; null where none begins in the form that nodes write. */
export function rawKeyAt(text: string, at: number): string | null {
  if (text.charCodeAt(at) !== QUOTE) return null
  const end = stringEnd(text, at)
  const isKey = end - at - 1 >= MIN_KEY && text.charCodeAt(end + 1) === COLON && text.charCodeAt(end + 2) === OPEN
  return isKey ? text.slice(at + 1, end) : null
}

function parse(text: string, hasLong: boolean): unknown {
  return hasLong ? parseJsonWithin(text, { what: 'A message', depth: MAX_DEPTH, digits: MAX_DIGITS }) : JSON.parse(text)
}

/**
 * Reads one output; null where it is not valid JSON, or not written as nodes write it. Key and value are parsed by themselves: in V8 that costs
 * less than an object of many keys.
 *
 * @param raw - its key as it stands there
 */
export function readOutput(text: string, at: number, raw: string): OutputMember | null {
  const value = at + raw.length + 3
  const { end, hasLong } = objectEnd(text, value, MAX_DEPTH, span)
  if (end < 0 || !endsOutput(text.charCodeAt(end))) return null
  try {
    // A copy, which does not keep the whole text in memory.
    const key = JSON.parse(text.slice(at, value - 1)) as string
    // An escape in it would be another key than it looks like.
    return key.length === raw.length ? { key, output: parse(text.slice(value, end), hasLong) as TxOutJson, end } : null
  } catch {
    return null
  }
}

/** Takes the outputs of a text one after the other, in its order. */
export interface OutputSink {
  readonly size: number
  set(key: string, output: TxOutJson): unknown
}

/** Reads all outputs of a text, slice by slice, so that other tasks can run in between. */
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
    const until = this.#at + characters
    // Taken once the slice has been read: one after the other costs a tenth more.
    const members: OutputMember[] = []
    while (this.end < 0 && this.#at < until) {
      const at = this.#at
      const raw = rawKeyAt(text, at)
      const member = raw === null ? null : readOutput(text, at, raw)
      if (member === null) return false
      this.#note(at)
      members.push(member)
      this.#at = member.end + 1
      if (text.charCodeAt(member.end) === CLOSE) this.end = member.end
    }
    for (const { key, output } of members) this.#sink.set(key, output)
    // Fewer where one stands there twice.
    return this.#sink.size === this.count
  }

  #note(at: number): void {
    if (this.count === this.starts.length) {
      const starts = new Uint32Array(2 * this.count)
      starts.set(this.starts)
      this.starts = starts
    }
    this.starts[this.count++] = at
  }
}
