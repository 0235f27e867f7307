// Builds the dashboard: src/dashboard as one HTML file that needs nothing else.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { minify } from 'terser'
import { DASHBOARD, ROOT } from './entries.mjs'

const SOURCES = dirname(join(ROOT, DASHBOARD))
/** What a page may load at most, gzipped. */
export const MAX_GZIP_BYTES = 192 * 1024

/**
 * The bridge verifies snapshots only when its option asks for it, which the dashboard's does not: the curve and its
 * points stay out.
 */
const withoutVerification = {
  name: 'without-verification',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/verification\/VerifyingConnector\.js$/ }, ({ path }) => ({
      path,
      namespace: 'without-verification'
    }))
    onLoad({ filter: /.*/, namespace: 'without-verification' }, () => ({
      contents: 'export class VerifyingConnector {}',
      loader: 'js'
    }))
  }
}

/** The dashboard keeps no journal: what resumes one stays out. */
const withoutJournal = {
  name: 'without-journal',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/once\/resume\.js$/ }, ({ path }) => ({ path, namespace: 'without-journal' }))
    onLoad({ filter: /.*/, namespace: 'without-journal' }, () => ({ contents: '', loader: 'js' }))
  }
}

const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The page as text. Its policy lets this one script and this one style in, by their hashes; connections go anywhere,
 * since a person says where the node is.
 */
export async function buildDashboard() {
  const bundle = async (entry, options) => {
    const { outputFiles, warnings } = await build({
      entryPoints: [join(SOURCES, entry)],
      bundle: true,
      minify: true,
      write: false,
      target: 'es2022',
      charset: 'ascii',
      legalComments: 'none',
      logLevel: 'silent',
      ...options
    })
    if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'))
    return outputFiles[0].text.trim()
  }
  const bundled = await bundle(basename(DASHBOARD), {
    format: 'iife',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [withoutVerification, withoutJournal]
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
