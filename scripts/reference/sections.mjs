// What pages of the reference are put together from.
import { withLinks, withoutTags } from './docText.mjs'
import { callableOf, parametersOf } from './fields.mjs'
import { hrefOf, linksFrom } from './links.mjs'
import { folderOf } from './model.mjs'
import { sinceText } from './released.mjs'
import { typeMarkdown } from './typeText.mjs'

export const fence = (code) => ['```ts', code, '```', '']

/** Lines of Markdown from nested lists of them. */
export const pageOf = (...parts) =>
  `${parts
    .flat(Infinity)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`

/** What a page needs to know about where it is. */
export function contextOf(reference, path, entry, specifierOf) {
  const links = linksFrom(reference, path, entry)
  const text = (given) => withoutTags(withCodes(withLinks(given, links.ofName), reference, path))
  return { reference, path, entry, links, specifier: specifierOf(entry), specifierOf, text }
}

/** An error's code in a text leads to its section, too. */
const withCodes = (text, reference, path) =>
  text.replace(/(?<!\[)`([A-Z]+_[A-Z0-9_]+)`/g, (shown, code) => {
    const error = reference.items.find(({ codes }) => codes.includes(code))
    return error === undefined
      ? shown
      : `[${shown}](${hrefOf(path, { path: 'errors.md', anchor: code.toLowerCase() })})`
  })

/** Path of the page that lists an entry's names. */
export const roomPathOf = (entry) => (entry === 'index' ? 'reference/index.md' : `${folderOf(entry)}.md`)

/** Where one is: the entry, what kind of thing it is, and the release that brought it. */
export const placeOf = (context, kind, since) => [
  `[${context.specifier}](${hrefOf(context.path, { path: roomPathOf(context.entry) })}) · ${kind} · ${sinceText(since)}`,
  ''
]

export const importOf = (context, name, isType = false) => [
  '## Import',
  '',
  ...fence(`import ${isType ? 'type ' : ''}{ ${name} } from '${context.specifier}'`)
]

/** Examples as the site shows them: that a test only compiles one is not the reader's business. */
export function examplesOf(context, examples, note = '') {
  if (examples.length === 0) return []
  return [
    '## Example',
    '',
    note,
    '',
    ...examples.flatMap((example) => [context.text(example).replace(/^```ts no-run$/gm, '```ts'), ''])
  ]
}

export const seeOf = (context, sees) =>
  sees.length === 0 ? [] : ['## See', '', ...sees.map((each) => `- ${context.text(each)}`), '']

/** A line for each @throws: the codes of the errors that it names, with links to their sections in docs/errors.md. */
export function errorsOf(context, throws) {
  if (throws.length === 0) return []
  const line = (text) => {
    const codes = [...text.matchAll(/\{@link ([\w.]+)/g)].flatMap(
      ([, name]) => context.reference.byName(name, context.entry)?.codes ?? []
    )
    const named = [...new Set(codes)].map(
      (code) => `[\`${code}\`](${hrefOf(context.path, { path: 'errors.md', anchor: code.toLowerCase() })})`
    )
    return `- ${[named.join(', '), withoutTags(withLinks(text, () => undefined))].filter(Boolean).join(': ')}`
  }
  return ['## Errors', '', ...throws.map(line), '']
}

/** Parameters and result of what can be called; `declarations` are its overloads. */
export function callSections(context, declarations, doc, { result = true } = {}) {
  const { checker } = context.reference
  const callables = declarations.map(callableOf).filter(Boolean)
  const parameters = new Map()
  for (const callable of callables) {
    for (const each of parametersOf(checker, callable, doc, context.links))
      if (!parameters.has(each.name)) parameters.set(each.name, each)
  }
  const results = new Set(
    callables.flatMap(({ type }) => (type === undefined ? [] : [typeMarkdown(type, checker, context.links.ofSymbol)]))
  )
  return [
    parameters.size === 0
      ? []
      : ['## Parameters', '', ...[...parameters.values()].flatMap((each) => parameterSection(context, each))],
    !result || results.size === 0
      ? []
      : ['## Returns', '', [...results].join(' or '), '', context.text(doc.returns), '']
  ]
}

const labelled = (label, value) => (value === '' ? [] : [`- **${label}:** ${value}`])
const asCode = (text) => (text === '' ? '' : `\`${text.replace(/^`|`$/g, '')}\``)

function parameterSection(context, { name, type, optional, default: value, unit, text }) {
  return [
    `### ${name}`,
    '',
    ...labelled('Type', `${type}${optional ? ', optional' : ''}`),
    ...labelled('Default', defaultOf(context, value)),
    ...labelled('Unit', unit),
    '',
    context.text(text),
    ''
  ]
}

/** A value as code; where words follow it, or explain it alone, they stay words. */
function defaultOf(context, value) {
  const [, literal, rest] = /^(-?\d[\d_.]*n?|'[^']*'|true|false|null|\[\]|\{\})(.*)$/.exec(value) ?? [null, '', value]
  return `${asCode(literal)}${context.text(rest)}`
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim()
export const cell = (text) => oneLine(text).replaceAll('|', '\\|')

/** The first paragraph of a docstring, for lists. */
export const summaryOf = (context, doc) => cell(context.text(doc.text.split(/\n\n|\n```/)[0]))

/** A table of the fields of a type; default and unit stand behind what the field means. */
export function fieldTable(context, fields) {
  if (fields.length === 0) return []
  const row = ({ name, type, optional, default: value, unit, text, throws }) => {
    const notes = [
      value === '' ? '' : `Default: ${defaultOf(context, value)}.`,
      unit === '' ? '' : `Unit: ${unit}.`,
      ...throws.map((each) => `Throws ${context.text(each)}.`)
    ]
    return `| \`${name}${optional ? '?' : ''}\` | ${type} | ${cell([context.text(text), ...notes].filter(Boolean).join(' '))} |`
  }
  return ['| Field | Type | Meaning |', '|---|---|---|', ...fields.map(row), '']
}

/** A table of links with a line about each. */
export function linkTable(context, title, rows) {
  if (rows.length === 0) return []
  return [
    `## ${title}`,
    '',
    '| Name | What it is |',
    '|---|---|',
    ...rows.map(
      ({ name, target, doc }) => `| [\`${name}\`](${hrefOf(context.path, target)}) | ${summaryOf(context, doc)} |`
    ),
    ''
  ]
}
