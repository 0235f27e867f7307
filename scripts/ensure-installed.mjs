// Installs the locked dependencies when they are absent or not those of the lock file.
// Usage: node scripts/ensure-installed.mjs [folder ...]   (default: the package itself)
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages

/** Whether node_modules holds what package-lock.json says; npm records what it installed in a hidden lock file. */
export function isInstalled(folder) {
  const hidden = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const installed = packagesOf(hidden)
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
    ([path, wanted]) =>
      path === '' ||
      installed[path]?.version === wanted.version ||
      (wanted.optional === true && !installed[path]) ||
      (wanted.peer === true && !installed[path])
  )
}

/** Runs `npm ci --ignore-scripts` in a folder when it is needed: no dependency of ours needs an install script. */
export function ensureInstalled(folder = ROOT) {
  if (isInstalled(folder)) return
  console.error(`Installing dependencies${folder === ROOT ? '' : ` of ${folder.slice(ROOT.length + 1)}`} ...`)
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32'
  })
  if (status !== 0) {
    console.error(
      'The dependencies could not be installed: `npm ci --ignore-scripts` failed. Is the npm registry reachable?'
    )
    process.exit(1)
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2)
  for (const folder of folders.length > 0 ? folders.map((path) => resolve(ROOT, path)) : [ROOT]) ensureInstalled(folder)
}
