import { COLON, QUOTE, parseJsonWithin, stringEnd } from '../../codec/json.js'
import { objectEnd } from '../../codec/jsonMembers.js'
import type { TxOutJson } from '../protocol/types.js'

const COMMA = 44
const OPEN = 123
const CLOSE = 125
/**
 * Maximum nesting of one output. With the levels around it in a message, it stays below the depth that `parseJson`
 * reads.
 */
const MAX_DEPTH = 250
const MAX_DIGITS = 4_096
/**
 * Minimum length of a key: a hash of 64 characters, `#` and a digit. A shorter text may be a name that objects treat
 * differently: `__proto__`, an index.
 */
const MIN_KEY = 66

const span = { end: 0, hasLong: false }

/** One output of a text: `"key":{...}`. */
export interface OutputMember {
  readonly key: string
  readonly output: TxOutJson
  /** Index in the text after the output. */
  readonly end: number
}

/** Outputs one after the other, and the index of each. */
interface Slice {
  readonly keys: string[]
  readonly outputs: TxOutJson[]
  readonly starts: number[]
}

/**
 * Returns true for a character that may follow an output: the comma before the next one, or the brace after the last.
 */
export function endsOutput(code: number): boolean {
  return code === COMMA || code === CLOSE
}

/**
 * Returns the key of the output that begins at an index, as it is written; null unless it has the form that nodes
 * write.
 */
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
 * Reads outputs from an index on, until one ends at `until` or later, or all have been read. Key and value are parsed
 * by themselves: in V8 that costs less than an object of many keys.
 *
 * @returns index after the last one; -1 where one is not valid JSON, or not written as nodes write it
 */
function readOutputs(text: string, from: number, until: number, { keys, outputs, starts }: Slice): number {
  for (let at = from; ;) {
    const raw = rawKeyAt(text, at)
    if (raw === null) return -1
    const value = at + raw.length + 3
    const { end, hasLong } = objectEnd(text, value, MAX_DEPTH, span)
    if (end < 0 || !endsOutput(text.charCodeAt(end))) return -1
    try {
      // A copy, which does not keep the whole text in memory.
      const key = JSON.parse(text.slice(at, value - 1)) as string
      // An escape in it would be another key than it looks like.
      if (key.length !== raw.length) return -1
      keys.push(key)
      outputs.push(parse(text.slice(value, end), hasLong) as TxOutJson)
      starts.push(at)
    } catch {
      return -1
    }
    if (end >= until || text.charCodeAt(end) === CLOSE) return end
    at = end + 1
  }
}

/** Reads one output; null where it is not valid JSON, or not written as nodes write it. */
export function readSlice(text: string, at: number): OutputMember | null {
  const slice: Slice = { keys: [], outputs: [], starts: [] }
  const end = readOutputs(text, at, at, slice)
  return end < 0 ? null : { key: slice.keys[0]!, output: slice.outputs[0]!, end }
}

/** Receives the outputs of a text, in its order. */
export interface OutputSink {
  readonly size: number
  addAll(keys: readonly string[], outputs: readonly TxOutJson[]): void
}

/** Outputs by key that are only compared with others, and not kept. */
export class OutputMap extends Map<string, TxOutJson> implements OutputSink {
  addAll(keys: readonly string[], outputs: readonly TxOutJson[]): void {
    for (let n = 0; n < keys.length; n++) this.set(keys[n]!, outputs[n]!)
  }
}

/** Reads all outputs of a text, slice by slice, so that other tasks can run in between. */
export class OutputSlices {
  readonly text: string
  /** Index in the text at which each output begins. */
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
   * Reads outputs of at least `characters` characters, or the rest. Returns false where they are invalid, or not
   * written as nodes write them; the text then has to be read as a whole.
   *
   * @throws the errors of the sink
   */
  read(characters: number): boolean {
    if (this.end >= 0) return true
    const { text } = this
    const slice: Slice = { keys: [], outputs: [], starts: [] }
    const end = readOutputs(text, this.#at, this.#at + characters, slice)
    if (end < 0) return false
    if (text.charCodeAt(end) === CLOSE) this.end = end
    this.#at = end + 1
    this.#note(slice.starts)
    this.#sink.addAll(slice.keys, slice.outputs)
    // Fewer where one stands there twice.
    return this.#sink.size === this.count
  }

  #note(starts: readonly number[]): void {
    const count = this.count + starts.length
    if (count > this.starts.length) {
      const more = new Uint32Array(Math.max(count, 2 * this.starts.length))
      more.set(this.starts)
      this.starts = more
    }
    this.starts.set(starts, this.count)
    this.count = count
  }
}
