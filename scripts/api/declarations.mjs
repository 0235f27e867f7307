// Declarations of the sources, and of each entry a tree in which what other entries own is imported from them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ts from 'typescript'
import { libraryEntries, ROOT, specifierOf } from '../entries.mjs'
import { ownersOf, targetOf } from './owners.mjs'
import { writtenOut } from './writtenOut.mjs'

const SRC = join(ROOT, 'src')

const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const declarationName = (path) => path.replace(/\.tsx?$/, '.d.ts')

function compilerOptions() {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options
}

/** Writes `<path>.d.ts` for each source file below `folder`; fails on a file whose declarations need other files. */
function emitDeclarations(folder, options) {
  const sources = readdirSync(SRC, { recursive: true }).filter((path) => /\.tsx?$/.test(path))
  for (const path of sources) {
    const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(join(SRC, path), 'utf8'), {
      fileName: join(SRC, path),
      compilerOptions: { ...options, stripInternal: true },
      reportDiagnostics: true
    })
    if (diagnostics.length > 0)
      throw new Error(`src/${path}: ${ts.flattenDiagnosticMessageText(diagnostics[0].messageText, '\n')}`)
    write(join(folder, declarationName(path)), outputText)
  }
}

/** What makes of a folder of declarations the package that the trees of the entries import. */
function writePackage(folder) {
  const exports = Object.fromEntries(
    Object.entries(libraryEntries).map(([name, path]) => [
      name === 'index' ? '.' : `./${name}`,
      { types: `./${declarationName(relative('src', path))}` }
    ])
  )
  write(join(folder, 'package.json'), JSON.stringify({ name: 'layer-sdk', version: '0.0.0', type: 'module', exports }))
}

/** Text of an import or export of `elements` in the form of `statement`. */
function statementOf(statement, elements, specifier) {
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement
  const keyword = ts.isImportDeclaration(statement) ? 'import' : 'export'
  const names = elements.map((element) => element.getText()).join(', ')
  return `${keyword} ${clause.isTypeOnly || clause.phaseModifier ? 'type ' : ''}{ ${names} } from '${specifier}';`
}

/**
 * Makes the trees from which the API reports are read. Below `folder` stands `node_modules/layer-sdk` with the
 * declarations of all sources, and for each entry a folder with the files that its own declarations need; an import of
 * what another entry owns names that entry in them.
 *
 * @returns by entry, the file to start from
 */
export function writeTrees(folder) {
  rmSync(folder, { recursive: true, force: true })
  const whole = join(folder, 'node_modules', 'layer-sdk')
  const options = compilerOptions()
  emitDeclarations(whole, options)
  writePackage(whole)
  // A scope of its own: below the checkout's, `layer-sdk` would name the checkout and its dist/.
  write(join(folder, 'package.json'), JSON.stringify({ name: 'api-trees', type: 'module' }))

  const start = (name) => join(whole, declarationName(relative('src', libraryEntries[name])))
  const program = ts.createProgram(Object.keys(libraryEntries).map(start), { ...options, noEmit: true })
  const checker = program.getTypeChecker()
  const exportsOf = (name) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(start(name))))
  const entries = Object.fromEntries(
    Object.keys(libraryEntries).map((name) => [
      name,
      new Set(exportsOf(name).map((symbol) => targetOf(checker, symbol)))
    ])
  )
  const pathOf = (symbol) => relative(whole, symbol.declarations[0].getSourceFile().fileName).split(sep).join('/')
  const owners = ownersOf(entries, pathOf)

  const ownerOf = ({ name }) => {
    const symbol = name === undefined ? undefined : checker.getSymbolAtLocation(name)
    return symbol === undefined ? undefined : owners.get(targetOf(checker, symbol))
  }
  const fileOf = (from, specifier) => join(dirname(from), declarationName(specifier.replace(/\.js$/, '.ts')))

  /** The names of a statement by the entry that they come from; undefined stands for the tree's own files. */
  function split(entry, statement) {
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause
    if (bindings === undefined || !('elements' in bindings)) return null
    const groups = new Map()
    for (const element of bindings.elements) {
      const owner = ownerOf(element)
      const from = owner === entry ? undefined : owner
      groups.set(from, [...(groups.get(from) ?? []), element])
    }
    return groups
  }

  /** What stands for a declaration of a file that several entries share, where another entry owns it; else null. */
  function passedOn(entry, statement) {
    const name = statement.name ?? statement.declarationList?.declarations[0].name
    const symbol = name === undefined ? undefined : checker.getSymbolAtLocation(name)
    const owner = owners.get(symbol)
    if (owner === undefined || owner === entry) return null
    // A value and a type of one name, or overloads: the first stands for all.
    if (symbol.declarations[0] !== statement && symbol.declarations[0].parent.parent !== statement) return ''
    return `import { ${name.text} } from '${specifierOf(owner)}';\nexport { ${name.text} };`
  }

  /** Imports of what written out types mention and their file does not have: the protocol's types stand in one file. */
  function importsOf(source, names) {
    const types = program.getSourceFile(join(whole, 'bridge', 'protocol', 'types.d.ts'))
    if (source === types || names.size === 0) return ''
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(types)).map(({ name }) => name)
    return `import type { ${exported.filter((name) => names.has(name)).join(', ')} } from './types.js';\n`
  }

  function rewritten(entry, file, needed) {
    const source = program.getSourceFile(file)
    const path = relative(whole, file).split(sep).join('/')
    const mentioned = new Set()
    let text = source.text
    for (const statement of [...source.statements].reverse()) {
      const written = entry === ownerOf(statement) ? writtenOut(checker, statement, path) : null
      written?.names.forEach((name) => mentioned.add(name))
      const passed = written?.text ?? passedOn(entry, statement)
      if (passed !== null) text = text.slice(0, statement.getStart()) + passed + text.slice(statement.end)
      const specifier = statement.moduleSpecifier?.text
      if (specifier === undefined || !specifier.startsWith('.')) continue
      const groups = split(entry, statement) ?? new Map([[undefined, null]])
      if (groups.has(undefined)) needed.push(fileOf(file, specifier))
      if (groups.size === 1 && groups.has(undefined)) continue
      const lines = [...groups].map(([owner, elements]) =>
        statementOf(statement, elements, owner === undefined ? specifier : specifierOf(owner))
      )
      text = text.slice(0, statement.getStart()) + lines.join('\n') + text.slice(statement.end)
    }
    return importsOf(source, mentioned) + text
  }

  return Object.fromEntries(
    Object.keys(libraryEntries).map((entry) => {
      const needed = [start(entry)]
      const seen = new Set()
      for (const file of needed) {
        if (seen.has(file)) continue
        seen.add(file)
        write(join(folder, entry, relative(whole, file)), rewritten(entry, file, needed))
      }
      return [entry, join(folder, entry, relative(whole, start(entry)))]
    })
  )
}
