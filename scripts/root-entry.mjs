// Writes src/index.ts: every public name of the four rooms, the head client, and every error class, by name.
// Run it when a room's index.ts or an error changed; test/package/exports.test.ts fails until then.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from './entries.mjs'

const SOURCES = ['wallet', 'utils', 'providers', 'bridge', 'client', 'errors']
  .map((room) => `${room}/index`)
  .filter((path) => existsSync(join(ROOT, 'src', `${path}.ts`)))
/** Names of a room that the root has, where it has not all of them: the client's other names are for its subpath. */
const ONLY = { 'client/index': ['createHeadClient', 'HeadClient', 'HeadClientOptions'] }
const INTRODUCTION = `/**
 * Wallets, utility functions, providers, the bridge and the head client in one import, with all error classes. Each
 * part has a subpath of its own, from which a page loads less. The head node is hydra-node, the ledger Cardano.
 *
 * @see docs/guides/client.md
 * @packageDocumentation
 */

`
const PROVIDER_UTILS = 'providers/ProviderUtils'

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
const program = ts.createProgram(
  SOURCES.map((path) => join(ROOT, 'src', `${path}.ts`)),
  options
)
const checker = program.getTypeChecker()

const isValue = (symbol) => {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const typeOnly = symbol.declarations?.some(
    (declaration) => ts.isExportSpecifier(declaration) && ts.isTypeOnlyImportOrExportDeclaration(declaration)
  )
  return !typeOnly && (target.flags & ts.SymbolFlags.Value) !== 0
}

const seen = new Set()
const lines = SOURCES.flatMap((path) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, 'src', `${path}.ts`)))
  const fresh = checker
    .getExportsOfModule(module)
    .filter(({ name }) => !seen.has(name) && (ONLY[path]?.includes(name) ?? true))
  fresh.forEach(({ name }) => seen.add(name))
  return [
    statement('export', fresh.filter(isValue), path),
    statement(
      'export type',
      fresh.filter((symbol) => !isValue(symbol)),
      path
    )
  ]
})

function statement(keyword, symbols, path) {
  const names = symbols.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'))
  return names.length === 0 ? '' : `${keyword} {\n${packed(names).join('\n')}\n} from './${path}.js'\n`
}

/** Lines of at most 120 columns with as many names as they hold. */
function packed(names) {
  return names.reduce((lines, name, at) => {
    const text = at === names.length - 1 ? name : `${name},`
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${text}`.length <= 120) return [...lines.slice(0, -1), `${last} ${text}`]
    return [...lines, `  ${text}`]
  }, [])
}

const providers = existsSync(join(ROOT, 'src', `${PROVIDER_UTILS}.ts`))
  ? `export * as ProviderUtils from './${PROVIDER_UTILS}.js'\n`
  : ''
writeFileSync(
  join(ROOT, 'src', 'index.ts'),
  `${INTRODUCTION}// Made by scripts/root-entry.mjs from the rooms' own index files; change those, not this.\n\n${providers}${lines.join('')}`
)
