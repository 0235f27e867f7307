import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import ts from 'typescript'

const ROOM = join(__dirname, '..', '..', 'src', 'client')
const files = (readdirSync(ROOM, { recursive: true }) as string[])
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file.endsWith('.ts'))
const parsed = new Map(
  files.map((file) => [
    file,
    ts.createSourceFile(file, readFileSync(join(ROOM, file), 'utf8'), ts.ScriptTarget.ES2022, true)
  ])
)

/** Pairs `folder -> folder` of imports inside the room, type imports too. The doors import all of them. */
function folderPairs(): Set<string> {
  const pairs = new Set<string>()
  for (const [file, { statements }] of parsed) {
    if (file === 'index.ts' || file === 'inner.ts') continue
    for (const statement of statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue
      const specifier = (statement.moduleSpecifier as ts.StringLiteral | undefined)?.text
      if (specifier?.startsWith('.') !== true) continue
      const [from, to] = [posix.dirname(file), posix.dirname(posix.join(posix.dirname(file), specifier))]
      if (from !== to && !to.startsWith('..')) pairs.add(`${from} -> ${to}`)
    }
  }
  return pairs
}

it('finds the folders of the client', () => {
  expect([...folderPairs()]).toContain('actions -> flows')
})

it('has no two folders in the client that import each other', () => {
  const pairs = folderPairs()
  const mutual = [...pairs].filter((pair) => pairs.has(pair.split(' -> ').reverse().join(' -> ')))
  expect(mutual).toEqual([])
})

it('has no context in the client with more than ten members', () => {
  const contexts = [...parsed.values()].flatMap(({ statements }) =>
    statements.flatMap((statement) =>
      (ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)) &&
      statement.name?.text.endsWith('Context') === true
        ? [{ name: statement.name.text, members: statement.members.length }]
        : []
    )
  )
  expect(contexts.map(({ name }) => name)).toContain('ClientContext')
  expect(contexts.filter(({ members }) => members > 10)).toEqual([])
})
