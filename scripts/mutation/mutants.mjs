// Where a source file can be broken, and the text of the file with switches in those places.
import ts from 'typescript'

const K = ts.SyntaxKind

/** Operator -> what stands in its place. */
const OPERATORS = {
  [K.LessThanToken]: '<=',
  [K.LessThanEqualsToken]: '<',
  [K.GreaterThanToken]: '>=',
  [K.GreaterThanEqualsToken]: '>',
  [K.EqualsEqualsEqualsToken]: '!==',
  [K.ExclamationEqualsEqualsToken]: '===',
  [K.PlusToken]: '-',
  [K.MinusToken]: '+',
  [K.AsteriskToken]: '/',
  [K.SlashToken]: '*',
  [K.PercentToken]: '*',
  [K.AmpersandToken]: '|',
  [K.BarToken]: '&',
  [K.CaretToken]: '&',
  [K.LessThanLessThanToken]: '>>',
  [K.GreaterThanGreaterThanToken]: '<<',
  [K.GreaterThanGreaterThanGreaterThanToken]: '<<',
  [K.AmpersandAmpersandToken]: '||',
  [K.BarBarToken]: '&&',
  [K.PlusEqualsToken]: '-=',
  [K.MinusEqualsToken]: '+='
}

/**
 * A way to break a file: an expression that takes another's place, or a statement that is left out.
 * @typedef {{ id: number, start: number, end: number, kind: string, line: number, was: string, becomes: string, form:
 * 'expression' | 'statement' | 'return', leads: boolean }} Mutant
 */

/**
 * Every mutant of a source text. Texts of errors, types and imports are left alone.
 * @returns {Omit<Mutant, 'id'>[]}
 */
export function findMutants(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
  const found = []
  const add = (node, kind, becomes, form = 'expression') => {
    const start = node.getStart(source)
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    found.push({
      start,
      end: node.end,
      kind,
      line,
      was: text.slice(start, node.end),
      becomes,
      form,
      leads: form === 'expression' && leadsStatement(node, source)
    })
  }
  const visit = (node, inError) => {
    if (
      ts.isTypeNode(node) ||
      ts.isImportDeclaration(node) ||
      ts.isExportDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node)
    )
      return
    const isError =
      inError ||
      ((ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        /(Error|\bfail)$/.test(node.expression.getText(source)))
    if (!isError) mutate(node, source, add)
    ts.forEachChild(node, (child) => visit(child, isError))
  }
  visit(source, false)
  return found
}

function mutate(node, source, add) {
  const textOf = (each) => each.getText(source)
  if (ts.isBinaryExpression(node)) {
    const other = OPERATORS[node.operatorToken.kind]
    // `text + text` has no difference.
    const joins =
      node.operatorToken.kind === K.PlusToken &&
      [node.left, node.right].some((side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side))
    if (other !== undefined && !joins) add(node, 'operator', `${textOf(node.left)} ${other} ${textOf(node.right)}`)
  }
  const condition =
    ts.isIfStatement(node) || ts.isWhileStatement(node)
      ? node.expression
      : ts.isConditionalExpression(node)
        ? node.condition
        : undefined
  if (condition !== undefined) {
    // `while (true)` would only hang.
    if (!ts.isWhileStatement(node)) add(condition, 'condition', 'true')
    add(condition, 'condition', 'false')
  }
  if (node.kind === K.TrueKeyword && !namesAnOption(node)) add(node, 'boolean', 'false')
  if (node.kind === K.FalseKeyword) add(node, 'boolean', 'true')
  if (ts.isPrefixUnaryExpression(node) && (node.operator === K.ExclamationToken || node.operator === K.MinusToken))
    add(node, 'negation', textOf(node.operand))
  if (ts.isNumericLiteral(node) && isValue(node)) add(node, 'number', `${node.text} + 1`)
  if (ts.isBigIntLiteral(node) && isValue(node)) add(node, 'number', `${node.text} + 1n`)
  if (ts.isStringLiteral(node) && isValue(node)) add(node, 'string', node.text === '' ? "'mutated'" : "''")
  if (ts.isExpressionStatement(node) && !isSuperCall(node)) add(node, 'removed statement', '', 'statement')
  if (ts.isBlock(node) && isFunctionBody(node) && node.statements.length > 0)
    add(node, 'early return', 'return', 'return')
}

/** A member of an `OptionNames`, of which the names alone are read. */
function namesAnOption({ parent }) {
  const list = parent.parent?.parent
  return (
    ts.isPropertyAssignment(parent) &&
    ts.isVariableDeclaration(list) &&
    /^OptionNames\b/.test(list.type?.getText() ?? '')
  )
}

/** Not a name, a type or a directive. */
function isValue(node) {
  const { parent } = node
  if (ts.isLiteralTypeNode(parent) || ts.isExpressionStatement(parent) || ts.isModuleDeclaration(parent)) return false
  if (ts.isCallExpression(parent) && parent.expression.kind === K.ImportKeyword) return false
  return parent.name !== node && parent.propertyName !== node
}

/** A parenthesis in its place would go on with the statement above, which ends without a semicolon. */
function leadsStatement(node, source) {
  let at = node
  while (at.parent !== undefined && !ts.isExpressionStatement(at)) at = at.parent
  return (
    ts.isExpressionStatement(at) &&
    at.getStart(source) === node.getStart(source) &&
    (ts.isBlock(at.parent) || ts.isSourceFile(at.parent) || ts.isCaseOrDefaultClause(at.parent))
  )
}

const isSuperCall = ({ expression }) => ts.isCallExpression(expression) && expression.expression.kind === K.SuperKeyword
const isFunctionBody = ({ parent }) =>
  (ts.isFunctionDeclaration(parent) || ts.isMethodDeclaration(parent) || ts.isArrowFunction(parent)) &&
  parent.body !== undefined

/**
 * The text with a switch in the place of each mutant. `__mutant(id)` says whether that one is on.
 * @param {Mutant[]} mutants
 */
export function instrument(text, mutants) {
  // The widest first, so that a switch within another's original keeps working; a statement may be as wide as its
  // expression.
  const rank = ({ form }) => (form === 'expression' ? 1 : 0)
  const sorted = [...mutants].sort((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b) || a.id - b.id)
  const render = (from, to, inner) => {
    let out = ''
    let at = from
    for (let i = 0; i < inner.length;) {
      const first = inner[i]
      let next = i + 1
      while (next < inner.length && inner[next].start < first.end) next++
      out += text.slice(at, first.start) + wrap(first, inner.slice(i + 1, next))
      at = first.end
      i = next
    }
    return out + text.slice(at, to)
  }
  const wrap = (mutant, within) => {
    const original = render(mutant.start, mutant.end, within)
    const isOn = `globalThis.__mutant(${mutant.id})`
    // In braces: the statement may stand between an if and its else.
    if (mutant.form === 'statement') return `{ if (!${isOn}) { ${original} } }`
    if (mutant.form === 'return') return `{ if (${isOn}) return;${original.slice(1)}`
    return `${mutant.leads ? ';' : ''}(${isOn} ? (${mutant.becomes}) : (${original}))`
  }
  return render(0, text.length, sorted)
}

/** A generator of numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `count` of the items, drawn by the generator; all of them where there are fewer. */
export function sample(items, count, random) {
  const left = [...items]
  const drawn = []
  while (drawn.length < count && left.length > 0) drawn.push(left.splice(Math.floor(random() * left.length), 1)[0])
  return drawn
}
