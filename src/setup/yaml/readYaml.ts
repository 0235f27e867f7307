import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { MAX_FILE_CHARACTERS } from '../limits.js'
import { gatherFlow, readFlow } from './flow.js'
import { scalarOf, withoutComment } from './scalars.js'
import type { YamlMap, YamlValue } from './YamlValue.js'

/** A line that is neither empty nor a comment. */
interface Line {
  readonly indent: number
  readonly text: string
  /** Number of the line, from 1 on. */
  readonly number: number
}

/** Maximum levels of nesting. */
const MAX_DEPTH = 64

/**
 * Reads the part of YAML that configuration files and compose files use: mappings and lists, in blocks and in brackets,
 * plain and quoted texts, numbers, comments, literal blocks. Anchors, tags and several documents are refused with an
 * error that names them.
 *
 * @throws {@link InvalidArgumentError} with the number of the line
 */
export function readYaml(text: string, what: string): YamlValue {
  if (text.length > MAX_FILE_CHARACTERS)
    throw new InvalidArgumentError(what, 'a text of at most 1 MiB', described(`${text.length} characters`))
  const reader = new YamlReader(text, what)
  return reader.document()
}

class YamlReader {
  readonly #raw: readonly string[]
  readonly #lines: Line[]
  readonly #what: string
  #at = 0

  constructor(text: string, what: string) {
    this.#what = what
    this.#raw = text.replace(/^\ufeff/, '').split(/\r?\n/)
    this.#lines = this.#raw.flatMap((raw, i): Line[] => {
      const trimmed = raw.trimStart()
      if (trimmed === '' || trimmed.startsWith('#') || (i === 0 && trimmed.trimEnd() === '---')) return []
      const indent = raw.length - trimmed.length
      if (raw.slice(0, indent).includes('\t')) this.#refuse(i + 1, 'spaces before a value', 'a tab')
      return [{ indent, text: trimmed.trimEnd(), number: i + 1 }]
    })
  }

  document(): YamlValue {
    if (this.#lines.length === 0) return null
    const value = this.#block(this.#lines[0]!.indent, 0)
    const rest = this.#lines[this.#at]
    if (rest !== undefined) this.#refuse(rest.number, 'a value in its column', 'one in another column')
    return value
  }

  #block(indent: number, depth: number): YamlValue {
    const line = this.#lines[this.#at]!
    if (depth > MAX_DEPTH) this.#refuse(line.number, `at most ${MAX_DEPTH} levels`, 'a deeper one')
    if (isItem(line.text)) return this.#list(indent, depth)
    if (keyOf(line.text) !== null) return this.#map(indent, depth)
    this.#at++
    return this.#inline(line.text, line, depth)
  }

  #list(indent: number, depth: number): YamlValue {
    const items: YamlValue[] = []
    for (let line = this.#lines[this.#at]; line?.indent === indent && isItem(line.text); line = this.#lines[this.#at]) {
      const rest = withoutComment(line.text.slice(1).trimStart())
      if (rest === '') {
        this.#at++
        items.push(this.#nested(indent, depth))
      } else if (isItem(rest) || keyOf(rest) !== null) {
        // What follows the dash begins a block of its own, in the column where it stands.
        const column = indent + line.text.length - line.text.slice(1).trimStart().length
        this.#lines[this.#at] = { ...line, indent: column, text: line.text.slice(column - indent) }
        items.push(this.#block(column, depth + 1))
      } else {
        this.#at++
        items.push(this.#inline(line.text.slice(1).trimStart(), line, depth))
      }
    }
    return items
  }

  #map(indent: number, depth: number): YamlMap {
    const map = new Map<string, YamlValue>()
    for (let line = this.#lines[this.#at]; line?.indent === indent; line = this.#lines[this.#at]) {
      const found = keyOf(line.text)
      if (found === null) this.#refuse(line.number, 'a key and a colon', 'something else')
      const { key, rest } = found
      if (map.has(key)) this.#refuse(line.number, 'each key once', `${shown(key)} a second time`)
      this.#at++
      const bare = withoutComment(rest)
      if (bare === '') map.set(key, this.#nested(indent, depth, true))
      else if (/^[|>][+-]?$/.test(bare)) map.set(key, this.#literal(indent, bare, line.number))
      else map.set(key, this.#inline(rest, line, depth))
    }
    return map
  }

  /** Reads the block below a key or a dash; null where there is none. A list may begin in the column of its key. */
  #nested(indent: number, depth: number, mayAlign = false): YamlValue {
    const next = this.#lines[this.#at]
    if (next === undefined) return null
    if (next.indent > indent) return this.#block(next.indent, depth + 1)
    return mayAlign && next.indent === indent && isItem(next.text) ? this.#list(indent, depth + 1) : null
  }

  #inline(text: string, line: Line, depth: number): YamlValue {
    if (/^[[{]/.test(text)) {
      const { flow, lines } = gatherFlow(text, this.#raw.slice(line.number))
      const last = line.number + lines
      while (this.#lines[this.#at] !== undefined && this.#lines[this.#at]!.number <= last) this.#at++
      const read = readFlow(flow, depth, MAX_DEPTH)
      if (read === null) this.#refuse(line.number, 'a list or a mapping whose brackets close', 'open brackets')
      return read.value
    }
    const next = this.#lines[this.#at]
    if (next !== undefined && next.indent > line.indent)
      this.#refuse(next.number, 'a text on one line', 'one that goes on')
    const scalar = scalarOf(withoutComment(text))
    if (scalar === undefined) this.#refuse(line.number, 'a text, a number or a quoted text', 'another form of YAML')
    return scalar
  }

  /** Reads a literal block (`|`), which keeps its line ends, or a folded one (`>`), whose line ends become spaces. */
  #literal(indent: number, mark: string, keyLine: number): string {
    const rows: string[] = []
    for (const raw of this.#raw.slice(keyLine)) {
      if (raw.trim() !== '' && indentOf(raw) <= indent) break
      rows.push(raw)
    }
    while (this.#lines[this.#at] !== undefined && this.#lines[this.#at]!.number <= keyLine + rows.length) this.#at++
    const column = indentOf(rows.find((row) => row.trim() !== '') ?? '')
    const body = rows
      .map((row) => row.slice(column))
      .join(mark.startsWith('>') ? ' ' : '\n')
      .trimEnd()
    return mark.endsWith('-') || body === '' ? body : `${body}\n`
  }

  #refuse(line: number, expected: string, got: string): never {
    throw new InvalidArgumentError(`${this.#what}, line ${line}`, expected, got)
  }
}

const indentOf = (raw: string): number => raw.length - raw.trimStart().length
const isItem = (text: string): boolean => text === '-' || text.startsWith('- ')
const shown = (key: string): string => (key.length <= 24 ? key : `a key of ${key.length} characters`)

/** Returns the key at the beginning of a line and the text after its colon; null where the line has none. */
function keyOf(text: string): { readonly key: string; readonly rest: string } | null {
  const [quotes] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(text) ?? []
  if (quotes === undefined && !/^([^\s"'[\]{},#&*!|>%@`-]|-\S)/.test(text)) return null
  const colon = colonAt(text, quotes?.length ?? 0)
  if (colon < 0) return null
  const key = text.slice(0, colon).trimEnd()
  const rest = text.slice(colon + 1).trim()
  if (quotes === undefined) return { key, rest }
  const name = scalarOf(quotes)
  return key === quotes && typeof name === 'string' ? { key: name, rest } : null
}

/**
 * Returns the index of the colon that ends a key: the first one before a space or the end of the line, and before a
 * comment.
 */
function colonAt(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === ':' && (at + 1 === text.length || /\s/.test(text[at + 1]!))) return at
    if (text[at] === '#' && at > 0 && /\s/.test(text[at - 1]!)) return -1
  }
  return -1
}
