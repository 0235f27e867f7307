// What a page loads before its first balance, and what an installation takes: gzip KB by esbuild with splitting, and the
// package as npm would pack it.
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))

/** Gzip KB of a page that has loaded these exports, React apart. */
async function pageKb(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: HERE },
    bundle: true,
    minify: true,
    splitting: true,
    outdir: join(HERE, 'out'),
    format: 'esm',
    platform: 'browser',
    external: ['react'],
    write: false,
    logLevel: 'error'
  })
  // The first file is the page's; what only an import() loads is in the others, unless the page itself imports it.
  const byName = new Map(outputFiles.map((file) => [file.path.split('/').at(-1), file]))
  const loaded = new Set([outputFiles.find(({ path }) => path.endsWith('stdin.js'))])
  for (const file of loaded)
    for (const [, name] of file.text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) loaded.add(byName.get(name))
  return [...loaded].reduce((sum, { contents: bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0) / 1000
}

const BRIDGE = "export { LayerBridge } from 'layer-sdk/bridge'"
const CLIENT = "export { createHeadClient } from 'layer-sdk/client'"
const PAYS = `${CLIENT}; ${BRIDGE}; export { TxBuilder } from 'layer-sdk/tx'; export { AppWallet } from 'layer-sdk/wallet'`
const HOOKS = `${CLIENT}; export * from 'layer-sdk/react'`

/** The package as npm would pack it. */
function packed() {
  const out = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(HERE, '..'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26
  })
  const [{ unpackedSize, entryCount, size }] = JSON.parse(out)
  return { unpackedSize, entryCount, size }
}

/** `most`: the floor that bench/notes.md explains, null where there is none. */
function row(name, unit, ours, most) {
  const alone = { rival: null, rivalName: null, ratio: null }
  if (most === null) return { name, unit, ours, ...alone, target: 'reported', pass: true }
  return { name, unit, ours, ...alone, target: `<= ${most}`, pass: ours <= most }
}

export async function run() {
  const [bridge, client, pays, hooks] = [
    await pageKb(BRIDGE),
    await pageKb(CLIENT),
    await pageKb(PAYS),
    await pageKb(HOOKS)
  ]
  const { unpackedSize, entryCount, size } = packed()
  return [
    row('A page that can pay: client, bridge, builder and wallet, gzip', 'KB', pays, 145),
    row('A page with the client, gzip', 'KB', client, 117),
    row('A page with a connected bridge, gzip', 'KB', bridge, 62),
    row('Hooks of layer-sdk/react beside the client, gzip', 'KB', hooks - client, 3.3),
    row('The package, unpacked', 'MB', unpackedSize / 1e6, 7.5),
    row('The package, files', '', entryCount, 600),
    row('The package, as it is downloaded', 'MB', size / 1e6, null)
  ]
}
