// This package and its first release, 0.1.0, bundled from their sources in the same way, so that both run in one run on
// one machine.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** The commit of 0.1.0. */
const FIRST_RELEASE = 'fb9b5372fd54e8c4e0d6ad9e237771383d7a3706'
const ENTRIES = ['bridge', 'wallet', 'devnode', 'tx', 'providers']

async function bundle(from, folder) {
  await build({
    entryPoints: ENTRIES.map((name) => ({ in: join(from, 'src', name, 'index.ts'), out: name })),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outExtension: { '.js': '.mjs' },
    outdir: folder,
    logLevel: 'error'
  })
  if (!existsSync(join(folder, 'node_modules')))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
}

/** Folders with `bridge.mjs`, `wallet.mjs`, ... of both; 0.1.0 is null in a clone that does not have its commit. */
export async function bundles() {
  const temporary = mkdtempSync(join(tmpdir(), 'layer-sdk-bench-'))
  const remove = () => rmSync(temporary, { recursive: true, force: true })
  try {
    const ours = join(temporary, 'ours')
    await bundle(ROOT, ours)
    const sources = join(temporary, 'sources')
    const first = join(temporary, 'first')
    try {
      const archive = execFileSync('git', ['-C', ROOT, 'archive', FIRST_RELEASE, 'src'], {
        maxBuffer: 2 ** 28,
        stdio: ['ignore', 'pipe', 'ignore']
      })
      mkdirSync(sources)
      execFileSync('tar', ['-x', '-C', sources], { input: archive })
      await bundle(sources, first)
    } catch (error) {
      console.error(`0.1.0 is left out: ${error.message.split('\n')[0]}`)
      return { ours, first: null, remove }
    }
    return { ours, first, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** A module of a bundle. */
export const load = (folder, name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href)
