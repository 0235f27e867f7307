// npm run compat -- --url ws://host:4001: `layer-sdk compat`, from this checkout. Reads only, unless --pay FILE is
// given.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'

const { status } = spawnSync(process.execPath, [join(ROOT, 'dist', 'cli.js'), 'compat', ...process.argv.slice(2)], {
  stdio: 'inherit'
})
process.exit(status ?? 1)
