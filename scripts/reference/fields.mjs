// Parameters and fields: name, type, default, unit and text of each, for functions, options and types.
import ts from 'typescript'
import { parseDoc, unitOf } from './docText.mjs'
import { codeOf, escapeText, typeMarkdown } from './typeText.mjs'

/** Objects whose fields are shown where they are asked for: options by name, and shapes written out in place. */
const OPTIONS = /(Options|Args)$/
const FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType

const isOptional = (symbol) => (symbol.flags & ts.SymbolFlags.Optional) !== 0
const isMethod = (node) => ts.isMethodSignature(node) || ts.isMethodDeclaration(node)

/** What can be called of a declaration: itself, or the function type that it has. */
export function callableOf(declaration) {
  const type = declaration.type
  if (
    (ts.isVariableDeclaration(declaration) ||
      ts.isPropertyDeclaration(declaration) ||
      ts.isPropertySignature(declaration)) &&
    type !== undefined
  ) {
    const inner = ts.isParenthesizedTypeNode(type) ? type.type : type
    return ts.isFunctionTypeNode(inner) ? inner : undefined
  }
  return ts.isFunctionLike(declaration) && !ts.isAccessor(declaration) ? declaration : undefined
}

/**
 * The properties of a type, those of all its arms where it is a union; an arm's `never` gives way to another arm's
 * type.
 */
function propertiesOf(checker, type) {
  const plain = checker.getNonNullableType(type)
  const arms = plain.isUnion() ? plain.types : [plain]
  const found = new Map()
  for (const property of arms.flatMap((arm) => checker.getPropertiesOfType(arm))) {
    const before = found.get(property.name)
    if (before === undefined || isNever(before)) found.set(property.name, property)
  }
  return [...found.values()].filter((property) => !isNever(property))
}

/** What may be left out may be undefined: that need not be said twice. */
const withoutUndefined = (type, optional) => (optional ? type.replace(/ &#124; undefined(?=<\/code>$)/, '') : type)

const declarationOf = (symbol) => symbol.valueDeclaration ?? symbol.declarations?.[0]
const isNever = (symbol) => declarationOf(symbol)?.type?.kind === ts.SyntaxKind.NeverKeyword

/** The fields of a declared type: its own, or all of them where it has none of its own. */
export function fieldsOfType(checker, declaration, links) {
  const literal = ts.isTypeAliasDeclaration(declaration) ? declaration.type : declaration
  if (!ts.isInterfaceDeclaration(literal) && !ts.isTypeLiteralNode(literal)) return []
  const type = checker.getTypeAtLocation(declaration)
  const own = literal.members
    .filter((member) => member.name !== undefined)
    .map((member) => checker.getSymbolAtLocation(member.name))
  const symbols = own.length > 0 ? own : ts.isInterfaceDeclaration(literal) ? propertiesOf(checker, type) : []
  return symbols.filter((symbol) => symbol !== undefined).map((symbol) => fieldOf(checker, symbol, links))
}

/** One field; `prefix` names the object it is in. */
function fieldOf(checker, symbol, links, prefix = '') {
  const declaration = declarationOf(symbol)
  const doc = declaration === undefined ? undefined : parseDoc(declaration)
  const type = withoutUndefined(typeOf(checker, symbol, declaration, links), isOptional(symbol))
  const plainType = declaration?.type?.getText() ?? ''
  const text = [doc?.text ?? '', doc?.returns ? `Returns ${doc.returns}` : ''].filter(Boolean).join('\n\n')
  return {
    name: `${prefix}${symbol.name}`,
    type,
    optional: isOptional(symbol),
    default: doc?.default ?? '',
    unit: unitOf(symbol.name, plainType, text),
    text,
    throws: doc?.throws ?? []
  }
}

function typeOf(checker, symbol, declaration, links) {
  if (declaration !== undefined && isMethod(declaration))
    return typeMarkdown(
      declaration,
      checker,
      links.ofSymbol,
      declaration.questionToken?.getEnd() ?? declaration.name.getEnd()
    )
  const isFilledIn =
    (symbol.flags & ts.SymbolFlags.Transient) !== 0 &&
    declaration?.type !== undefined &&
    hasTypeParameter(checker, declaration.type)
  if (declaration?.type !== undefined && !isFilledIn) return typeMarkdown(declaration.type, checker, links.ofSymbol)
  // Of the compiler's own text only the names are left.
  const text = escapeText(checker.typeToString(checker.getTypeOfSymbol(symbol), undefined, FORMAT))
  return codeOf(
    text.replace(/\b[A-Z]\w+/g, (name) =>
      links.ofName(name) === undefined ? name : `[${name}](${links.ofName(name)})`
    )
  )
}

/**
 * Whether a type names a parameter of the type that it is in, which stands for something else where that one is used.
 */
function hasTypeParameter(checker, node) {
  if (ts.isIdentifier(node))
    return ((checker.getSymbolAtLocation(node)?.flags ?? 0) & ts.SymbolFlags.TypeParameter) !== 0
  return ts.forEachChild(node, (child) => hasTypeParameter(checker, child) || undefined) ?? false
}

/** The parameters of what can be called, each followed by the fields of its options. */
export function parametersOf(checker, callable, doc, links) {
  return callable.parameters.flatMap((parameter) => {
    const name = ts.isIdentifier(parameter.name) ? parameter.name.text : 'options'
    const said = doc.params.get(name) ?? { text: '', default: '' }
    const type =
      parameter.type === undefined ? codeOf('unknown') : typeMarkdown(parameter.type, checker, links.ofSymbol)
    const own = {
      name: parameter.dotDotDotToken === undefined ? name : `...${name}`,
      type,
      optional: parameter.questionToken !== undefined || parameter.initializer !== undefined,
      default: said.default,
      unit: unitOf(name, parameter.type?.getText() ?? '', said.text),
      text: said.text,
      throws: []
    }
    return [own, ...(parameter.type === undefined ? [] : optionsOf(checker, parameter.type, name, doc, links))]
  })
}

function optionsOf(checker, node, name, doc, links) {
  const isNamed = ts.isTypeReferenceNode(node) && OPTIONS.test(node.typeName.getText().replace(/\$\d+$/, ''))
  if (!isNamed && !ts.isTypeLiteralNode(node)) return []
  return propertiesOf(checker, checker.getTypeAtLocation(node)).map((symbol) => {
    const field = fieldOf(checker, symbol, links, `${name}.`)
    return { ...field, text: field.text || (doc.params.get(field.name)?.text ?? '') }
  })
}
