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
  net: [...BASE, 'hash', 'codec'],
  crypto: [...BASE, 'hash', 'codec'],
  utils: [...BASE, 'hash', 'codec', 'crypto'],
  wallet: [...BASE, 'hash', 'codec', 'crypto', 'utils'],
  providers: [...BASE, 'hash', 'codec', 'net'],
  bridge: [...BASE, 'hash', 'codec', 'net'],
  tx: [...BASE, 'hash', 'codec'],
  client: [...BASE, 'hash', 'codec', 'net', 'tx', 'bridge'],
  journal: [...BASE, 'hash', 'codec', 'net'],
  react: [...BASE, 'client'],
  accumulator: [...BASE, 'hash', 'codec'],
  verify: [...BASE, 'hash', 'codec', 'accumulator'],
  setup: [...BASE, 'hash', 'codec'],
  doctor: [...BASE, 'hash', 'codec', 'net', 'bridge'],
  conformance: [...BASE, 'hash', 'codec', 'net', 'bridge', 'client'],
  recognition: [...BASE, 'hash', 'codec', 'net', 'accumulator', 'verify'],
  adapters: [...BASE, 'hash', 'codec', 'bridge', 'client'],
  devnode: [...BASE, 'hash', 'codec', 'crypto', 'net', 'accumulator', 'bridge/connection/Connector'],
  gateway: [...BASE, 'hash', 'codec', 'net', 'bridge', 'verify'],
  'cardano-sdk': [...BASE, 'hash', 'codec', 'crypto'],
  dashboard: [
    ...BASE,
    'hash',
    'codec',
    'utils',
    'wallet',
    'providers',
    'bridge',
    'tx',
    'client',
    'doctor',
    'recognition'
  ],
  cli: [
    ...BASE,
    'hash',
    'codec',
    'crypto',
    'net',
    'utils',
    'wallet',
    'providers',
    'bridge',
    'verify',
    'setup',
    'recognition',
    'tx',
    'client',
    'doctor',
    'conformance',
    'journal',
    'adapters',
    'devnode',
    'gateway'
  ],
  index: [...BASE, 'utils', 'wallet', 'providers', 'bridge', 'client']
}

/** Room -> the rooms that it imports by import() alone, when they are needed; their types at any time. */
const MAY_LOAD = {
  bridge: ['accumulator', 'verify'],
  client: ['doctor', 'verify'],
  conformance: ['verify'],
  doctor: ['verify'],
  react: ['bridge', 'recognition']
}

/** Folders of devnode, the lowest first: each imports those before it alone, types included. */
const DEVNODE_FLOORS = [
  'json',
  'settings',
  'rules',
  'chain',
  'head',
  'wire',
  'deposits',
  'headTxs',
  'party',
  'fork',
  'saved',
  'serve'
]

/** Files beside those folders, which none of them imports. */
const DEVNODE_TOP = ['DevNode', 'DevNodeParty', 'driveTo', 'fundAtStart', 'startDevNode', 'wiring'].map(
  (file) => `devnode/${file}`
)

/** Folder of a room -> folders and files of the same room that it does not import. */
const FOLDER_MAY_NOT_IMPORT = {
  'bridge/protocol': [
    'bridge/LayerBridge',
    'bridge/connection',
    'bridge/head',
    'bridge/txs',
    'bridge/moves',
    'bridge/delivery'
  ],
  'bridge/connection': ['bridge/LayerBridge', 'bridge/head', 'bridge/txs', 'bridge/moves'],
  'bridge/head': ['bridge/LayerBridge', 'bridge/BridgeContext', 'bridge/txs', 'bridge/moves'],
  'bridge/txs': ['bridge/LayerBridge', 'bridge/BridgeContext', 'bridge/moves'],
  'bridge/moves': ['bridge/LayerBridge', 'bridge/BridgeContext'],
  'bridge/delivery': [
    'bridge/LayerBridge',
    'bridge/BridgeContext',
    'bridge/connection',
    'bridge/head',
    'bridge/txs',
    'bridge/moves',
    'bridge/verification'
  ],
  ...Object.fromEntries(
    ['control', 'blockfrost', 'ogmios', 'kupo'].map((face, _, faces) => [
      `devnode/serve/${face}`,
      [
        ...DEVNODE_TOP,
        'devnode/serve/api',
        ...faces.filter((each) => each !== face).map((each) => `devnode/serve/${each}`)
      ]
    ])
  ),
  ...Object.fromEntries(
    DEVNODE_FLOORS.map((floor, i) => [
      `devnode/${floor}`,
      [...DEVNODE_TOP, ...DEVNODE_FLOORS.slice(i + 1).map((above) => `devnode/${above}`)]
    ])
  ),
  'client/flows': ['client/api', 'client/actions', 'client/once'],
  'client/once': ['client/api', 'client/actions'],
  'client/actions': ['client/api'],
  'providers/shared': ['providers/indexer', 'providers/kupo', 'providers/rpc'],
  'providers/indexer': ['providers/kupo', 'providers/rpc'],
  'providers/kupo': ['providers/indexer', 'providers/rpc'],
  'providers/rpc': ['providers/indexer', 'providers/kupo'],
  'wallet/keys': ['wallet/signing', 'wallet/cip30'],
  'wallet/signing': ['wallet/cip30']
}

/** Room -> the packages its files may import; a trailing slash stands for a whole scope. */
const MAY_IMPORT_PACKAGES = {
  gateway: ['ws', 'node:', 'socket.io', 'jose', 'redis'],
  codec: [],
  net: ['isomorphic-ws'],
  crypto: ['@noble/', '@scure/'],
  accumulator: ['@noble/'],
  verify: ['@noble/'],
  doctor: ['@noble/hashes/'],
  journal: ['idb', 'redis', 'node:'],
  react: ['react'],
  adapters: ['scalus'],
  providers: ['isomorphic-ws'],
  bridge: ['isomorphic-ws', 'mitt', 'socket.io-client'],
  dashboard: ['preact', '@preact/signals'],
  devnode: ['ws', 'node:'],
  cli: ['ws', 'node:'],
  'cardano-sdk': ['@cardano-sdk/']
}

/** Rooms that run in Node only; all others run everywhere. */
const NODE_ROOMS = ['devnode', 'cli', 'gateway']

/** Packages that are loaded when they are needed, never at import. */
const LAZY_PACKAGES = [
  'socket.io-client',
  'socket.io',
  'jose',
  'redis',
  'idb',
  '@noble/curves/bls12-381.js',
  '@noble/curves/ed25519.js',
  '@noble/curves/abstract/curve.js'
]

/** Files of ours that import those packages as usual, and are themselves loaded when they are needed. */
const LAZY_FILES = ['accumulator/bls12381', 'verify/ed25519']

/** Rooms below all others, whose files are imported by path. */
const FOUNDATION = ['types', 'constants', 'errors', 'hash', 'codec', 'net']

/** Room -> files of other rooms that it imports past their doors: an interface without code. */
const DEEP = { devnode: ['bridge/connection/Connector'], index: ['providers/ProviderUtils'] }

/** Other rooms enter by index.ts or inner.ts; import() names the file, since it decides which bytes load. */
function doorProblem(target, lazy) {
  const room = roomOf(target)
  if (lazy || FOUNDATION.includes(room) || target === `${room}/index` || target === `${room}/inner`) return null
  return `other rooms enter ${room} by ${room}/inner.ts`
}

/** The room of a path below src/: `bridge/head/cache` -> `bridge`, `constants` -> `constants`. */
const roomOf = (path) => path.split('/')[0].replace(/\.tsx?$/, '')

const isRoomOrFile = (path, allowed) => allowed.some((entry) => path === entry || path.startsWith(`${entry}/`))

function packageProblem(room, specifier, mayImport) {
  const allowed = MAY_IMPORT_PACKAGES[room] ?? []
  if (
    !allowed.some((entry) => specifier === entry || specifier.startsWith(/[/:]$/.test(entry) ? entry : `${entry}/`))
  ) {
    return `${room} does not import the package ${specifier}`
  }
  if (LAZY_PACKAGES.includes(specifier) && !mayImport)
    return `${specifier} is loaded by import() only, when it is needed`
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
  if (!specifier.startsWith('.'))
    return packageProblem(room, specifier, lazy || typeOnly || LAZY_FILES.includes(file.replace(/\.tsx?$/, '')))
  if (!specifier.endsWith('.js')) return 'relative imports end in .js'

  const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '')
  if (target.startsWith('..')) return 'src imports nothing outside src'
  if (LAZY_FILES.includes(target) && !lazy && !typeOnly)
    return `${target} is loaded by import() only, when it is needed`
  const targetRoom = roomOf(target)
  if (targetRoom === room) {
    if (target === `${room}/index`) return "a room's own files do not import its index.ts: import the sibling"
    const folder = posix.dirname(file)
    const own = Object.keys(FOLDER_MAY_NOT_IMPORT).find((each) => folder === each || folder.startsWith(`${each}/`))
    if (own !== undefined && isRoomOrFile(target, FOLDER_MAY_NOT_IMPORT[own])) return `${own} does not import ${target}`
    return null
  }
  if ((lazy || typeOnly) && MAY_LOAD[room]?.includes(targetRoom)) return null
  const door = doorProblem(target, lazy)
  if (door !== null && !(room in DEEP && DEEP[room].includes(target))) return door
  return isRoomOrFile(target, MAY_IMPORT[room]) ? null : `${room} does not import ${targetRoom}`
}

module.exports = { FOLDER_MAY_NOT_IMPORT, MAY_IMPORT, MAY_IMPORT_PACKAGES, NODE_ROOMS, importProblem, roomOf }
