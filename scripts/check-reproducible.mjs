// Compares two builds from nothing byte for byte.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'
import { isBuilt } from './fingerprint.mjs'
import { run } from './run.mjs'

function build() {
  run(process.execPath, [join(ROOT, 'scripts', 'build.mjs')])
  return readDist()
}

/** Returns the content of each file of dist. */
function readDist() {
  const dist = join(ROOT, 'dist')
  const files = readdirSync(dist, { recursive: true }).filter((file) => statSync(join(dist, file)).isFile())
  return new Map(files.sort().map((file) => [file, readFileSync(join(dist, file))]))
}

/** Returns the first place at which two files differ, as both have it. */
function firstDifference(before, after) {
  if (before === undefined || after === undefined)
    return before === undefined ? 'only the second has it' : 'only the first has it'
  const found = before.findIndex((byte, i) => byte !== after[i])
  const at = found < 0 ? before.length : found
  const start = Math.max(0, at - 60)
  const excerpt = (content) => JSON.stringify(content.subarray(start, start + 160).toString('latin1'))
  return `at byte ${at}\n    ${excerpt(before)}\n    ${excerpt(after)}`
}

// What stands there already is a build of these sources too.
const first = isBuilt() ? readDist() : build()
const second = build()
const differing = [...new Set([...first.keys(), ...second.keys()])].filter(
  (file) => first.get(file)?.equals(second.get(file) ?? Buffer.alloc(0)) !== true
)
if (differing.length > 0) {
  const lines = differing.map((file) => `  dist/${file}: ${firstDifference(first.get(file), second.get(file))}`)
  console.error(`Two clean builds differ in:\n${lines.join('\n')}`)
  process.exit(1)
}
console.log(`Two clean builds are equal: ${first.size} files.`)
