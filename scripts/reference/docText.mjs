// Docstrings taken apart: what an editor shows in a hover, for the pages of the reference.
import ts from 'typescript'

/** Where a tag begins: at the start of a line, or after a blank within one ("Text. @default 10"). */
const TAG = /^ *(?=@\w)|(?<= )(?=@(?:throws|see|default|returns|param|example|beta)\b)/

/**
 * The sections of a comment in their order: its text (tag '') and one for each tag. Lines within a fence are never
 * tags.
 */
export function sectionsOf(comment) {
  const lines = comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
  const sections = [{ tag: '', text: '' }]
  let fenced = false
  for (const line of lines) {
    const fence = /^\s*```/.test(line)
    const pieces = fenced || fence ? [line] : line.split(TAG)
    if (fence) fenced = !fenced
    pieces.forEach((piece, at) => {
      const tag = fenced || fence ? null : /^\s*@(\w+)\s*/.exec(piece)
      if (tag !== null) sections.push({ tag: tag[1], text: piece.slice(tag[0].length) })
      else sections.at(-1).text += `${at === 0 ? '\n' : ''}${piece}`
    })
  }
  return sections.map(({ tag, text }) => ({ tag, text: text.trim() }))
}

/** The last docstring before a declaration; of several variables of one statement it stands before the statement. */
function commentOf(declaration) {
  const holder = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  return (holder.jsDoc ?? []).at(-1)?.getText() ?? ''
}

/** What there is without a docstring. */
export const emptyDoc = () => ({
  text: '',
  params: new Map(),
  returns: '',
  throws: [],
  sees: [],
  default: '',
  examples: [],
  internal: false
})

/**
 * A declaration's docstring: `text`, `params` (name -> { text, default }), `returns`, `throws`, `sees`, `default`,
 * `examples`. `{@link X}` stays as it is written, for the page that shows it knows where X is.
 */
export function parseDoc(declaration) {
  const doc = emptyDoc()
  let param
  let isBeta = false
  for (const { tag, text } of sectionsOf(commentOf(declaration))) {
    const oneLine = text.replace(/\s+/g, ' ')
    if (tag === '') doc.text = text
    else if (tag === 'param') {
      const [, name, rest] = /^\[?([\w.]+)[^\s]*\s*(?:- )?([\s\S]*)$/.exec(text) ?? [null, text, '']
      doc.params.set(name, (param = { text: rest.trim(), default: '' }))
      continue
    } else if (tag === 'default') {
      // Behind a parameter it is that parameter's.
      if (param !== undefined) param.default = oneLine
      else doc.default = oneLine
      continue
    } else if (tag === 'returns') doc.returns = text
    else if (tag === 'throws') doc.throws.push(oneLine)
    else if (tag === 'see') doc.sees.push(oneLine)
    else if (tag === 'example') doc.examples.push(text)
    else if (tag === 'internal') doc.internal = true
    else if (tag === 'beta') isBeta = true
    param = undefined
  }
  if (isBeta) doc.text = `${doc.text}\n\nBeta: it may change after 1.0.`.trim()
  return doc
}

/** Replaces `{@link X}` by a link to the page of X; a name without a page stays as code. */
export const withLinks = (text, hrefOf) =>
  text.replace(/\{@link ([^}|\s]+)\s*(?:\|\s*([^}]*))?\}/g, (_, name, label) => {
    const href = hrefOf(name)
    const shown = `\`${label?.trim() || name}\``
    return href === undefined ? shown : `[${shown}](${href})`
  })

/** Text in which no word looks like a tag of HTML: the site would take `<name>` outside of code for one. */
export const withoutTags = (text) =>
  text
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/<(?=[A-Za-z/!])(?!https?:)/g, '&lt;')))
    .join('')

/** Units of numbers, as docstrings name them; the one that stands first in the text counts. */
const UNITS = [
  [/ms since (?:the )?Unix epoch|Unix time[^.;]*\bms\b/i, 'ms since the Unix epoch'],
  [/\bms\b|\bmilliseconds\b/, 'ms'],
  [/\bseconds\b/, 's'],
  [/\blovelace\b/i, 'lovelace'],
  [/\b[Bb]ytes\b/, 'bytes'],
  [/\b[Ss]lots?\b/, 'slots'],
  [/\b[Ee]pochs?\b/, 'epochs'],
  [/\bcharacters\b/, 'characters'],
  [/\battempts\b/, 'attempts'],
  [/\bbits of entropy\b/, 'bits']
]

/**
 * What a number counts or measures: from its name where that has it, else from its docstring. Of text: hex, where it
 * is. Empty for all else.
 */
export function unitOf(name, type, text) {
  if (/^(string|Hex)( \| undefined)?$/.test(type)) return /(^|[,:(] |CBOR )hex\b/.test(text) ? 'hex' : ''
  if (!/^(number|bigint)\b/.test(type)) return ''
  if (/Ms$/.test(name)) return 'ms'
  if (/Bytes$/.test(name)) return 'bytes'
  const found = UNITS.map(([pattern, unit]) => ({ unit, at: text.search(pattern) })).filter(({ at }) => at >= 0)
  return found.sort((a, b) => a.at - b.at)[0]?.unit ?? ''
}
