// Bundles each entry for production with its dependencies, as a user's bundler would, and compares what a page has
// loaded with the last release. What only a dynamic import loads (socket.io for the gateway, a provider's submitting,
// ...) is shown beside it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import commonjs from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import { minify as shorten } from 'terser'
import { isomorphicEntries, readJson, ROOT, specifierOf } from './entries.mjs'
import { scriptSourcesIn, textsOfScripts } from './scriptFree.mjs'
import { measureSplitting } from './splitting.mjs'

const KB = 1024
const RELEASED = 'scripts/sizes.json'
/** Growth over the last release that needs a line in the CHANGELOG. */
const TOLERANCE = 1.05

/** What a working page has loaded; `eager` leaves out what only an import() loads. */
const PAGES = {
  wallet: exportAll('wallet'),
  'connected bridge': "export { LayerBridge, WebsocketConnector } from 'layer-sdk/bridge'",
  payment:
    "export { createHeadClient } from 'layer-sdk/client'; export { TxBuilder } from 'layer-sdk/tx'; export { AppWallet } from 'layer-sdk/wallet'",
  utils: exportAll('utils'),
  providers: exportAll('providers'),
  tx: exportAll('tx'),
  verify: exportAll('verify'),
  setup: exportAll('setup'),
  doctor: exportAll('doctor'),
  '{ hexToBytes }': "export { hexToBytes } from 'layer-sdk/utils'",
  everything: `${exportAll('index')}\n${exportAll('tx')}`
}

function exportAll(name) {
  return isomorphicEntries.includes(name) ? `export * from '${specifierOf(name)}'` : ''
}

/** Pages without Plutus scripts: what only scripts need is loaded by none of them at once. */
const WITHOUT_SCRIPTS = {
  wallet: PAGES.wallet,
  'connected bridge': PAGES['connected bridge'],
  'head client': "export { createHeadClient } from 'layer-sdk/client'",
  payment: PAGES.payment,
  providers: PAGES.providers
}

/** Resolves our own name to dist/, so that what is measured is what is published. */
const ownEntries = {
  name: 'own-entries',
  resolveId(id) {
    if (id === 'virtual:entry') return id
    const name = isomorphicEntries.find((entry) => specifierOf(entry) === id)
    return name && { id: join(ROOT, 'dist', `${name}.js`), moduleSideEffects: readJson('package.json').sideEffects }
  }
}

/** What @rollup/plugin-terser does with its defaults; licence comments stay. */
const minify = { name: 'minify', renderChunk: (code) => shorten(code, { module: true }) }

// The page has its own copy of these.
const PEERS = Object.keys(readJson('package.json').peerDependencies)

async function bundle(code, treeshake = {}) {
  const source = { name: 'source', load: (id) => (id === 'virtual:entry' ? { code, moduleSideEffects: true } : null) }
  const build = await rollup({
    input: 'virtual:entry',
    // As in an app, whose entry is nobody's import: no chunk that only passes names on.
    preserveEntrySignatures: 'allow-extension',
    treeshake,
    external: (id) => PEERS.includes(id),
    plugins: [ownEntries, source, nodeResolve({ browser: true, preferBuiltins: false }), commonjs(), minify],
    onwarn(warning) {
      // A bundle for browsers must not lean on Node: an import that nothing resolves is a failure, not a warning.
      if (warning.code === 'UNRESOLVED_IMPORT' || warning.code === 'MISSING_EXPORT') throw new Error(warning.message)
    }
  })
  const { output } = await build.generate({ format: 'es', compact: true })
  return output.filter(({ type }) => type === 'chunk')
}

/** Gzipped size of what loads at once, with its code, and of what only a dynamic import loads. */
function measure(chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const eager = new Set()
  const visit = (name) => {
    if (eager.has(name) || !byName.has(name)) return
    eager.add(name)
    byName.get(name).imports.forEach(visit)
  }
  chunks.filter(({ isEntry }) => isEntry).forEach(({ fileName }) => visit(fileName))
  const sizeOf = (wanted) =>
    chunks
      .filter(({ fileName }) => eager.has(fileName) === wanted)
      .reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
  const codeOf = (wanted) =>
    chunks
      .filter(({ fileName }) => eager.has(fileName) === wanted)
      .map(({ code }) => code)
      .join('\n')
  return { eager: sizeOf(true), lazy: sizeOf(false), code: codeOf(true), later: codeOf(false) }
}

const SIZES = /<!-- sizes:start -->\n([\s\S]*?)<!-- sizes:end -->/

/** The sizes as README.md shows them, in KB. */
function frontPageTable(measured) {
  const row = (cells) => `| ${cells.join(' | ')} |\n`
  const names = Object.keys(measured)
  return `\n${row(names)}${row(names.map(() => '---'))}${row(names.map((name) => (measured[name] / KB).toFixed(1)))}\n`
}

/**
 * True where both tables have the same pages and their figures differ by at most 1 %: versions of zlib pack
 * differently.
 */
function saysTheSame(shown, measured) {
  const [a, b] = [shown, measured].map((table) => table.split(/\s*\|\s*/))
  return (
    a.length === b.length &&
    a.every((cell, i) => cell === b[i] || Math.abs(Number(cell) - Number(b[i])) <= 0.01 * Number(b[i]))
  )
}

// `--write` writes them into README.md; `--release` writes the figures that the next release is compared with.
const released = process.argv.includes('--release') ? {} : readJson(RELEASED)
const unreleased =
  readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
    .split(/^## /m)
    .find((section) => section.startsWith('[Unreleased]')) ?? ''
const waiting = readdirSync(join(ROOT, 'changes')).map((name) => readFileSync(join(ROOT, 'changes', name), 'utf8'))
const isExplained = [unreleased, ...waiting].some((text) => /^(- )?Sizes:/m.test(text))
const sizes = {}
const grown = []
console.log(`${'page'.padEnd(20)}${'gzip KB'.padStart(9)}${'released'.padStart(10)}${'lazy KB'.padStart(9)}`)
for (const [name, code] of Object.entries(PAGES)) {
  const { eager, lazy } = measure(await bundle(code))
  sizes[name] = eager
  const before = released[name]
  if (before !== undefined && eager > before * TOLERANCE) grown.push(name)
  const cells = [
    (eager / KB).toFixed(1).padStart(9),
    (before === undefined ? '' : (before / KB).toFixed(1)).padStart(10),
    (lazy > 0 ? (lazy / KB).toFixed(1) : '').padStart(9)
  ]
  console.log(`${name.padEnd(20)}${cells.join('')}${grown.includes(name) ? '  GROWN' : ''}`)
}
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
const [, shown = ''] = SIZES.exec(readme) ?? []
const table = frontPageTable(sizes)
if (process.argv.includes('--write'))
  writeFileSync(
    join(ROOT, 'README.md'),
    readme.replace(SIZES, () => `<!-- sizes:start -->\n${table}<!-- sizes:end -->`)
  )
const isStale = !process.argv.includes('--write') && !saysTheSame(shown, table)
if (isStale) console.error('README.md shows other sizes than were measured: npm run size -- --write')

if (process.argv.includes('--release')) writeFileSync(join(ROOT, RELEASED), `${JSON.stringify(sizes, null, 2)}\n`)
let failed = isStale || (grown.length > 0 && !isExplained)
if (grown.length > 0 && !isExplained)
  console.error(
    `${grown.join(', ')}: more than 5 % larger than the last release; say so in a file of changes/ whose entry begins "Sizes:".`
  )

console.log('\nwith code splitting')
for (const { name, bytes, limit } of await measureSplitting()) {
  const isTooLarge = bytes > limit
  console.log(
    `${name.padEnd(28)}${(bytes / KB).toFixed(2).padStart(9)} KB of ${(limit / KB).toFixed(2)}${isTooLarge ? '  TOO LARGE' : ''}`
  )
  if (!isTooLarge) continue
  failed = true
  console.error(
    `${name}: ${bytes} bytes gzipped with esbuild's splitting, at most ${limit}. What does its chunk share with what an import() loads? See rollup.config.mjs.`
  )
}

const ofScripts = textsOfScripts()
for (const [name, code] of Object.entries(WITHOUT_SCRIPTS)) {
  const { code: atOnce, later } = measure(await bundle(code))
  const found = scriptSourcesIn(atOnce, ofScripts)
  // A page that pays can load them: where it holds none, the texts are read wrongly.
  const isRead = name !== 'payment' || scriptSourcesIn(later, ofScripts).length > 5
  if (found.length === 0 && isRead) continue
  failed = true
  console.error(
    isRead
      ? `${name} has no scripts, and loads at once what only scripts need: ${found.join(', ')}. Import it with import().`
      : `${name}: the code of scripts is not recognised; see scripts/scriptFree.mjs.`
  )
}

// An import for nothing must leave nothing behind: our modules do no work when they load.
for (const name of isomorphicEntries) {
  const [{ code }] = await bundle(`import ${JSON.stringify(join(ROOT, 'dist', `${name}.js`))}`, {
    moduleSideEffects: (id) => !id.includes('node_modules')
  })
  if (code.trim() === '') continue
  failed = true
  console.error(`${specifierOf(name)} does work at import; left behind:\n${code.slice(0, 500)}`)
}
process.exit(failed ? 1 : 0)
