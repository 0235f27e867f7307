// What the reference is about: every public name once, with its docstring, its members and its page.
import ts from 'typescript'
import { emptyDoc, parseDoc } from './docText.mjs'
import { openProgram } from './program.mjs'
import { sinceOf } from './released.mjs'

/** An interface with this many methods is called as a class is, and gets a page for each of its members too. */
const METHODS_OF_A_CLASS = 6
/**
 * Names that several entries export have their page in the first of these; the root entry has only what nothing else
 * has.
 */
const HOMES = ['utils', 'wallet', 'providers', 'bridge', 'tx', 'client']

/** Folder of an entry's pages. */
export const folderOf = (entry) => `reference/${entry === 'index' ? 'layer-sdk' : entry}`

/**
 * Reads the declarations.
 *
 * @param files - path of the declaration file by entry
 * @param released - names by entry by release, as in etc/released.json
 */
export function readReference({ files, released }) {
  const { checker, resolved, exportsOf } = openProgram(files)
  const since = sinceOf(released)
  const bySymbol = new Map()
  const exported = new Map()
  const homeOrder = [
    ...HOMES.filter((entry) => files[entry] !== undefined),
    ...Object.keys(files).filter((entry) => !HOMES.includes(entry) && entry !== 'index')
  ]
  if (files.index !== undefined) homeOrder.push('index')
  for (const entry of homeOrder) {
    // A namespace (`ProviderUtils`) has no docstring of its own; what is in it has a page under its own name.
    const declared = exportsOf(entry).filter(({ symbol }) => symbol.declarations?.some(isShown))
    const items = declared.map(({ name, symbol }) => {
      const item = bySymbol.get(symbol) ?? createItem(checker, entry, name, symbol)
      item.entries.push(entry)
      bySymbol.set(symbol, item)
      return item
    })
    exported.set(entry, items)
  }
  const items = [...bySymbol.values()]
  for (const item of items) {
    item.since = since(item.name, item.entries)
    for (const member of item.members)
      member.since = later(item.since, since(`${item.name}.${member.name}`, item.entries))
  }
  assertOwnFiles(items)
  return {
    checker,
    exportsOf,
    items,
    exported,
    itemOf: (symbol) => bySymbol.get(resolved(symbol)),
    byName: namesOf(items)
  }
}

const later = (a, b) => (a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b)

function createItem(checker, entry, name, symbol) {
  const declarations = (symbol.declarations ?? []).filter(isShown)
  const codes = errorCodes(checker, symbol)
  const kind = kindOf(declarations, codes)
  const item = { name, kind, entry, entries: [], symbol, declarations, codes, members: [], doc: firstDoc(declarations) }
  if (kind === 'error') Object.assign(item, { path: 'errors.md', anchor: codes[0].toLowerCase() })
  else if (kind === 'type') Object.assign(item, { path: `${folderOf(entry)}/types.md`, anchor: name.toLowerCase() })
  else item.path = `${folderOf(entry)}/${name}.md`
  if (kind === 'class' || kind === 'interface') item.members = membersOf(item)
  return item
}

const isShown = (node) =>
  ts.isClassDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isVariableDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node)

const firstDoc = (declarations) => {
  const docs = declarations.map(parseDoc)
  return docs.find(({ text }) => text !== '') ?? docs[0] ?? emptyDoc()
}

function kindOf(declarations, codes) {
  if (declarations.some(ts.isClassDeclaration)) return codes.length > 0 ? 'error' : 'class'
  if (declarations.some(ts.isFunctionDeclaration)) return 'function'
  const variable = declarations.find(ts.isVariableDeclaration)
  if (variable !== undefined)
    return variable.type !== undefined && ts.isFunctionTypeNode(variable.type) ? 'function' : 'constant'
  const methods = declarations
    .filter(ts.isInterfaceDeclaration)
    .flatMap(({ members }) => members.filter(ts.isMethodSignature))
  return methods.length >= METHODS_OF_A_CLASS ? 'interface' : 'type'
}

/** The codes of an error class; none for what is no error, and for the classes that others extend. */
function errorCodes(checker, symbol) {
  if ((symbol.flags & ts.SymbolFlags.Class) === 0) return []
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const code = type.getProperty('code')
  if (code === undefined || type.getProperty('stack') === undefined) return []
  const codeType = checker.getTypeOfSymbol(code)
  return (codeType.isUnion() ? codeType.types : [codeType])
    .filter((each) => each.isStringLiteral())
    .map(({ value }) => value)
}

const HIDDEN = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
const isPublic = (member) =>
  (ts.getCombinedModifierFlags(member) & HIDDEN) === 0 &&
  member.name !== undefined &&
  !ts.isPrivateIdentifier(member.name) &&
  !parseDoc(member).internal

/** `connect`, and `asyncDispose` of `[Symbol.asyncDispose]`. */
const nameOf = (member) =>
  ts.isComputedPropertyName(member.name) ? member.name.expression.getText().split('.').at(-1) : member.name.text

/** `index` is the page of a folder, so a member of that name is beside it. */
const fileOf = (name) => (name === 'index' ? 'index_' : name)

/** The members that callers see, overloads and accessors of one name together. */
function membersOf(item) {
  const found = new Map()
  for (const declaration of item.declarations) {
    for (const member of declaration.members?.filter(isPublic) ?? []) {
      const name = nameOf(member)
      const before = found.get(name)
      if (before !== undefined) before.declarations.push(member)
      else
        found.set(name, {
          name,
          owner: item,
          declarations: [member],
          path: `${item.path.replace(/\.md$/, '')}/${fileOf(name)}.md`
        })
    }
  }
  return [...found.values()].map((member) => ({
    ...member,
    kind: memberKind(member.declarations[0]),
    doc: firstDoc(member.declarations)
  }))
}

function memberKind(member) {
  const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0
  const isMethod =
    ts.isMethodDeclaration(member) ||
    ts.isMethodSignature(member) ||
    (member.type !== undefined && ts.isFunctionTypeNode(member.type))
  return `${isStatic ? 'static ' : ''}${isMethod ? 'method' : 'property'}`
}

/** Two pages whose names differ in case alone would be one file on some machines. */
function assertOwnFiles(items) {
  const seen = new Map()
  for (const each of [
    ...items.filter(({ kind }) => kind !== 'type' && kind !== 'error'),
    ...items.flatMap(({ members }) => members)
  ]) {
    const key = each.path.toLowerCase()
    if (/\/(types|index)\.md$/.test(key) || seen.has(key))
      throw new Error(`${each.path} would be written twice (${seen.get(key) ?? 'a page of its own'})`)
    seen.set(key, each.path)
  }
}

/** The item, member or field that a docstring's `{@link}` names; of several rooms' the one of the room that asks. */
function namesOf(items) {
  const names = new Map()
  for (const item of items) {
    for (const [name, target] of [
      [item.name, item],
      ...item.members.map((member) => [`${item.name}.${member.name}`, member])
    ]) {
      names.set(name, [...(names.get(name) ?? []), target])
    }
  }
  return (name, entry) => {
    const found = names.get(name)
    return found?.find((each) => (each.owner ?? each).entries.includes(entry)) ?? found?.[0]
  }
}
