import { BACKSLASH, COLON, LETTER_N, QUOTE, continuesNumber, stringEnd } from './json.js'

/** Number of characters from which a number may be beyond 2^53 - 1. */
const LONG_NUMBER = 16

/** End of an object in a text, see {@link objectEnd}. */
export interface ObjectSpan {
  /** Index after the closing brace of the object; -1 when there is none, or when the object nests too deeply. */
  end: number
  /** True when the object may contain integers beyond 2^53 - 1, so that only `parseJson` reads it without loss. */
  hasLong: boolean
}

/**
 * Finds the end of the object that begins at `start`, writes it to `span` and returns `span`. `depth`: maximum nesting.
 * The text is not validated: the result is correct only for text that `JSON.parse` accepts.
 */
export function objectEnd(text: string, start: number, depth: number, span: ObjectSpan): ObjectSpan {
  const { length } = text
  let open = 0
  let at = start
  span.end = -1
  span.hasLong = false
  while (at < length) {
    const code = text.charCodeAt(at++)
    if (code === QUOTE) {
      const from = at - 1
      at = text.indexOf('"', at) + 1
      if (at === 0) return span
      if (text.charCodeAt(at - 2) === BACKSLASH) at = stringEnd(text, from) + 1
      // Most fields of the node's outputs are null.
      if (text.charCodeAt(at) === COLON && text.charCodeAt(at + 1) === LETTER_N) at += 5
    } else if (code <= 57) {
      if (code < 48 && code !== 45) continue
      const from = at - 1
      while (at < length && continuesNumber(text.charCodeAt(at))) at++
      if (at - from >= LONG_NUMBER) span.hasLong = true
    } else if (code === 123 || code === 91) {
      if (++open > depth) return span
    } else if ((code === 125 || code === 93) && --open === 0) {
      span.end = at
      return span
    }
  }
  return span
}
