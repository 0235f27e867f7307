// The package as a user gets it: packed, and installed from the tarball in an empty folder.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packAndUnpack } from '../../../scripts/pack.mjs'
import { runBounded } from './processes.mjs'

export const HERE = fileURLToPath(new URL('..', import.meta.url))

/**
 * @param parent - folder to make the project's folder in
 * @returns {Promise<{ folder: string, remove: () => void }>} a project whose only dependency is the packed package
 */
export async function installConsumer(parent = tmpdir()) {
  const packed = packAndUnpack()
  const folder = mkdtempSync(join(parent, 'layer-sdk-env-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
    packed.tarball
  ]
  const { ok, output, reason } = await runBounded(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd: folder,
    limitMs: 120_000
  })
  packed.remove()
  if (!ok)
    throw new Error(
      `The packed tarball could not be installed: npm ${reason}. Is the npm registry reachable?\n${output}`
    )
  cpSync(join(HERE, 'scenario.mjs'), join(folder, 'scenario.mjs'))
  cpSync(join(HERE, 'hosts'), folder, { recursive: true })
  return { folder, remove }
}
