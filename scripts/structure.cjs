// Counts what makes a tree hard to read: `npm run structure` prints it, test/package/structure.test.ts holds it.
// Every import counts as an edge: types, re-exports and import() too.
// CommonJS, because jest loads it as it is.
const { readdirSync, readFileSync } = require('node:fs')
const { join, posix, sep } = require('node:path')
const ts = require('typescript')

const SRC = join(__dirname, '..', 'src')

/** Rooms below all others: their files are imported by path. */
const FOUNDATION = ['types', 'constants.ts', 'errors', 'hash', 'codec', 'net']

/** Files that one proof or one codec fills may be longer. */
const maxLines = (file) => (/^(?:codec|crypto)\/|^devnode\/wire\/cbor\//.test(file) ? 400 : 300)

/** The files of a tree: path below it -> syntax tree and imported files. */
function readTree(root = SRC) {
  const paths = readdirSync(root, { recursive: true })
    .map((path) => String(path).split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
  const known = new Set(paths)
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
      const imports = new Set()
      const lazy = new Set()
      const visit = (node) => {
        const specifier = specifierOf(node)
        if (specifier?.startsWith('.')) {
          const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts')
          const found = [target, `${target}x`].find((each) => known.has(each))
          if (found !== undefined) imports.add(found)
          if (found !== undefined && isLazy(node)) lazy.add(found)
        }
        ts.forEachChild(node, visit)
      }
      visit(source)
      return [path, { source, imports: [...imports], lazy: [...lazy], lines: text.split('\n').length - 1 }]
    })
  )
}

function specifierOf(node) {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
    return node.moduleSpecifier.text
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0]?.text
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal.text
  return undefined
}

/** True for `import()`, of code or of its types: which file it names decides which bytes load. */
const isLazy = (node) => ts.isCallExpression(node) || ts.isImportTypeNode(node)

/** Groups of files that reach one another (Tarjan's strongly connected components of two files or more). */
function circles(tree) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const found = []
  const visit = (file) => {
    index.set(file, index.size)
    low.set(file, index.get(file))
    stack.push(file)
    for (const next of tree.get(file).imports) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file), low.get(next)))
    }
    if (low.get(file) !== index.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) found.push(group.sort())
  }
  for (const file of tree.keys()) if (!index.has(file)) visit(file)
  return found
}

/** Folders that import each other; a folder and the one that contains it, such as a facade and its parts, apart. */
function folderPairs(tree) {
  const folders = new Set()
  for (const [file, { imports }] of tree) {
    for (const target of imports) folders.add(`${posix.dirname(file)} ${posix.dirname(target)}`)
  }
  return [...folders]
    .map((edge) => edge.split(' '))
    .filter(([from, to]) => from < to && folders.has(`${to} ${from}`))
    .filter(([from, to]) => from !== '.' && !to.startsWith(`${from}/`))
    .map(([from, to]) => `${from} <-> ${to}`)
    .sort()
}

/** An interface without code, which the local head shares with the bridge. */
const DEEP = ['bridge/connection/Connector.ts', 'providers/ProviderUtils.ts']

/** Imports between rooms that pass by the doors `index.ts` and `inner.ts`; import() names the file that it loads. */
function deepImports(tree) {
  return [...tree].flatMap(([file, { imports, lazy }]) =>
    imports
      .filter((target) => target.split('/')[0] !== file.split('/')[0] && !FOUNDATION.includes(target.split('/')[0]))
      .filter((target) => !/^[^/]+\/(?:index|inner)\.ts$/.test(target) && !lazy.includes(target))
      .filter((target) => !(DEEP.includes(target) && ['devnode', 'index.ts'].includes(file.split('/')[0])))
      .map((target) => `${file} -> ${target}`)
  )
}

/** Exported names that more than one file declares, with the files. */
function repeatedNames(tree) {
  const files = new Map()
  for (const [file, { source }] of tree) {
    for (const statement of source.statements) {
      if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue
      const names = ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map(({ name }) => name.getText(source))
        : [statement.name?.text]
      for (const name of names.filter(Boolean)) files.set(name, new Set([...(files.get(name) ?? []), file]))
    }
  }
  return [...files]
    .filter(([, each]) => each.size > 1)
    .map(([name, each]) => `${name}: ${[...each].join(', ')}`)
    .sort()
}

/** Files over their limit of lines. */
function longFiles(tree) {
  return [...tree].filter(([file, { lines }]) => lines > maxLines(file)).map(([file, { lines }]) => `${file}: ${lines}`)
}

/** Classes with more than three boolean fields, and contexts with more than ten members. */
function crowded(tree) {
  const found = []
  const isBoolean = (member) =>
    ts.isPropertyDeclaration(member) &&
    [member.type?.kind, member.initializer?.kind].some((kind) =>
      [ts.SyntaxKind.BooleanKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(kind)
    )
  for (const [file, { source }] of tree) {
    const visit = (node) => {
      const flags = ts.isClassDeclaration(node) ? node.members.filter(isBoolean).length : 0
      if (flags > 3) found.push(`${file}: class ${node.name.text} has ${flags} boolean fields`)
      const isContext = ts.isInterfaceDeclaration(node) && /Context$/.test(node.name.text)
      if (isContext && node.members.length > 10) {
        found.push(`${file}: ${node.name.text} has ${node.members.length} members`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return found
}

if (require.main === module) {
  const tree = readTree()
  const print = (title, rows) => console.log([`${title}: ${rows.length}`, ...rows.map((row) => `  ${row}`)].join('\n'))
  print(
    'circles of imports, types included',
    circles(tree).map((group) => group.join(' '))
  )
  print('folders that import each other', folderPairs(tree))
  print('imports past the doors of a room', deepImports(tree))
  print('files over their limit', longFiles(tree))
  print('crowded classes and contexts', crowded(tree))
  print('exported names in several files', repeatedNames(tree))
}

module.exports = { circles, crowded, deepImports, folderPairs, longFiles, readTree, repeatedNames }
