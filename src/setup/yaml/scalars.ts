/** Returns a text without the comment at its end; a `#` inside quotes or within a word begins no comment. */
export function withoutComment(text: string): string {
  if (text.startsWith('#')) return ''
  let quote: string | null = null
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (quote !== null) {
      if (char === '\\' && quote === '"') at++
      else if (char === quote) quote = null
    } else if ((char === '"' || char === "'") && (at === 0 || /[\s[{,:]/.test(text[at - 1]!))) quote = char
    else if (char === '#' && /\s/.test(text[at - 1]!)) return text.slice(0, at).trimEnd()
  }
  return text.trimEnd()
}

/** Returns the value of a plain or quoted text (YAML 1.2, core schema); undefined for any other text. */
export function scalarOf(text: string): null | boolean | number | string | undefined {
  if (text.startsWith('"')) return doubleQuoted(text)
  if (text.startsWith("'")) return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : undefined
  // Anchors, aliases, tags, directives and reserved marks are no plain texts.
  if (/^[&*!%@`|>,\]}]/.test(text)) return undefined
  if (text === '' || text === '~' || /^null$/i.test(text)) return null
  if (/^true$/i.test(text)) return true
  if (/^false$/i.test(text)) return false
  if (/^[-+]?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) return Number(text)
  return text
}

function doubleQuoted(text: string): string | undefined {
  if (!/^"(?:[^"\\]|\\.)*"$/.test(text)) return undefined
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}
