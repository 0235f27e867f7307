// Types that the tables of the node's protocol are the source of, as the API report shows them: with their members.
import ts from 'typescript'

/** Files whose exported types may come from the tables, and what these types are made with. */
const PROTOCOL = /(^|\/)bridge\/protocol\/[^/]+$/
const DERIVED = /\b(?:MessageFields|Payloads|Inputs)\b/

const FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope

/** True for an exported type of a file of the protocol that is made of the tables. */
const isDerived = (statement, path) =>
  PROTOCOL.test(path) &&
  (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
  statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true &&
  DERIVED.test(statement.getText())

/**
 * Returns the text of an exported type with its members in place of the tables, and the names that these mention; null
 * for a statement that needs no tables.
 *
 * @param path - path of the statement's file below src
 */
export function writtenOut(checker, statement, path) {
  if (!isDerived(statement, path)) return null
  const type = checker.getDeclaredTypeOfSymbol(checker.getSymbolAtLocation(statement.name))
  const head = `${statement.name.text}${typeParameters(statement)}`
  const bodies = (type.isUnion() ? type.types : [type]).map((each) => membersOf(checker, each, statement))
  const text = ts.isInterfaceDeclaration(statement)
    ? `export interface ${head} ${bodies[0]}`
    : `export type ${head} = ${bodies.join(' | ')};`
  return { text, names: new Set(text.match(/\b[A-Z]\w*/g)) }
}

const typeParameters = ({ typeParameters: parameters }) =>
  parameters === undefined ? '' : `<${parameters.map((each) => each.getText()).join(', ')}>`

function membersOf(checker, type, place) {
  const members = type.getProperties().map((property) => {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
    const text = checker.typeToString(checker.getTypeOfSymbolAtLocation(property, place), place, FORMAT)
    const doc = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll('*/', '')
    const lines = doc === '' ? '' : `    /** ${doc} */\n`
    const shown = isOptional ? text.replace(/ \| undefined$/, '') : text
    return `${lines}    ${property.name}${isOptional ? '?' : ''}: ${shown};`
  })
  return `{\n${members.join('\n')}\n}`
}
