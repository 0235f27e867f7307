// Notes the public names of a release in etc/released.json, from which the reference says since when a name is there.
// Usage: node scripts/released.mjs VERSION [REVISION]   (without a revision: the API reports as they lie there)
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, ROOT } from './entries.mjs'
import { recordOf } from './reference/released.mjs'

const RELEASED = 'etc/released.json'
const [version, revision] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+/.test(version ?? '')) {
  console.error('Usage: node scripts/released.mjs VERSION [REVISION]')
  process.exit(1)
}

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
const files =
  revision === undefined
    ? readdirSync(join(ROOT, 'etc')).map((name) => `etc/${name}`)
    : git('ls-tree', '--name-only', revision, 'etc/').split('\n')
const textOf = (path) =>
  revision === undefined ? readFileSync(join(ROOT, path), 'utf8') : git('show', `${revision}:${path}`)
const reports = Object.fromEntries(
  files.filter((path) => path.endsWith('.api.md')).map((path) => [/([\w-]+)\.api\.md$/.exec(path)[1], textOf(path)])
)

const released = { ...readJson(RELEASED), [version]: recordOf(reports) }
writeFileSync(join(ROOT, RELEASED), `${JSON.stringify(released, null, 1)}\n`)
console.log(`${RELEASED}: ${Object.values(released[version]).flat().length} names of ${version}`)
