import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * The public entries: name of the file in dist -> source.
 * Everything that goes over the entries (build, API reports, sizes, package checks) reads this list.
 */
export const libraryEntries = {
  index: 'src/index.ts',
  wallet: 'src/wallet/index.ts',
  utils: 'src/utils/index.ts',
  providers: 'src/providers/index.ts',
  bridge: 'src/bridge/index.ts',
  tx: 'src/tx/index.ts',
  client: 'src/client/index.ts',
  journal: 'src/journal/index.ts',
  verify: 'src/verify/index.ts',
  setup: 'src/setup/index.ts',
  doctor: 'src/doctor/index.ts',
  recognition: 'src/recognition/index.ts',
  react: 'src/react/index.ts',
  mesh: 'src/adapters/mesh.ts',
  lucid: 'src/adapters/lucid.ts',
  blaze: 'src/adapters/blaze.ts',
  scalus: 'src/adapters/scalus.ts',
  devnode: 'src/devnode/index.ts',
  gateway: 'src/gateway/index.ts',
  'cardano-sdk': 'src/cardano-sdk/index.ts'
}

/** The program behind the `layer-sdk` command. */
export const cliEntries = { cli: 'src/cli/index.ts' }

/** The page that the local head serves; scripts/dashboard.mjs makes one HTML file of it. */
export const DASHBOARD = 'src/dashboard/main.tsx'

/** Entries that users' bundlers must be able to put into a browser or a worker. */
export const isomorphicEntries = [
  'index',
  'wallet',
  'utils',
  'providers',
  'bridge',
  'tx',
  'client',
  'journal',
  'verify',
  'setup',
  'doctor',
  'recognition',
  'react',
  'mesh',
  'lucid',
  'blaze',
  'scalus'
]

/** Import specifier of an entry: `index` -> `layer-sdk`, `wallet` -> `layer-sdk/wallet`. */
export const specifierOf = (name) => (name === 'index' ? 'layer-sdk' : `layer-sdk/${name}`)

export const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
