// The page's and the workers' bundles, each by a bundler with its default settings. A warning is a failure: users would
// see it.
import { cpSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { commonjs, nodeResolve, viteBuild } from './bundlers.mjs'
import { build as esbuild } from 'esbuild'
import { rollup } from 'rollup'

/** Bundles `browser.mjs` of the consumer into a folder of its own. Each returns the folder and the warnings. */
export const browserBundlers = {
  async rollup(folder) {
    const warnings = []
    // As rollup's guide has it: rollup by itself resolves no packages.
    const bundle = await rollup({
      input: join(folder, 'browser.mjs'),
      plugins: [nodeResolve({ browser: true }), commonjs()],
      onwarn: ({ message }) => warnings.push(message)
    })
    const dir = outDir(folder, 'rollup')
    await bundle.write({ dir, format: 'es', entryFileNames: 'browser.mjs' })
    await bundle.close()
    return { dir, warnings }
  },
  async esbuild(folder) {
    const dir = outDir(folder, 'esbuild')
    const { warnings } = await esbuild({
      entryPoints: [join(folder, 'browser.mjs')],
      bundle: true,
      format: 'esm',
      outfile: join(dir, 'browser.mjs'),
      logLevel: 'silent'
    })
    return { dir, warnings: warnings.map(({ text }) => text) }
  },
  async vite(folder) {
    const dir = outDir(folder, 'vite')
    return { dir, warnings: await viteBuild(folder, dir) }
  }
}

/** Bundles a module worker as wrangler does. */
export async function workerBundle(entry, outfile) {
  const { warnings } = await esbuild({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    outfile,
    logLevel: 'silent'
  })
  return warnings.map(({ text }) => text)
}

/** One script that leaves the package in the variable `sdk`. */
export async function scriptBundle(entry, outfile) {
  const { warnings } = await esbuild({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    globalName: 'sdk',
    outfile,
    logLevel: 'silent'
  })
  return warnings.map(({ text }) => text)
}

function outDir(folder, name) {
  const dir = join(realpathSync(folder), 'bundles', name)
  mkdirSync(dir, { recursive: true })
  for (const file of ['page.html', 'page-worker.html', 'start-worker.js']) cpSync(join(folder, file), join(dir, file))
  return dir
}
