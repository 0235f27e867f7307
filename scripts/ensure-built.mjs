// Installs what is missing and builds dist/ when the sources changed since it was built.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './ensure-installed.mjs'
import { isBuilt } from './fingerprint.mjs'

ensureInstalled()
if (!isBuilt()) {
  console.error('Building dist/ from the sources: about a minute the first time, nothing later ...')
  const build = join(dirname(fileURLToPath(import.meta.url)), 'build.mjs')
  const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) process.exit(1)
}
