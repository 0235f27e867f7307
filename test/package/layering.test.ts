import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import ts from 'typescript'
import { importProblem } from '../../scripts/layering.cjs'

const SRC = join(__dirname, '..', '..', 'src')

const files = (readdirSync(SRC, { recursive: true }) as string[])
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /\.tsx?$/.test(file))
  .sort()

interface Import {
  readonly specifier: string
  readonly lazy: boolean
  readonly typeOnly: boolean
}

const parsed = new Map(
  files.map((file) => [
    file,
    ts.createSourceFile(file, readFileSync(join(SRC, file), 'utf8'), ts.ScriptTarget.ES2022, true)
  ])
)

function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const typeOnly = ts.isImportDeclaration(node) ? node.importClause?.isTypeOnly === true : node.isTypeOnly
      found.push({ specifier: (node.moduleSpecifier as ts.StringLiteral).text, lazy: false, typeOnly })
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments
      if (specifier && ts.isStringLiteral(specifier))
        found.push({ specifier: specifier.text, lazy: true, typeOnly: false })
    } else if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    ) {
      found.push({ specifier: node.argument.literal.text, lazy: false, typeOnly: true })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function targetOf(file: string, specifier: string): string {
  const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts')
  return files.includes(`${target}x`) ? `${target}x` : target
}

/** Every cycle of imports, as `a.ts -> b.ts -> a.ts`: of those that exist at run time, or of types too. */
function importCycles(members: readonly string[], { types }: { readonly types: boolean }): string[] {
  const edges = new Map(
    members.map((file) => [
      file,
      importsOf(parsed.get(file)!)
        .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && (types || !typeOnly))
        .map(({ specifier }) => targetOf(file, specifier))
    ])
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]): void => {
    const seenAt = path.indexOf(file)
    if (seenAt >= 0) cycles.push([...path.slice(seenAt), file].join(' -> '))
    if (seenAt >= 0 || done.has(file)) return
    for (const next of edges.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of members) visit(file, [])
  return cycles
}

/** Statements that do something when the module loads; the values of declarations are checked by `npm run size`. */
function effectsOf(source: ts.SourceFile): string[] {
  return source.statements
    .filter((statement) => !ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement))
    .filter(
      (statement) =>
        !(
          ts.isVariableStatement(statement) ||
          ts.isFunctionDeclaration(statement) ||
          ts.isClassDeclaration(statement) ||
          ts.isInterfaceDeclaration(statement) ||
          ts.isTypeAliasDeclaration(statement) ||
          ts.isModuleDeclaration(statement)
        )
    )
    .map((statement) => statement.getText(source).split('\n')[0] ?? '')
}

describe('the layers of src', () => {
  it.each(files)('%s imports only what its room may import', (file) => {
    const problems = importsOf(parsed.get(file)!).map(({ specifier, ...kind }) => {
      const problem = importProblem(file, specifier, kind)
      return problem === null ? null : `${specifier}: ${problem}`
    })
    expect(problems.filter((problem) => problem !== null)).toEqual([])
  })

  it('imports only files that exist', () => {
    const missing = files.flatMap((file) =>
      importsOf(parsed.get(file)!)
        .filter(({ specifier }) => specifier.startsWith('.') && !files.includes(targetOf(file, specifier)))
        .map(({ specifier }) => `${file}: ${specifier}`)
    )
    expect(missing).toEqual([])
  })

  it('has no import cycles', () => {
    expect(importCycles(files, { types: false })).toEqual([])
  })

  it('has no import cycles in devnode, types included', () => {
    expect(
      importCycles(
        files.filter((file) => file.startsWith('devnode/')),
        { types: true }
      )
    ).toEqual([])
  })

  it('does nothing at import outside the program of the command line and the page', () => {
    const effects = files
      .filter((file) => file !== 'cli/index.ts' && file !== 'dashboard/main.tsx')
      .flatMap((file) => effectsOf(parsed.get(file)!).map((line) => `${file}: ${line}`))
    expect(effects).toEqual([])
  })

  it('lists every public name by hand: no `export *` in an entry', () => {
    const entries = files.filter((file) =>
      /^(index|(wallet|utils|providers|bridge|tx|client|verify|devnode|cardano-sdk)\/index)\.ts$/.test(file)
    )
    const stars = entries.flatMap((file) =>
      parsed
        .get(file)!
        .statements.filter((statement) => ts.isExportDeclaration(statement) && statement.exportClause === undefined)
        .map((statement) => `${file}: ${statement.getText()}`)
    )
    expect(stars).toEqual([])
  })
})

describe('the layering check itself', () => {
  it.each([
    ['bridge/LayerBridge.ts', '../crypto/ed25519.js'],
    ['bridge/head/cache.ts', '../../wallet/AppWallet.js'],
    ['bridge/head/cache.ts', '../LayerBridge.js'],
    ['bridge/options.ts', './index.js'],
    ['providers/RpcProvider.ts', '../bridge/index.js'],
    ['wallet/AppWallet.ts', 'node:crypto'],
    ['devnode/rules/validateTx.ts', '../../bridge/protocol/decode.js'],
    ['bridge/connection/gateway/GatewayConnector.ts', 'socket.io-client'],
    ['bridge/verification/SnapshotGate.ts', '../../verify/verifySnapshot.js'],
    ['verify/signatures.ts', '../crypto/ed25519.js'],
    ['verify/signatures.ts', './ed25519.js'],
    ['verify/signatures.ts', '@noble/curves/ed25519.js'],
    ['accumulator/curve.ts', './bls12381.js'],
    ['codec/hex.ts', './utf8'],
    ['dashboard/App.tsx', '../devnode/DevNode.js'],
    ['devnode/serve/api/serveBase.ts', '../../../dashboard/App.js'],
    ['devnode/serve/kupo/answerKupo.ts', '../ogmios/failure.js'],
    ['devnode/head/types.ts', '../wire/json/messages.js'],
    ['devnode/chain/Chain.ts', '../party/Party.js'],
    ['devnode/party/Party.ts', '../DevNode.js']
  ])('refuses %s importing %s', (file, specifier) => {
    expect(importProblem(file, specifier)).not.toBeNull()
  })

  it.each([
    ['bridge/txs/TxTracker.ts', '../../codec/hex.js'],
    ['bridge/txs/TxTracker.ts', '../head/SnapshotCache.js'],
    ['devnode/connector.ts', '../bridge/connection/Connector.js'],
    ['devnode/server.ts', 'node:http'],
    ['wallet/AppWallet.ts', '../utils/inner.js'],
    ['gateway/Core.ts', '../bridge/index.js'],
    ['crypto/ed25519.ts', '@noble/ed25519'],
    ['verify/ed25519.ts', '@noble/curves/ed25519.js']
  ])('allows %s importing %s', (file, specifier) => {
    expect(importProblem(file, specifier)).toBeNull()
  })

  it.each([
    ['wallet/AppWallet.ts', '../utils/addresses.js'],
    ['client/sendTx.ts', '../bridge/txs/TxTracker.js'],
    ['cli/main.ts', '../devnode/settings/keys.js']
  ])('refuses %s importing %s past the door of the room', (file, specifier) => {
    expect(importProblem(file, specifier)).toMatch(/by \w+\/inner\.ts$/)
  })

  it('lets the bridge load the verification when it is needed, and nothing else lazily that it may not import', () => {
    expect(
      importProblem('bridge/verification/SnapshotGate.ts', '../../verify/verifySnapshot.js', { lazy: true })
    ).toBeNull()
    expect(importProblem('bridge/options.ts', '../accumulator/curve.js', { typeOnly: true })).toBeNull()
    expect(importProblem('bridge/options.ts', '../crypto/ed25519.js', { lazy: true })).not.toBeNull()
  })
})
