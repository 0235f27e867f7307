import { join } from 'node:path'
import ts from 'typescript'
import { compilerHost } from './compilerHost'
import { ROOT } from './markdown'

/** A member of a public shape: a field, an option, an accessor or a method. */
export interface PublicMember {
  /** E.g. `LayerBridge.connect`. */
  name: string
  /** `file:line`, relative to the root. */
  at: string
  /** Text of its docstring; of a shape on one line the docstrings around it, when they name the member in backticks. */
  text: string
  /** Names of its docstring's tags. */
  tags: string[]
  /** Whether it can be called. */
  method: boolean
  /** Whether a call returns a promise. */
  async: boolean
  /** Whether it is a number, not a bigint. */
  number: boolean
  /** Whether its body throws a typed error, itself or in a function that it calls. */
  throws: boolean
}

/** A function that an entry exports. */
export interface PublicFunction {
  name: string
  at: string
  tags: string[]
  throws: boolean
  /** Its parameters that are numbers, with what the docstring says of each. */
  numbers: { name: string; text: string }[]
}

/** An exported name of an entry. */
export interface PublicExport {
  entry: string
  name: string
  symbol: ts.Symbol
}

/** Adapters to other packages: one file each. */
const ADAPTERS = ['mesh', 'lucid', 'blaze', 'scalus']
const ENTRIES = [
  'index',
  'wallet',
  'utils',
  'providers',
  'bridge',
  'tx',
  'client',
  'react',
  'verify',
  'devnode',
  'gateway',
  'cardano-sdk',
  ...ADAPTERS
]

function fileOf(entry: string): string {
  if (ADAPTERS.includes(entry)) return join(ROOT, 'src', 'adapters', `${entry}.ts`)
  return join(ROOT, 'src', ...(entry === 'index' ? [] : [entry]), 'index.ts')
}

/** Reads the declarations of the sources, or of `files` (path -> text) laid over them. */
export class PublicSurface {
  readonly checker: ts.TypeChecker
  readonly #program: ts.Program
  #exports: PublicExport[] | undefined
  #functions: PublicFunction[] | undefined

  constructor(
    readonly entries: readonly string[] = ENTRIES,
    files: ReadonlyMap<string, string> = new Map()
  ) {
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
      skipLibCheck: true
    }
    this.#program = ts.createProgram(entries.map(fileOf), options, compilerHost(options, files))
    this.checker = this.#program.getTypeChecker()
  }

  /** What the entries export, aliases resolved. */
  exports(): PublicExport[] {
    return (this.#exports ??= this.entries.flatMap((entry) =>
      this.checker
        .getExportsOfModule(this.checker.getSymbolAtLocation(this.#program.getSourceFile(fileOf(entry))!)!)
        .map((exported) => ({ entry, name: exported.name, symbol: this.#resolved(exported) }))
    ))
  }

  /** The functions among the exports; the root's are those of the other entries. */
  functions(): PublicFunction[] {
    return (this.#functions ??= this.exports().flatMap(({ entry, name, symbol }) => {
      const declaration = symbol.declarations?.find(ts.isFunctionDeclaration)
      if (entry === 'index' || declaration === undefined) return []
      const tags = symbol.getJsDocTags(this.checker)
      const docs = ts.displayPartsToString(symbol.getDocumentationComment(this.checker))
      const saidOf = (parameter: string): string =>
        tags
          .filter((tag) => tag.name === 'param')
          .map((tag) => ts.displayPartsToString(tag.text))
          .find((text) => text.startsWith(parameter)) ?? ''
      return [
        {
          name,
          at: positionOf(declaration),
          tags: tags.map((tag) => tag.name),
          throws: this.#throws(declaration),
          numbers: declaration.parameters
            .filter(({ type }) => isNumber(type))
            .map((parameter) => ({
              name: parameter.name.getText(),
              text: `${docs} ${saidOf(parameter.name.getText())}`
            }))
        }
      ]
    }))
  }

  /**
   * Whether a function throws a typed error outside of any try, itself or through functions of the sources, four calls
   * deep.
   */
  #throws(declaration: ts.Node, depth = 4, seen = new Set<ts.Node>()): boolean {
    if (seen.has(declaration)) return false
    seen.add(declaration)
    let found = false
    const visit = (node: ts.Node): void => {
      if (
        found ||
        (node !== declaration && ts.isFunctionLike(node)) ||
        (ts.isTryStatement(node) && node.catchClause !== undefined)
      )
        return
      if (ts.isThrowStatement(node) && ts.isNewExpression(node.expression))
        found = /Error$/.test(node.expression.expression.getText())
      if (ts.isCallExpression(node) && depth > 0) {
        const symbol = this.checker.getSymbolAtLocation(node.expression)
        const target =
          symbol === undefined
            ? undefined
            : this.#resolved(symbol).declarations?.find(
                (each) => ts.isFunctionDeclaration(each) || ts.isMethodDeclaration(each)
              )
        if (target?.getSourceFile().fileName.startsWith(join(ROOT, 'src')))
          found ||= this.#throws(target, depth - 1, seen)
      }
      ts.forEachChild(node, visit)
    }
    ts.forEachChild(declaration, visit)
    return found
  }

  /**
   * Members of all shapes that a caller can reach from the exports: also through parameters, results and base types.
   */
  members(): PublicMember[] {
    const found = new Map<ts.Node, PublicMember>()
    for (const { name, symbol } of this.exports())
      for (const declaration of symbol.declarations ?? []) this.#walk(declaration, { name, docs: '' }, found)
    return [...found.values()]
  }

  #walk(
    node: ts.Node,
    owner: { name: string; docs: string },
    found: Map<ts.Node, PublicMember>,
    seen = new Set<ts.Node>()
  ): void {
    if (seen.has(node) || !node.getSourceFile().fileName.startsWith(join(ROOT, 'src'))) return
    seen.add(node)
    const visit = (child: ts.Node | undefined, at = owner): void => {
      if (child !== undefined) this.#walk(child, at, found, seen)
    }
    const docs = `${owner.docs} ${docsBefore(node)}`
    if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) {
      for (const clause of node.heritageClauses ?? [])
        for (const type of clause.types) this.#follow(type.expression, found, seen)
      for (const clause of node.heritageClauses ?? [])
        for (const type of clause.types) for (const argument of type.typeArguments ?? []) visit(argument)
      for (const member of node.members) this.#member(member, { name: owner.name, docs: '' }, found, seen)
    } else if (ts.isTypeLiteralNode(node)) {
      const oneLine = !node.getText().includes('\n')
      for (const member of node.members)
        this.#member(member, { name: owner.name, docs: oneLine ? docs : '' }, found, seen)
    } else if (ts.isFunctionLike(node)) {
      for (const parameter of node.parameters)
        visit(parameter.type, { name: `${owner.name}(${parameter.name.getText()})`, docs })
      visit(node.type, { name: `${owner.name}()`, docs })
    } else if (ts.isTypeAliasDeclaration(node) || ts.isVariableDeclaration(node) || ts.isParenthesizedTypeNode(node)) {
      visit(node.type, { name: owner.name, docs })
    } else if (ts.isTypeReferenceNode(node)) {
      this.#follow(node.typeName, found, seen)
      node.typeArguments?.forEach((argument) => visit(argument))
    } else if (ts.isTypeNode(node)) {
      ts.forEachChild(node, (child) => visit(child, { name: owner.name, docs }))
    }
  }

  #follow(name: ts.Node, found: Map<ts.Node, PublicMember>, seen: Set<ts.Node>): void {
    const symbol = this.checker.getSymbolAtLocation(name)
    if (symbol === undefined) return
    const target = this.#resolved(symbol)
    for (const declaration of target.declarations ?? [])
      this.#walk(declaration, { name: target.name, docs: '' }, found, seen)
  }

  #member(
    member: ts.ClassElement | ts.TypeElement,
    owner: { name: string; docs: string },
    found: Map<ts.Node, PublicMember>,
    seen: Set<ts.Node>
  ): void {
    const hidden = (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0
    // What is marked internal is not for users.
    const internal = ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal')
    if (hidden || internal || (member.name !== undefined && ts.isPrivateIdentifier(member.name))) return
    const type = (member as ts.PropertyDeclaration).type
    const key = member.name === undefined || ts.isComputedPropertyName(member.name) ? undefined : member.name.getText()
    const symbol = member.name === undefined ? undefined : this.checker.getSymbolAtLocation(member.name)
    const own = symbol === undefined ? '' : ts.displayPartsToString(symbol.getDocumentationComment(this.checker))
    // A constant that tells the arms of a union apart, e.g. `tag: 'NewTx'`, says itself.
    const discriminant =
      type !== undefined &&
      ts.isTypeLiteralNode(member.parent) &&
      ts.isLiteralTypeNode(type) &&
      ts.isStringLiteral(type.literal)
    // A table of constants by name, such as that of error codes: what an entry is stands at its type.
    const tableEntry = key !== undefined && ts.isInterfaceDeclaration(member.parent) && /^[A-Z0-9_]+$/.test(key)
    if (key !== undefined && symbol !== undefined && !discriminant && !tableEntry) {
      const signature =
        ts.isMethodDeclaration(member) || ts.isMethodSignature(member)
          ? this.checker.getSignatureFromDeclaration(member)
          : undefined
      found.set(member, {
        name: `${owner.name}.${key}`,
        at: positionOf(member),
        text:
          own !== ''
            ? own
            : new RegExp(`\`[^\`]*\\b${key.replace(/\W/g, '')}\\b[^\`]*\``).test(owner.docs)
              ? owner.docs
              : '',
        tags: symbol.getJsDocTags(this.checker).map(({ name }) => name),
        method: signature !== undefined,
        async: signature !== undefined && /^Promise</.test(this.checker.typeToString(signature.getReturnType())),
        number: isNumber(type) && signature === undefined,
        throws: ts.isMethodDeclaration(member) && this.#throws(member)
      })
    }
    const inner = {
      name: key === undefined ? owner.name : `${owner.name}.${key}`,
      docs: `${owner.docs} ${docsBefore(member)}`
    }
    // Errors are created by the package only.
    if (ts.isConstructorDeclaration(member) && owner.name.endsWith('Error')) return
    if (ts.isFunctionLike(member)) this.#walk(member, inner, found, seen)
    else if (type !== undefined) this.#walk(type, inner, found, seen)
  }

  #resolved(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol
  }
}

/** `number`, also where it may be absent. */
function isNumber(type: ts.TypeNode | undefined): boolean {
  if (type === undefined) return false
  return ts.isUnionTypeNode(type) ? type.types.some(isNumber) : type.kind === ts.SyntaxKind.NumberKeyword
}

function positionOf(node: ts.Node): string {
  const file = node.getSourceFile()
  return `${file.fileName.slice(ROOT.length + 1)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

/** Docstrings right before a node; those of a union's arm stand before its bar. */
function docsBefore(node: ts.Node): string {
  const { text } = node.getSourceFile()
  let end = node.getStart()
  // By hand: a pattern that ends in $ would be tried at every place of the file.
  const skip = (what: RegExp): void => {
    while (end > 0 && what.test(text[end - 1]!)) end--
  }
  skip(/\s/)
  if (text[end - 1] === '(') end--
  skip(/[\s|]/)
  if (!text.endsWith('*/', end)) return ''
  return text.slice(text.lastIndexOf('/*', end - 1), end)
}
