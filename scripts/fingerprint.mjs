import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const INPUTS = [
  'src',
  'package.json',
  'package-lock.json',
  'rollup.config.mjs',
  'tsconfig.json',
  'scripts/build.mjs',
  'scripts/dashboard.mjs',
  'scripts/entries.mjs',
  'scripts/sbom.mjs'
]

/** Where a build notes what it was made from; not published. */
export const STAMP = '.sources'

function* filesBelow(path) {
  const entries = readdirSync(path, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) yield* filesBelow(child)
    else yield child
  }
}

/** A hash of everything that a build depends on. */
export function fingerprint() {
  const hash = createHash('sha256')
  for (const input of INPUTS) {
    const path = join(ROOT, input)
    for (const file of input === 'src' ? filesBelow(path) : [path])
      hash.update(file.slice(ROOT.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Whether dist/ was built from the sources as they are now. */
export function isBuilt() {
  const stamp = join(ROOT, 'dist', STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
}
