// The layers of src/, in one place: the lint rule and test/package/layering.test.ts both read them.
// CommonJS, because jest and eslint.config.mjs both load it as it is.
const { posix } = require('node:path')

const BASE = ['types', 'constants', 'errors']

/** Room -> the rooms its files may import from. `index` is src/index.ts. */
const MAY_IMPORT = {
  types: BASE,
  constants: BASE,
  errors: BASE,
  hash: BASE,
  codec: [...BASE, 'hash'],
  crypto: [...BASE, 'hash', 'codec'],
  utils: [...BASE, 'hash', 'codec', 'crypto'],
  wallet: [...BASE, 'hash', 'codec', 'crypto', 'utils'],
  providers: [...BASE, 'hash', 'codec'],
  bridge: [...BASE, 'hash', 'codec'],
  tx: [...BASE, 'hash', 'codec'],
  accumulator: [...BASE, 'hash', 'codec'],
  verify: [...BASE, 'hash', 'codec', 'accumulator'],
  devnode: [...BASE, 'hash', 'codec', 'crypto', 'bridge/connection/Connector'],
  'cardano-sdk': [...BASE, 'hash', 'codec', 'crypto'],
  cli: [...BASE, 'hash', 'codec', 'crypto', 'utils', 'wallet', 'providers', 'bridge', 'tx', 'devnode'],
  index: [...BASE, 'utils', 'wallet', 'providers', 'bridge']
}

/** Room -> the packages its files may import; a trailing slash stands for a whole scope. */
const MAY_IMPORT_PACKAGES = {
  codec: [],
  crypto: ['@noble/', '@scure/'],
  accumulator: ['@noble/'],
  verify: ['@noble/'],
  providers: ['isomorphic-ws'],
  bridge: ['isomorphic-ws', 'socket.io-client'],
  devnode: ['ws', 'node:'],
  cli: ['ws', 'node:'],
  'cardano-sdk': ['@cardano-sdk/']
}

/** Rooms that run in Node only; all others run everywhere. */
const NODE_ROOMS = ['devnode', 'cli']

/** Packages that are loaded when they are needed, never at import. */
const LAZY_PACKAGES = ['socket.io-client', '@noble/curves/bls12-381.js', '@noble/curves/ed25519.js', '@noble/curves/abstract/curve.js']

/** The room of a path below src/: `bridge/head/cache` -> `bridge`, `constants` -> `constants`. */
const roomOf = (path) => path.split('/')[0].replace(/\.ts$/, '')

const isRoomOrFile = (path, allowed) => allowed.some((entry) => path === entry || path.startsWith(`${entry}/`))

function packageProblem(room, specifier, lazy) {
  const allowed = MAY_IMPORT_PACKAGES[room] ?? []
  if (!allowed.some((entry) => specifier === entry || specifier.startsWith(/[/:]$/.test(entry) ? entry : `${entry}/`))) {
    return `${room} does not import the package ${specifier}`
  }
  if (LAZY_PACKAGES.includes(specifier) && !lazy) return `${specifier} is loaded by import() only, when it is needed`
  return null
}

/**
 * What is wrong with one import, or null.
 * @param {string} file path of the importing file below src/, with slashes: `bridge/head/cache.ts`
 * @param {string} specifier what it imports, as written
 * @param {{ lazy?: boolean, typeOnly?: boolean }} [kind] whether it is an `import()` or an `import type`
 * @returns {string | null}
 */
function importProblem(file, specifier, { lazy = false, typeOnly = false } = {}) {
  const room = roomOf(file)
  if (!(room in MAY_IMPORT)) return `src/${room} is not a room of docs/architecture.md`
  if (!specifier.startsWith('.')) return packageProblem(room, specifier, lazy || typeOnly)
  if (!specifier.endsWith('.js')) return 'relative imports end in .js'

  const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '')
  if (target.startsWith('..')) return 'src imports nothing outside src'
  const targetRoom = roomOf(target)
  if (targetRoom === room) {
    if (target === `${room}/index`) return "a room's own files do not import its index.ts: import the sibling"
    if (target === 'bridge/LayerBridge' && /^bridge\/(wire|connection|head|tx)\//.test(file)) return 'the parts of the bridge do not import LayerBridge: it hands them ports'
    return null
  }
  return isRoomOrFile(target, MAY_IMPORT[room]) ? null : `${room} does not import ${targetRoom}`
}

module.exports = { MAY_IMPORT, MAY_IMPORT_PACKAGES, NODE_ROOMS, importProblem, roomOf }
