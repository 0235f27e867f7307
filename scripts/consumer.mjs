import { mkdirSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ensureInstalled } from './ensure-installed.mjs'
import { readJson, ROOT } from './entries.mjs'
import { packAndUnpack } from './pack.mjs'

/** The compilers that the declarations and examples must pass: the folder each is installed in. */
const COMPILERS = new Map([
  ['5.9', 'test/types/ts59'],
  ['6', '.'],
  ['7', 'test/types/ts70']
])

/**
 * Finds the TypeScript compilers of the given major (and minor) versions, and installs what is missing.
 * @param {readonly string[]} wanted versions in COMPILERS
 * @returns {{ version: string, tsc: string }[]}
 */
export function compilers(wanted = [...COMPILERS.keys()]) {
  return wanted.map((name) => {
    const folder = join(ROOT, COMPILERS.get(name))
    ensureInstalled(folder)
    const manifest = createRequire(join(folder, 'package.json')).resolve('typescript/package.json')
    return { version: readJson(manifest.slice(ROOT.length + 1)).version, tsc: join(dirname(manifest), 'bin', 'tsc') }
  })
}

/**
 * Packs the package and lays out a project that has it in node_modules, with its dependencies, its peers and Node's
 * types.
 * @returns {{ folder: string, remove: () => void }} the project's folder
 */
export function createConsumer() {
  const { folder: packed, remove } = packAndUnpack()
  const folder = join(packed, '..', 'consumer')
  const link = (name, target) => {
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), target, 'dir')
  }
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(packed, join(folder, 'node_modules', 'layer-sdk'), 'dir')
  const { dependencies, peerDependencies } = readJson('package.json')
  for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
    link(name, join(packed, 'node_modules', name))
  link('@types/react', join(packed, 'node_modules', '@types', 'react'))
  link('@types/node', join(folder, 'node_modules', '@types', 'node'))
  return { folder, remove, link: (name) => link(name, join(folder, 'node_modules', name)) }
}
