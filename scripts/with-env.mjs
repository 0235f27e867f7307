// Runs a program of node_modules/.bin with environment variables set, on every operating system.
// Usage: node scripts/with-env.mjs NAME=value ... program [argument ...]
import { spawnSync } from 'node:child_process'
import { localBin } from './run.mjs'

const args = process.argv.slice(2)
const programAt = args.findIndex((arg) => !/^\w+=/.test(arg))
const env = Object.fromEntries(args.slice(0, programAt).map((pair) => pair.split(/=(.*)/s, 2)))
const [program, ...rest] = args.slice(programAt)
const { status } = spawnSync(localBin(program), rest, {
  stdio: 'inherit',
  env: { ...process.env, ...env },
  shell: process.platform === 'win32'
})
process.exit(status ?? 1)
