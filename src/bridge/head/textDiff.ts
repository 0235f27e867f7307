import { COLON, QUOTE } from '../../codec/json.js'
import type { TxOutJson } from '../protocol/types.js'
import { endsOutput, rawKeyAt, readSlice } from './OutputSlices.js'

const CLOSE = 125
/** Characters that are compared at once. */
const STEP = 16_384
/** Length below which characters are compared one by one. */
const SMALL = 64

/** Common part of a new text's outputs and the known ones. */
export interface Match {
  /** Number of outputs. */
  count: number
  /** Index after them in the new text. */
  end: number
}

/** Outputs of the previous text, as far as they are kept. */
export interface KnownOutputs {
  readonly count: number
  /** Compares the outputs from `index` on with those of a new text from `at` on. */
  match(index: number, text: string, at: number, match: Match): Match
  keyAt(index: number): string
  /** Returns the number of the output with a key, from `index` on; -1 where there is none. */
  find(key: string, index: number): number
}

/** Change from the outputs of one text to those of the next. */
export interface TextChange {
  readonly added: string[]
  readonly outputs: TxOutJson[]
  readonly removed: string[]
  /**
   * The new order of the outputs, as three numbers for each piece: number of its first known output (-1: the next added
   * one), count of its outputs, index in the new text.
   */
  readonly pieces: number[]
  /** Index of the brace that ends the outputs. */
  end: number
}

/** Returns the length of the common part of two texts from two indexes on, at most `limit`. */
function commonLength(a: string, aAt: number, b: string, bAt: number, limit: number): number {
  let length = 0
  const isEqual = (size: number): boolean =>
    a.slice(aAt + length, aAt + length + size) === b.slice(bAt + length, bAt + length + size)
  while (length + STEP <= limit && isEqual(STEP)) length += STEP
  for (let size = STEP; size >= SMALL; size >>= 1) if (length + size <= limit && isEqual(size)) length += size
  while (length < limit && a.charCodeAt(aAt + length) === b.charCodeAt(bAt + length)) length++
  return length
}

/**
 * The previous text, and the index at which each of its outputs begins. Where a new text is equal from the beginning of
 * an output to its end, it has the same output.
 */
export class KnownText implements KnownOutputs {
  readonly text: string
  readonly starts: Uint32Array
  readonly count: number
  readonly #end: number

  /** @param end - index of the brace that ends the outputs */
  constructor(text: string, starts: Uint32Array, count: number, end: number) {
    this.text = text
    this.starts = starts
    this.count = count
    this.#end = end
  }

  match(index: number, text: string, at: number, match: Match): Match {
    const start = this.starts[index]!
    const equal = start + commonLength(this.text, start, text, at, Math.min(this.#end - start, text.length - at))
    let low = index
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#endOf(middle) <= equal) low = middle + 1
      else high = middle
    }
    // The character that ends an output is the same, but after the last one that was compared.
    if (low > index && this.#endOf(low - 1) === equal && !endsOutput(text.charCodeAt(at + equal - start))) low--
    match.count = low - index
    match.end = low > index ? at + this.#endOf(low - 1) - start : at
    return match
  }

  keyAt(index: number): string {
    const start = this.starts[index]! + 1
    return this.text.slice(start, this.text.indexOf('"', start))
  }

  find(key: string, index: number): number {
    for (let at = index; at < this.count; at++) {
      const start = this.starts[at]! + 1
      if (this.text.startsWith(key, start) && this.text.charCodeAt(start + key.length) === QUOTE) return at
    }
    return -1
  }

  /** Returns the known outputs after the next text, with which the one after that is compared. */
  next(text: string, { pieces, end }: TextChange): KnownText {
    const starts = new Uint32Array(countOf(pieces))
    let next = 0
    for (let piece = 0; piece < pieces.length; piece += 3) {
      const [from, count, at] = [pieces[piece]!, pieces[piece + 1]!, pieces[piece + 2]!]
      const shift = from < 0 ? 0 : at - this.starts[from]!
      if (from < 0) starts[next++] = at
      else for (let n = from; n < from + count; n++) starts[next++] = this.starts[n]! + shift
    }
    return new KnownText(text, starts, starts.length, end)
  }

  #endOf(index: number): number {
    return index + 1 < this.count ? this.starts[index + 1]! - 1 : this.#end
  }
}

const SCALAR = '(?:"[^"\\\\\\x00-\\x1f]{0,512}"|null|true|false|-?(?:0|[1-9]\\d{0,14}))'
const objectOf = (value: string): string => {
  const member = `"[^"\\\\\\x00-\\x1f]{0,128}":${value}`
  return `\\{(?:${member}(?:,${member}){0,64})?\\}`
}
/** Matches the usual form of an output, of three levels and without escapes: a match is valid JSON. */
const USUAL_OUTPUT = /* @__PURE__ */ new RegExp(
  objectOf(`(?:${SCALAR}|${objectOf(`(?:${SCALAR}|${objectOf(SCALAR)})`)})`),
  'y'
)

/**
 * The keys of the previous text, in its order. An output never changes, so one whose key is known is not read again;
 * only its validity is checked, and its end is found.
 */
export class KnownKeys implements KnownOutputs {
  readonly keys: readonly string[]

  constructor(keys: readonly string[]) {
    this.keys = keys
  }

  get count(): number {
    return this.keys.length
  }

  match(index: number, text: string, at: number, match: Match): Match {
    match.count = 0
    match.end = at
    for (let n = index; n < this.keys.length; n++) {
      const key = this.keys[n]!
      const start = n === index ? at : match.end + 1
      const value = start + key.length + 3
      if (
        !text.startsWith(key, start + 1) ||
        text.charCodeAt(start) !== QUOTE ||
        text.charCodeAt(value - 2) !== QUOTE ||
        text.charCodeAt(value - 1) !== COLON
      )
        break
      USUAL_OUTPUT.lastIndex = value
      const end = USUAL_OUTPUT.test(text) ? USUAL_OUTPUT.lastIndex : (readSlice(text, start)?.end ?? -1)
      if (end < 0 || !endsOutput(text.charCodeAt(end))) break
      match.count++
      match.end = end
      if (text.charCodeAt(end) === CLOSE) break
    }
    return match
  }

  keyAt(index: number): string {
    return this.keys[index]!
  }

  find(key: string, index: number): number {
    return this.keys.indexOf(key, index)
  }

  /** Returns the known outputs after the next text, with which the one after that is compared. */
  next({ pieces, added }: TextChange): KnownKeys {
    const keys: string[] = []
    let next = 0
    for (let piece = 0; piece < pieces.length; piece += 3) {
      const from = pieces[piece]!
      if (from < 0) keys.push(added[next++]!)
      else for (let n = from; n < from + pieces[piece + 1]!; n++) keys.push(this.keys[n]!)
    }
    return new KnownKeys(keys)
  }
}

function countOf(pieces: readonly number[]): number {
  let count = 0
  for (let piece = 1; piece < pieces.length; piece += 3) count += pieces[piece]!
  return count
}

/** Beyond this share of a text that is new, reading it as a whole is cheaper. */
const MOST_NEW = 0.5

/**
 * Finds the changes from the outputs of one text to those of the next, and reads only these. Null where the text does
 * not follow the form or the order of the one before, or too much of it is new: then it has to be read as a whole.
 *
 * It relies on two things alone. A part that is equal from the beginning of an output on reads the same; and every
 * other part has been parsed by itself. So no text can make it find other outputs than a parse of the whole.
 *
 * @param start - index after the brace that begins the outputs
 * @param isKnown - returns true when `knownOutputs` has a key; true for a few others does no harm
 * @param isStrict - true: returns null also where a known output is written differently, because it may be a different
 * one
 */
export function diffText(
  knownOutputs: KnownOutputs,
  text: string,
  start: number,
  isKnown: (key: string) => boolean,
  isStrict = false
): TextChange | null {
  const change: TextChange = { added: [], outputs: [], removed: [], pieces: [], end: start }
  const match: Match = { count: 0, end: 0 }
  const fresh = new Set<string>()
  const mostNew = text.length * MOST_NEW
  let newCharacters = 0
  let index = 0
  let at = start
  // None at all.
  if (text.charCodeAt(at) === CLOSE) at--
  while (at >= start) {
    if (index < knownOutputs.count && knownOutputs.match(index, text, at, match).count > 0) {
      change.pieces.push(index, match.count, at)
      index += match.count
      at = match.end
    } else {
      const key = rawKeyAt(text, at)
      if (key === null) return null
      const from = isKnown(key) ? knownOutputs.find(key, index) : -1
      if (from > index) {
        while (index < from) change.removed.push(knownOutputs.keyAt(index++))
        continue
      }
      if (isStrict && from >= 0) return null
      // It stood before its place, or stands here twice.
      if (from < 0 && (isKnown(key) || fresh.has(key))) return null
      const member = readSlice(text, at)
      newCharacters += (member?.end ?? Infinity) - at
      if (member === null || newCharacters > mostNew) return null
      change.pieces.push(from, 1, at)
      if (from < 0) {
        fresh.add(member.key)
        change.added.push(member.key)
        change.outputs.push(member.output)
      } else index++
      at = member.end
    }
    if (text.charCodeAt(at) === CLOSE) break
    at++
  }
  change.end = Math.max(at, start)
  while (index < knownOutputs.count) change.removed.push(knownOutputs.keyAt(index++))
  return change
}
