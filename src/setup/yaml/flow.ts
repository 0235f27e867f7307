import { scalarOf, withoutComment } from './scalars.js'
import type { YamlValue } from './YamlValue.js'

/**
 * Joins the lines of a value in brackets until the brackets close. `lines`: number of the following lines that belong
 * to it.
 */
export function gatherFlow(first: string, following: readonly string[]): { flow: string; lines: number } {
  const parts = [withoutComment(first)]
  let open = openBrackets(parts[0]!)
  while (open > 0 && parts.length <= following.length) {
    const part = withoutComment(following[parts.length - 1]!.trim())
    open += openBrackets(part)
    parts.push(part)
  }
  return { flow: parts.join(' '), lines: parts.length - 1 }
}

/** Returns the number of brackets that are open at the end of a text. */
function openBrackets(text: string): number {
  let open = 0
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') open++
    else if (token === ']' || token === '}') open--
  }
  return open
}

// Quoted texts, brackets, commas, a colon that ends a key (behind quotes, or before a space), and the words between.
const TOKENS =
  /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[[\]{},]|(?<=["']):|:(?=[\s,\]}]|$)|[^\s[\]{},:"'](?:[^[\]{},:\n]|:(?=[^\s,\]}]))*/g

/** Returns the value of a text in brackets; null where it is malformed or nested too deeply. */
export function readFlow(text: string, depth: number, maxDepth: number): { readonly value: YamlValue } | null {
  const tokens = [...text.matchAll(TOKENS)].map(([token]) => token.trim())
  // Characters that no token holds, such as a quote that does not close, are a fault.
  if (withoutSpaces(tokens.join('')) !== withoutSpaces(text)) return null
  let at = 0
  const fault = Symbol('fault')
  const value = (level: number): YamlValue => {
    if (level > maxDepth) throw fault
    const token = tokens[at++]
    if (token === '[') return list(level)
    if (token === '{') return map(level)
    const scalar = token === undefined || /^[\]},:]$/.test(token) ? undefined : scalarOf(token)
    if (scalar === undefined) throw fault
    return scalar
  }
  const list = (level: number): YamlValue[] => {
    const items: YamlValue[] = []
    while (tokens[at] !== ']') {
      items.push(value(level + 1))
      if (tokens[at] === ',') at++
      else if (tokens[at] !== ']') throw fault
    }
    at++
    return items
  }
  const map = (level: number): YamlValue => {
    const members = new Map<string, YamlValue>()
    while (tokens[at] !== '}') {
      const key = value(level + 1)
      if (typeof key !== 'string' || members.has(key) || tokens[at++] !== ':') throw fault
      members.set(key, value(level + 1))
      if (tokens[at] === ',') at++
      else if (tokens[at] !== '}') throw fault
    }
    at++
    return members
  }
  try {
    const found = value(depth)
    return at === tokens.length ? { value: found } : null
  } catch (error) {
    if (error !== fault) throw error
    return null
  }
}

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '')
