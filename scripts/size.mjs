// Bundles each entry for production with its dependencies, as a user's bundler would, and holds what loads at once to its budget.
// What only a dynamic import loads (socket.io for the gateway, a provider's submitting, ...) is shown beside it.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import commonjs from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import { minify as shorten } from 'terser'
import { isomorphicEntries, readJson, ROOT, specifierOf } from './entries.mjs'

const KB = 1024
const BUDGETS = [
  { name: 'wallet', code: exportAll('wallet'), budget: 32 },
  { name: 'bridge without the gateway', code: await bridgeWithoutGateway(), budget: 42 },
  { name: 'utils', code: exportAll('utils'), budget: 25 },
  { name: 'providers', code: exportAll('providers'), budget: 10 },
  { name: 'tx', code: exportAll('tx'), budget: 16 },
  { name: 'client', code: exportAll('client'), budget: 65 },
  { name: 'verify', code: exportAll('verify'), budget: 25 },
  { name: 'react beside client', needs: 'react', beside: 'client', code: exportAll('react'), budget: 1.5 },
  { name: 'mesh beside client', needs: 'mesh', beside: 'client', code: exportAll('mesh'), budget: 2 },
  { name: 'lucid beside client', needs: 'lucid', beside: 'client', code: exportAll('lucid'), budget: 2 },
  { name: 'blaze beside client', needs: 'blaze', beside: 'client', code: exportAll('blaze'), budget: 2.5 },
  { name: '{ hexToBytes }', needs: 'utils', code: "export { hexToBytes } from 'layer-sdk/utils'", budget: 1 },
  { name: 'everything', needs: 'index', code: `${exportAll('index')}\n${exportAll('tx')}`, budget: 90 }
].filter(({ name, needs }) => isomorphicEntries.includes(needs ?? name.split(' ')[0]))

function exportAll(name) {
  return isomorphicEntries.includes(name) ? `export * from '${specifierOf(name)}'` : ''
}

/** Every export of the bridge but the gateway's connector, by name, so that the rest can fall away. */
async function bridgeWithoutGateway() {
  if (!isomorphicEntries.includes('bridge')) return ''
  const names = Object.keys(await import(join(ROOT, 'dist', 'bridge.js'))).filter((name) => !name.startsWith('Gateway'))
  return `export { ${names.join(', ')} } from 'layer-sdk/bridge'`
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

/** Gzipped size of what loads at once, and of what only a dynamic import loads. */
function measure(chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const eager = new Set()
  const visit = (name) => {
    if (eager.has(name) || !byName.has(name)) return
    eager.add(name)
    byName.get(name).imports.forEach(visit)
  }
  chunks.filter(({ isEntry }) => isEntry).forEach(({ fileName }) => visit(fileName))
  const sizeOf = (wanted) => chunks.filter(({ fileName }) => eager.has(fileName) === wanted).reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
  return { eager: sizeOf(true), lazy: sizeOf(false) }
}

let failed = false
console.log(`${'entry'.padEnd(28)}${'gzip KB'.padStart(9)}${'budget'.padStart(9)}${'lazy KB'.padStart(9)}`)
for (const { name, code, budget, beside } of BUDGETS) {
  const { eager: whole, lazy } = measure(await bundle(beside ? `${exportAll(beside)}\n${code}` : code))
  const eager = beside ? whole - measure(await bundle(exportAll(beside))).eager : whole
  const over = eager > budget * KB
  failed ||= over
  const cells = [(eager / KB).toFixed(1).padStart(9), String(budget).padStart(9), (lazy > 0 ? (lazy / KB).toFixed(1) : '').padStart(9)]
  console.log(`${name.padEnd(28)}${cells.join('')}${over ? '  OVER BUDGET' : ''}`)
}

// An import for nothing must leave nothing behind: our modules do no work when they load.
for (const name of isomorphicEntries) {
  const [{ code }] = await bundle(`import ${JSON.stringify(join(ROOT, 'dist', `${name}.js`))}`, { moduleSideEffects: (id) => !id.includes('node_modules') })
  if (code.trim() === '') continue
  failed = true
  console.error(`${specifierOf(name)} does work at import; left behind:\n${code.slice(0, 500)}`)
}
process.exit(failed ? 1 : 0)
