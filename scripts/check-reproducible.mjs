// Compares two builds from nothing byte for byte.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'
import { isBuilt } from './fingerprint.mjs'
import { run } from './run.mjs'

function buildAndHash() {
  run(process.execPath, [join(ROOT, 'scripts', 'build.mjs')])
  return hashDist()
}

function hashDist() {
  const dist = join(ROOT, 'dist')
  const files = readdirSync(dist, { recursive: true }).filter((file) => statSync(join(dist, file)).isFile())
  return new Map(
    files.sort().map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(dist, file)))
        .digest('hex')
    ])
  )
}

// What stands there already is a build of these sources too.
const first = isBuilt() ? hashDist() : buildAndHash()
const second = buildAndHash()
const differing = [...new Set([...first.keys(), ...second.keys()])].filter(
  (file) => first.get(file) !== second.get(file)
)
if (differing.length > 0) {
  console.error(`Two clean builds differ in:\n${differing.map((file) => `  dist/${file}`).join('\n')}`)
  process.exit(1)
}
console.log(`Two clean builds are equal: ${first.size} files.`)
