// Builds the dashboard: src/dashboard as one HTML file that needs nothing else.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { minify } from 'terser'
import { DASHBOARD, ROOT } from './entries.mjs'
import { noteBundled } from './licences.mjs'

const SOURCES = dirname(join(ROOT, DASHBOARD))
/**
 * Most that a page may load, gzipped. 12 KB of it read transactions, their metadata, datums and scripts; 255 KB recognise
 * heads, of which 195 KB are the points of the accumulator's setup: random bytes, which no compression makes smaller.
 */
export const MAX_GZIP_BYTES = 480 * 1024

/**
 * Parts that load when they are needed, and that the dashboard never needs: verification (an option that its bridge does
 * not set), proofs of single outputs (with their points), a journal's resuming, receipts that are followed, offers, and transactions of
 * one's own.
 */
const UNUSED_PARTS =
  /\/(?:verification\/VerifyingConnector|once\/resume|receipts\/followReceipts|flows\/designedDeposit|tx\/TxBuilder|setup\/g2(?:Points|Tau))\.js$|^\.\.\/actions\/(?:offer|acceptOffer)\.js$/

const withoutUnusedParts = {
  name: 'without-unused-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED_PARTS }, ({ path }) => ({ path, namespace: 'unused' }))
    onLoad({ filter: /.*/, namespace: 'unused' }, ({ path }) => ({
      contents: path.endsWith('/VerifyingConnector.js') ? 'export class VerifyingConnector {}' : '',
      loader: 'js'
    }))
  }
}

const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The page as text. Its policy lets this one script and this one style in, by their hashes; connections go anywhere,
 * since a person says where the node is.
 */
export async function buildDashboard() {
  const bundle = async (entry, options) => {
    const { outputFiles, warnings, metafile } = await build({
      entryPoints: [join(SOURCES, entry)],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      target: 'es2022',
      charset: 'ascii',
      legalComments: 'none',
      logLevel: 'silent',
      ...options
    })
    if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'))
    noteBundled(Object.keys(metafile.inputs))
    return outputFiles[0].text.trim()
  }
  const bundled = await bundle(basename(DASHBOARD), {
    format: 'iife',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [withoutUnusedParts]
  })
  const script = (
    await minify(bundled, {
      ecma: 2022,
      compress: { ecma: 2022, passes: 3 },
      format: { ascii_only: true, comments: false }
    })
  ).code
  const style = await bundle('style.css', {})
  if (/<\/script|<!--/i.test(script)) throw new Error('The script would end its own element.')
  const policy = [
    "default-src 'none'",
    `script-src ${sha256(script)}`,
    `style-src ${sha256(style)}`,
    'img-src data:',
    'connect-src http: https: ws: wss:',
    "base-uri 'none'",
    "form-action 'none'"
  ].join('; ')
  const parts = { policy, style, script }
  const page = readFileSync(join(SOURCES, 'index.html'), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name])
  const bytes = gzipSync(page, { level: 9 }).length
  if (bytes > MAX_GZIP_BYTES) throw new Error(`The dashboard has ${bytes} bytes gzipped, at most ${MAX_GZIP_BYTES}.`)
  return page
}
