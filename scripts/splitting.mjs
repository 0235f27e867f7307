// What a page has loaded at once when its bundler splits code (esbuild, `splitting`), which cuts along every import()
// of the package.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ROOT } from './entries.mjs'

/** Bundles of the user, browser builds first; React and the other peers are the page's own. */
const options = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  mainFields: ['browser', 'module', 'main'],
  absWorkingDir: ROOT,
  write: false,
  logLevel: 'error'
}
const lazyOutside = {
  name: 'lazy-outside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined))
}
const gzipped = (contents) => gzipSync(contents, { level: 9 }).length
const entryOf = (code) => ({ contents: code, resolveDir: ROOT })

/** Gzipped bytes of the entry chunk and of every chunk that it imports statically. */
export async function splitSize(code) {
  const { metafile, outputFiles } = await build({
    ...options,
    stdin: entryOf(code),
    splitting: true,
    metafile: true,
    outdir: 'temp'
  })
  const { outputs } = metafile
  const loaded = new Set()
  const visit = (path) => {
    if (loaded.has(path)) return
    loaded.add(path)
    outputs[path].imports.filter(({ kind }) => kind === 'import-statement').forEach((each) => visit(each.path))
  }
  visit(Object.keys(outputs).find((path) => outputs[path].entryPoint === '<stdin>'))
  return outputFiles
    .filter(({ path }) => [...loaded].some((each) => path.endsWith(each)))
    .reduce((sum, { contents }) => sum + gzipped(contents), 0)
}

/** Gzipped bytes of the same page as one file, without what only an import() loads. */
export async function singleFileSize(code) {
  const { outputFiles } = await build({ ...options, stdin: entryOf(code), plugins: [lazyOutside] })
  return gzipped(outputFiles[0].contents)
}

/**
 * The bounds: one light function of the root entry costs at most 2.4 KB, most of which are names; splitting makes the bridge at most a tenth
 * larger, and a page that pays, which has many more chunks, a fifth.
 * @returns {Promise<{ name: string, bytes: number, limit: number }[]>}
 */
export async function measureSplitting() {
  const light = "import { bytesToHex } from 'layer-sdk'; console.log(bytesToHex(new Uint8Array(3)))"
  const bridge = "import { LayerBridge } from 'layer-sdk/bridge'; console.log(LayerBridge)"
  const payment =
    "import { createHeadClient } from 'layer-sdk/client'; import { TxBuilder } from 'layer-sdk/tx'; import { AppWallet } from 'layer-sdk/wallet'; console.log(createHeadClient, TxBuilder, AppWallet)"
  return [
    { name: '{ bytesToHex } of the root', bytes: await splitSize(light), limit: 2458 },
    {
      name: 'LayerBridge of its subpath',
      bytes: await splitSize(bridge),
      limit: Math.floor((await singleFileSize(bridge)) * 1.1)
    },
    {
      name: 'a page that pays',
      bytes: await splitSize(payment),
      limit: Math.floor((await singleFileSize(payment)) * 1.2)
    }
  ]
}
