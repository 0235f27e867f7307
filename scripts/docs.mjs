// Writes docs/reference/<entry>.md from the docstrings, docs/errors.md from the error classes and the tables of
// docs/protocol.md from those of the bridge; with --check, fails when one is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { renderDoc, signatureOf } from './docstring.mjs'
import { libraryEntries, readJson, ROOT, specifierOf } from './entries.mjs'
import { ERROR_INDEX, renderErrorPage, updateErrorIndex } from './error-index.mjs'
import { llmsIndex } from './llms.mjs'
import { protocolPage } from './protocol-tables.mjs'
import { introductions } from './reference/introduction.mjs'
import { hrefOf } from './reference/links.mjs'
import { readReference } from './reference/model.mjs'
import { capitalised, sinceText } from './reference/released.mjs'

const check = process.argv.includes('--check')
const entries = Object.keys(libraryEntries)
const files = Object.fromEntries(entries.map((name) => [name, join(ROOT, 'dist', `${name}.d.ts`)]))
const reference = readReference({ files, released: readJson('etc/released.json') })
const { checker, exportsOf } = reference
const introductionOf = introductions()

/**
 * Address of what a docstring of an entry names, from the page at `path`: an error's section, or the heading of a name
 * on the page of its entry.
 */
const linksFrom = (path, entry) => (name) => {
  const target = reference.byName(name, entry)
  if (target === undefined) return undefined
  const item = target.owner ?? target
  // Its own page shows it too where the entry only passes it on; the root's page leaves out what others have.
  const home = item.entries.includes(entry) && entry !== 'index' ? entry : item.entry
  const place =
    item.kind === 'error'
      ? { path: item.path, anchor: item.anchor }
      : { path: `reference/${home}.md`, anchor: item.name.toLowerCase() }
  return hrefOf(path, place)
}

const KINDS = [
  ['Classes', (d) => ts.isClassDeclaration(d)],
  ['Functions', (d) => ts.isFunctionDeclaration(d)],
  ['Constants', (d) => ts.isVariableDeclaration(d)],
  ['Types', (d) => ts.isInterfaceDeclaration(d) || ts.isTypeAliasDeclaration(d)]
]

/** An interface whose members all come from elsewhere, as those of a message from the table of messages. */
const isDerived = (declaration) =>
  ts.isInterfaceDeclaration(declaration) &&
  declaration.members.length === 0 &&
  declaration.heritageClauses !== undefined

const FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType
const propertiesOf = (declaration) => checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(declaration.symbol))

/** A member as it would be declared. */
function memberText(property) {
  const type = checker.getTypeOfSymbol(property)
  const optional = (property.flags & ts.SymbolFlags.Optional) !== 0
  return `${property.name}${optional ? '?' : ''}: ${checker.typeToString(optional && type.isUnion() ? checker.getNonNullableType(type) : type, undefined, FORMAT)}`
}

const sinceOf = (symbol) => reference.itemOf(symbol).since

/** The declaration; what a table of the source gives is written out. */
function renderSignature(declaration) {
  if (isDerived(declaration)) {
    const [name, ...parameters] = [declaration.name, ...(declaration.typeParameters ?? [])].map((each) =>
      each.getText()
    )
    const head = parameters.length === 0 ? name : `${name}<${parameters.join(', ')}>`
    return [`interface ${head} {`, ...propertiesOf(declaration).map((each) => `    ${memberText(each)};`), '}'].join(
      '\n'
    )
  }
  const type = checker.getDeclaredTypeOfSymbol(declaration.symbol)
  if (
    ts.isTypeAliasDeclaration(declaration) &&
    ts.isIndexedAccessTypeNode(declaration.type) &&
    type.isUnion() &&
    !type.types.some((each) => each.isLiteral())
  ) {
    const arms = type.types.map((each) => `  | { ${checker.getPropertiesOfType(each).map(memberText).join('; ')} }`)
    return [`type ${declaration.name.text} =`, ...arms].join('\n')
  }
  return signatureOf(declaration)
}

/** Docstrings of a class's or interface's members that have one. */
function renderMembers(declaration, links) {
  if (!ts.isClassDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return ''
  if (isDerived(declaration)) {
    // What all messages share is said once, at their list.
    const own = propertiesOf(declaration).filter(
      (each) => !each.declarations?.some((at) => ts.isInterfaceDeclaration(at.parent))
    )
    const texts = own.map((each) => [each.name, ts.displayPartsToString(each.getDocumentationComment(checker))])
    return texts.flatMap(([name, text]) => (text === '' ? [] : [`**\`${name}\`** ${text}`])).join('\n\n')
  }
  const rows = []
  for (const member of declaration.members) {
    const doc = renderDoc(member, links)
    if (doc === '') continue
    const name = ts.isConstructorDeclaration(member) ? 'constructor' : member.name?.getText()
    if (name) rows.push(`**\`${name}\`** ${doc}`)
  }
  return rows.join('\n\n')
}

function renderEntry(name) {
  const elsewhere = name === 'index' ? homes() : new Map()
  const links = linksFrom(`reference/${name}.md`, name)
  const symbols = exportsOf(name).filter((each) => !elsewhere.has(each.name))
  const lines = [
    `# ${specifierOf(name)}`,
    '',
    'Generated by `npm run docs` from the docstrings.',
    '',
    introductionOf.get(name),
    '',
    ...renderHomes(elsewhere)
  ]
  for (const [title, matches] of KINDS) {
    const group = symbols.filter(({ symbol }) => symbol.declarations?.some(matches))
    if (group.length === 0) continue
    lines.push(`## ${title}`, '')
    for (const { name: exported, symbol } of group) {
      const declarations = symbol.declarations.filter(matches)
      lines.push(`### ${exported}`, '')
      const doc = declarations.map((each) => renderDoc(each, links)).find((text) => text !== '')
      lines.push(...(doc === undefined ? [] : [doc, '']), `${capitalised(sinceText(sinceOf(symbol)))}.`, '')
      lines.push('```ts no-run', ...declarations.map(renderSignature), '```', '')
      const members = declarations
        .map((each) => renderMembers(each, links))
        .filter(Boolean)
        .join('\n\n')
      if (members !== '') lines.push(members, '')
    }
  }
  return (
    lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trimEnd() + '\n'
  )
}

/** Which entry documents each name that the root entry passes on. */
function homes() {
  const passedOn = new Set(exportsOf('index').map(({ name }) => name))
  const found = new Map()
  for (const entry of ['wallet', 'utils', 'providers', 'bridge']) {
    for (const { name } of exportsOf(entry)) if (passedOn.has(name) && !found.has(name)) found.set(name, entry)
  }
  return found
}

/** The names of the root entry that are documented elsewhere, entry by entry. */
function renderHomes(found) {
  const byEntry = groupByEntry(found)
  return [...byEntry].flatMap(([entry, names]) => [
    `From [${specifierOf(entry)}](${entry}.md): ${names.map(([name]) => `\`${name}\``).join(', ')}.`,
    ''
  ])
}

function groupByEntry(found) {
  const groups = new Map()
  for (const pair of found) groups.set(pair[1], [...(groups.get(pair[1]) ?? []), pair])
  return groups
}

const pages = Object.fromEntries(entries.map((name) => [`docs/reference/${name}.md`, renderEntry(name)]))
pages['docs/errors.md'] = renderErrorPage(linksFrom('errors.md', 'index'))
pages['docs/protocol.md'] = protocolPage()
pages['docs/llms.txt'] = llmsIndex(pages)
mkdirSync(join(ROOT, 'docs', 'reference'), { recursive: true })
let stale = updateErrorIndex(check)
if (stale && !check) console.log(`${ERROR_INDEX} written`)
for (const [path, text] of Object.entries(pages)) {
  const target = join(ROOT, path)
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue
  if (check) console.error(`${path} is stale: run \`npm run docs\` and commit it.`)
  else {
    writeFileSync(target, text)
    console.log(`${path} written`)
  }
  stale = true
}
if (!stale) console.log(`${Object.keys(pages).length} pages are up to date`)
process.exit(check && stale ? 1 : 0)
