// Writes the tables of messages and commands into docs/protocol.md, from the tables and the comments of
// src/bridge/protocol. With --check, fails when they are stale. `npm run docs` does the same.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { ROOT } from './entries.mjs'

const PAGE = 'docs/protocol.md'
const parse = (name) => {
  const path = join(ROOT, 'src', 'bridge', 'protocol', `${name}.ts`)
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true)
}

/** A constant of a file, without `as const`. */
function constantOf(file, name) {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue
    const found = statement.declarationList.declarations.find((each) => each.name.getText() === name)
    if (found) return withoutCast(found.initializer)
  }
  throw new Error(`${file.fileName} has no constant ${name}`)
}

const withoutCast = (node) => (ts.isAsExpression(node) ? withoutCast(node.expression) : node)

/**
 * The value of a literal, with the comment of each of its rows under `doc`; names stand for constants of the same file.
 */
function valueOf(node, file) {
  const value = withoutCast(node)
  if (ts.isStringLiteral(value)) return value.text
  if (ts.isArrayLiteralExpression(value)) return value.elements.map((each) => valueOf(each, file))
  if (ts.isObjectLiteralExpression(value)) {
    return Object.fromEntries(
      value.properties.flatMap((each) => {
        if (ts.isSpreadAssignment(each)) return Object.entries(tableNamed(each.expression.text, file))
        return ts.isPropertyAssignment(each) ? [[each.name.text, { ...row(each, file) }]] : []
      })
    )
  }
  if (ts.isIdentifier(value) && /^[A-Z]/.test(value.text)) return valueOf(constantOf(file, value.text), file)
  return undefined
}

/** A table by its name: of the file itself, or of another file of the folder that this one imports. */
function tableNamed(name, file) {
  const from = file.statements
    .filter(ts.isImportDeclaration)
    .find((each) => each.importClause?.namedBindings?.elements?.some((element) => element.name.text === name))
  if (from === undefined) return valueOf(constantOf(file, name), file)
  const found = parse(from.moduleSpecifier.text.slice(2, -'.js'.length))
  return valueOf(constantOf(found, name), found)
}

const row = (property, file) => ({ doc: docOf(property), value: valueOf(property.initializer, file) })
const docOf = (node) => (ts.getTextOfJSDocComment((node.jsDoc ?? []).at(-1)?.comment) ?? '').replace(/\s+/g, ' ').trim()

/** Rows of a table: its name, its comment, and its columns. */
function rowsOf(fileName, table) {
  const file = parse(fileName)
  const rows = valueOf(constantOf(file, table), file)
  return Object.entries(rows).map(([name, { doc, value }]) => {
    const columns = Object.fromEntries(Object.entries(value).map(([column, cell]) => [column, cell.value]))
    if (doc === '') throw new Error(`${fileName}: ${name} has no comment`)
    for (const [field, cell] of Object.entries(columns.fields ?? {})) {
      if (cell.doc === '' && !new RegExp(`\`${field}\``).test(doc))
        throw new Error(`${fileName}: nothing says what ${field} of ${name} is`)
    }
    return { name, doc, ...columns }
  })
}

function versions({ since, until, source }) {
  if (source !== undefined) return `none: a ${source}`
  if (since === 'master') return since
  if (since === undefined) return until === undefined ? 'all' : `to ${until}`
  return until === undefined ? `${since}+` : `${since} to ${until}`
}

/** Names of fields; what a message is refused without stands in bold. */
function members({ headId, fields = {} }) {
  const own = Object.entries(fields).map(([name, { value }]) => ({
    name,
    essential: value.check?.value === 'essential'
  }))
  const all = headId === undefined ? own : [{ name: 'headId', essential: headId === 'essential' }, ...own]
  return all.map(({ name, essential }) => (essential ? `**\`${name}\`**` : `\`${name}\``)).join(', ')
}

function states({ states: allowed }) {
  if (allowed === 'any') return 'any'
  return allowed.length === 0 ? 'none' : allowed.map((state) => `\`${state}\``).join(', ')
}

const table = (head, rows) =>
  [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`)
  ].join('\n')

function tables() {
  return {
    messages: table(
      ['Message', 'Nodes', 'Members', 'What it says'],
      rowsOf('messageTable', 'MESSAGES').map((each) => [`\`${each.name}\``, versions(each), members(each), each.doc])
    ),
    commands: table(
      ['Command', 'Nodes', 'Carries', 'Taken while the head is', 'What it does'],
      rowsOf('commandTable', 'COMMANDS').map((each) => [
        `\`${each.name}\``,
        versions(each),
        members(each),
        states(each),
        each.doc
      ])
    )
  }
}

/** The page with its tables as they are in the source now. */
export function protocolPage() {
  let text = readFileSync(join(ROOT, PAGE), 'utf8')
  for (const [name, lines] of Object.entries(tables())) {
    const [begin, end] = [`<!-- ${name}: from the source, by npm run docs -->`, `<!-- end of ${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the table of ${name}`)
    text = `${text.slice(0, from + begin.length)}\n\n${lines}\n\n${text.slice(to)}`
  }
  return text
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const target = join(ROOT, PAGE)
  const text = protocolPage()
  const stale = readFileSync(target, 'utf8') !== text
  if (stale && process.argv.includes('--check')) {
    console.error(`${PAGE} is stale: run \`node scripts/protocol-tables.mjs\` and commit it.`)
    process.exitCode = 1
  } else if (stale) writeFileSync(target, text)
}
