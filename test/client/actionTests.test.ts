import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'

const ROOM = join(__dirname, '..', '..', 'src', 'client')

/** The suites in test/client that test each file of src/client/actions. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  abortHead: ['state'],
  acceptOffer: ['offers'],
  closeAndFanoutHead: ['state'],
  closeHead: ['state'],
  connect: ['connecting', 'disconnecting'],
  consolidate: ['manyOutputs'],
  contest: ['state'],
  deposit: ['deposits'],
  evaluate: ['evaluate'],
  fanoutHead: ['state'],
  getTransaction: ['getTransaction'],
  newTx: ['newTx'],
  offer: ['offers'],
  open: ['state'],
  pay: ['smoke'],
  payMany: ['submitting'],
  payments: ['journal'],
  read: ['reading'],
  receipts: ['receipts'],
  recover: ['reading'],
  submit: ['submitting'],
  waitForPayment: ['requests'],
  waitForTx: ['waiting'],
  watch: ['state'],
  withdraw: ['withdrawals']
}

const parse = (text: string): ts.SourceFile => ts.createSourceFile('it.ts', text, ts.ScriptTarget.ES2022, true)
const parseFile = (...path: readonly string[]): ts.SourceFile => parse(readFileSync(join(...path), 'utf8'))

/** Public functions of an action's file. */
function actionsIn(file: string): string[] {
  const entry = parseFile(ROOM, 'index.ts').statements.filter(ts.isExportDeclaration)
  return entry.flatMap(({ isTypeOnly, moduleSpecifier, exportClause }) =>
    !isTypeOnly &&
    moduleSpecifier !== undefined &&
    (moduleSpecifier as ts.StringLiteral).text === `./actions/${file}.js` &&
    exportClause !== undefined &&
    ts.isNamedExports(exportClause)
      ? exportClause.elements.map(({ name }) => name.text)
      : []
  )
}

/** The method of a client that calls an action, as createHeadClient binds it. */
function methodOf(action: string): string | undefined {
  const text = readFileSync(join(ROOM, 'api', 'createHeadClient.ts'), 'utf8')
  return new RegExp(`^    (\\w+): \\(.*\\) => ${action}\\(context\\b`, 'm').exec(text)?.[1]
}

/** Names that a suite's tests call, as functions or as methods of something other than an AbortController. */
function callsInTests(suite: ts.SourceFile): Set<string> {
  const controllers = new Set(
    [...suite.text.matchAll(/\b(\w+) = new AbortController\b/g)].map(([, name]) => name as string)
  )
  const calls = new Set<string>()
  const visit = (node: ts.Node, isInTest: boolean): void => {
    let inside = isInTest
    if (ts.isCallExpression(node)) {
      const { expression } = node
      inside ||= /^(it|test)\b(?!\.(skip|todo)\b)/.test(expression.getText())
      if (isInTest && ts.isIdentifier(expression)) calls.add(expression.text)
      if (isInTest && ts.isPropertyAccessExpression(expression)) {
        const receiver = expression.expression.getText()
        if (!controllers.has(receiver) && !receiver.includes('AbortController')) calls.add(expression.name.text)
      }
    }
    node.forEachChild((child) => visit(child, inside))
  }
  visit(suite, false)
  return calls
}

const files = readdirSync(join(ROOM, 'actions')).map((file) => basename(file, '.ts'))

it('names suites for each file of src/client/actions, and for no other', () => {
  expect(Object.keys(SUITES)).toEqual(files)
})

it.each(files)('calls each action of src/client/actions/%s.ts in a test of its suites', (file) => {
  const actions = actionsIn(file)
  expect(actions.length).toBeGreaterThan(0)
  const calls = new Set(
    (SUITES[file] ?? []).flatMap((suite) => [...callsInTests(parseFile(__dirname, `${suite}.test.ts`))])
  )
  const untested = actions.filter((action) => !calls.has(action) && !calls.has(methodOf(action) ?? action))
  expect(untested).toEqual([])
})

it.each([
  ['a comment', "it('pays', () => { /* head.pay() */ })"],
  ['a name of a test', "it('head.pay()', () => {})"],
  ['a helper that no test is', 'async function help() { await head.pay() }'],
  ['a skipped test', "it.skip('pays', () => head.pay())"],
  [
    'the controller of a signal',
    "it('ends', () => { const a = new AbortController(); a.pay(); new AbortController().pay() })"
  ]
])('does not count %s as a test of an action', (_, text) => {
  expect(callsInTests(parse(text)).has('pay')).toBe(false)
})

it('counts a call of the method, and of the function', () => {
  const calls = callsInTests(
    parse("it.each([1])('pays', async () => { await head.pay(); await fanoutHead(head.context) })")
  )
  expect([...calls]).toEqual(expect.arrayContaining(['pay', 'fanoutHead']))
  expect(methodOf('createStore')).toBe('store')
})
