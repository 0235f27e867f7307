import { createRequire } from 'node:module'
import { join } from 'node:path'
import commonjsPlugin from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { build, createLogger } from 'vite'

export { nodeResolve }
export const commonjs = commonjsPlugin.default ?? commonjsPlugin

/** `vite build` with nothing set but the folders and the name of the page. @returns {Promise<string[]>} its warnings */
export async function viteBuild(root, outDir, page = 'page.html') {
  const warnings = []
  const logger = createLogger('silent')
  const keep = (text) => warnings.push(text)
  Object.assign(logger, { warn: keep, warnOnce: keep, error: keep })
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    customLogger: logger,
    // The page loads every room, the local head node too: what a page of users loads is reported by `npm run size`.
    build: { outDir, emptyOutDir: true, chunkSizeWarningLimit: 1_000, rollupOptions: { input: join(root, page) } }
  })
  return warnings
}

export const versionOf = (name) => createRequire(import.meta.url)(`${name}/package.json`).version
