import { InvalidArgumentError, InvalidJsonError } from '../errors/input.js'

/** Deepest nesting of arrays and objects that is read or written; the node's own messages stay below 40. */
const MAX_DEPTH = 256
export const QUOTE = 34
export const BACKSLASH = 92
export const COLON = 58
export const LETTER_N = 110
const LETTER_U = 117
/**
 * Maximum number of digits of an integer: the time to read one grows with the square of its length. The ledger's
 * own have at most 20.
 */
const MAX_DIGITS = 4_096

/** Place of a long whole number in a text: from its sign to the end of its digits. */
interface Span {
  start: number
  end: number
}

/** Limits of a text; `what` is its name in errors. */
export interface JsonBounds {
  readonly what: string
  /** Levels of arrays and objects. */
  readonly depth: number
  /** Digits of an integer. */
  readonly digits: number
}

/** Returns true for a character of a number after its first digits: a digit, or one of `+ - . E e`. */
export function continuesNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 46 || code === 43 || code === 45 || code === 69 || code === 101
}

/** Returns the index of the quote that ends the string beginning at `start`; the length of the text without one. */
export function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    // An even number of backslashes: none of them escapes the quote.
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

/** Adds a number of 16 or more characters to `found` when it is a valid whole number that a double cannot hold. */
function noteInteger(text: string, start: number, end: number, found: Span[], { what, digits }: JsonBounds): void {
  const literal = text.slice(start, end)
  if (!/^-?[1-9]\d*$/.test(literal) || Number.isSafeInteger(Number(literal))) return
  if (literal.length > (literal.startsWith('-') ? digits + 1 : digits)) {
    throw new InvalidJsonError(what, {
      expected: `integers of at most ${digits} digits`,
      got: `one of ${end - start} characters`,
      position: start
    })
  }
  // In the place of a key it stays as it is, for JSON.parse to refuse.
  let next = end
  while (next < text.length && text.charCodeAt(next) <= 32) next++
  if (text[next] !== ':') found.push({ start, end })
}

/**
 * Scans the text once: rejects texts that nest too deeply, and returns the places of integers that a double cannot
 * hold. It runs over every message, so it is written for speed. For malformed text its result may be wrong, but
 * JSON.parse refuses such text afterwards.
 */
function scan(text: string, bounds: JsonBounds): Span[] {
  const found: Span[] = []
  const length = text.length
  let depth = 0
  let at = 0
  while (at < length) {
    const code = text.charCodeAt(at++)
    if (code === QUOTE) {
      const start = at - 1
      at = text.indexOf('"', at) + 1
      if (at === 0) return found
      if (text.charCodeAt(at - 2) === BACKSLASH) at = stringEnd(text, start) + 1
      // Most fields of the node's outputs are null.
      if (text.charCodeAt(at) === COLON && text.charCodeAt(at + 1) === LETTER_N) at += 5
    } else if (code <= 57) {
      if (code < 48 && code !== 45) continue
      const start = at - 1
      while (at < length && continuesNumber(text.charCodeAt(at))) at++
      if (at - start >= 16) noteInteger(text, start, at, found, bounds)
    } else if (code === 123 || code === 91) {
      if (++depth > bounds.depth)
        throw new InvalidJsonError(bounds.what, {
          expected: `at most ${bounds.depth} levels of nesting`,
          got: 'more',
          position: at - 1
        })
    } else if (code === 125 || code === 93) depth--
  }
  return found
}

const MARKS_FROM = 0xe000
const MARKS_TO = 0xf8ff

/** Returns the value of a hex digit in either case; an arbitrary number for another character. */
function hexDigit(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87
}

/**
 * Returns a private-use character that no string of the text contains, neither plainly nor as an escape. It marks the
 * strings that replace large integers. The text is scanned once for all candidates.
 */
function unusedCharacter(text: string, what: string): string {
  const first = String.fromCharCode(MARKS_FROM)
  if (!text.includes(first) && !/\\u[ef]/i.test(text)) return first
  const usedMarks = new Uint8Array(MARKS_TO - MARKS_FROM + 1)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= MARKS_FROM && code <= MARKS_TO) usedMarks[code - MARKS_FROM] = 1
    else if (code === BACKSLASH && text.charCodeAt(at + 1) === LETTER_U) {
      let escaped = 0
      // Broken digits are JSON.parse's to refuse.
      for (let digit = at + 2; digit < at + 6; digit++) escaped = escaped * 16 + hexDigit(text.charCodeAt(digit))
      if (escaped >= MARKS_FROM && escaped <= MARKS_TO) usedMarks[escaped - MARKS_FROM] = 1
    }
  }
  const free = usedMarks.indexOf(0)
  if (free >= 0) return String.fromCharCode(MARKS_FROM + free)
  throw new InvalidJsonError(what, { expected: 'text beside its large integers', got: 'every private-use character' })
}

/** Replaces the strings that begin with `mark` by the integers that they contain, in place. */
function restore(value: unknown, mark: number): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === mark ? BigInt(value.slice(1)) : value
  if (typeof value !== 'object' || value === null) return value
  const record = value as Record<string, unknown>
  for (const key of Object.keys(record)) {
    const before = record[key]
    if (typeof before !== 'string' && typeof before !== 'object') continue
    const after = restore(before, mark)
    if (after === before) continue
    // Defined, not assigned: it is plain data.
    if (key === '__proto__')
      Object.defineProperty(record, key, { value: after, writable: true, enumerable: true, configurable: true })
    else record[key] = after
  }
  return value
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The runtime's own message may quote the text, and the text may hold a secret: only the position is repeated.
    const position = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? -1)
    throw new InvalidJsonError(what, {
      expected: 'JSON',
      got: `${text.length} characters that are not valid JSON`,
      position
    })
  }
}

/**
 * Reads JSON without losing integers: a whole number beyond 2^53 - 1 in magnitude becomes a bigint, every other number
 * stays a number. `what` names the text in the error.
 *
 * @throws {@link InvalidJsonError} on malformed text, on more than 256 levels of nesting and on integers of more than
 * 4,096 digits, before a value is built.
 * @example
 * ```ts
 * import { parseJson } from 'layer-sdk/bridge'
 * console.log(parseJson('{ "lovelace": 9223372036854775807 }')) // { lovelace: 9223372036854775807n }
 * ```
 */
export function parseJson(text: string, what = 'The text'): unknown {
  return parseJsonWithin(text, { what, depth: MAX_DEPTH, digits: MAX_DIGITS })
}

/**
 * Reads JSON as {@link parseJson} does, with other limits. Schemas of Plutus data and scripts need them: they nest
 * several arrays and objects for each level, and datums contain large integers.
 */
export function parseJsonWithin(text: string, bounds: JsonBounds): unknown {
  const { what } = bounds
  if (typeof what !== 'string') throw new InvalidArgumentError('what', 'a string', what)
  if (typeof text !== 'string') throw new InvalidJsonError(what, { expected: 'a string', got: `a ${typeof text}` })
  const large = scan(text, bounds)
  if (large.length === 0) return parse(text, what)
  // JSON.parse is several times faster than any parser written in JavaScript: it reads the large integers as marked
  // strings.
  const mark = unusedCharacter(text, what)
  const parts: string[] = []
  let from = 0
  for (const { start, end } of large) {
    parts.push(text.slice(from, start), `"${mark}`, text.slice(start, end), '"')
    from = end
  }
  parts.push(text.slice(from))
  return restore(parse(parts.join(''), what), mark.charCodeAt(0))
}

function tooDeep(): never {
  throw new InvalidJsonError('The value', { expected: `at most ${MAX_DEPTH} levels and no cycle`, got: 'more' })
}

function write(input: unknown, key: string, depth: number): string | undefined {
  let value = input
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') {
    value = toJSON.call(value, key) as unknown
    if (typeof value === 'bigint') return value.toString()
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  }
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return JSON.stringify(value)
  if (depth >= MAX_DEPTH) tooDeep()
  if (Array.isArray(value))
    return `[${Array.from(value, (item, index) => write(item, String(index), depth + 1) ?? 'null').join(',')}]`
  const members: string[] = []
  for (const name of Object.keys(value)) {
    const text = write((value as Record<string, unknown>)[name], name, depth + 1)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/**
 * Writes JSON as `JSON.stringify` does, and a bigint as a bare whole number.
 *
 * @throws {@link InvalidJsonError} on a cycle, on more than 256 levels of nesting, and on values that JSON cannot
 * express.
 * @example
 * ```ts
 * import { stringifyJson } from 'layer-sdk/bridge'
 * console.log(stringifyJson({ lovelace: 2n ** 63n - 1n })) // {"lovelace":9223372036854775807}
 * ```
 */
export function stringifyJson(value: unknown): string {
  const text = write(value, '', 0)
  if (text === undefined)
    throw new InvalidJsonError('The value', { expected: 'a value that JSON can hold', got: typeof value })
  return text
}
