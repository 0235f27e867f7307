// npm run test:apps: applications that use the packed tarball: a React page under StrictMode in Chromium, Next with a server component, and the
// tests of docs/guides/testing.md under vitest (also with jsdom) and jest.
//   --only=TEXT   runs only what belongs to an application whose name contains TEXT
//   --json --outputFile=FILE   writes the counts in the form of jest's report
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { ensureInstalled } from '../../scripts/ensure-installed.mjs'
import { ROOT } from '../../scripts/entries.mjs'
import { installConsumer } from '../env/lib/consumer.mjs'
import { fillHead, startHeadNode } from '../env/lib/headNode.mjs'
import { endAll, runBounded, start, within } from '../env/lib/processes.mjs'
import { createTally } from '../env/lib/results.mjs'
import { WORDS } from '../env/scenario.mjs'
import { codeBelow } from './guides.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
ensureInstalled(HERE)
const { launch, openPage, serve } = await import('./browser.mjs')

const LIMIT_MS = 540_000
const STEP_LIMIT_MS = 240_000
const OWNER = 'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3jcu5d8ps7zex2k2xt3uqxgjqnnj83ws8lhrn648jjxtwq2ytjqp'
const RECEIVER = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const require = createRequire(import.meta.url)
const tally = createTally()
setTimeout(() => {
  tally.add('test:apps', 'ends in time', { ok: false, error: `It took more than ${LIMIT_MS / 1000} s.` })
  finish()
}, LIMIT_MS).unref()

const only =
  process.argv
    .find((arg) => arg.startsWith('--only='))
    ?.slice('--only='.length)
    .toLowerCase() ?? ''

async function test(app, check, run) {
  if (!app.toLowerCase().includes(only)) return
  const started = Date.now()
  try {
    await run()
    tally.add(app, check, { ok: true, ms: Date.now() - started })
  } catch (error) {
    tally.add(app, check, { ok: false, error: error?.stack ?? error })
  }
}

// Below this folder, so that the packages of its node_modules are found.
mkdirSync(join(HERE, '.cache'), { recursive: true })
const { folder } = await installConsumer(join(HERE, '.cache'))
const node = await startHeadNode(folder)
await fillHead(folder, node.env)
const { nodeUrl } = node.env
const browser = await launch()
if (browser === null && process.env.CI) tally.add('Chromium', 'is there', { ok: false, error: 'install it, or set CHROMIUM_PATH' })
else if (browser === null) console.log('left out: what runs in Chromium; install it, or set CHROMIUM_PATH')

if (browser !== null) await test('React', "the guide's page pays under StrictMode with a CIP-30 wallet, over one connection", reactPays)
await test('Next', 'builds a site that reads a head', nextBuilds)
await test('Next', 'a server component and a client component read the head', nextReads)
await guideTests()

await browser?.close()
await node.close()
finish()

async function reactPays() {
  const app = join(folder, 'react')
  cpSync(join(HERE, 'react'), app, { recursive: true })
  writeFileSync(join(app, 'app.jsx'), codeBelow('react', 'A page that pays')[0])
  const { warnings, metafile } = await build({
    entryPoints: [join(app, 'main.jsx')],
    outfile: join(app, 'out', 'main.mjs'),
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    // Under StrictMode React's development build mounts everything twice.
    define: { 'process.env.NODE_ENV': '"development"' },
    // The paths of test/tsconfig.json lead to the sources.
    tsconfigRaw: {},
    absWorkingDir: ROOT,
    metafile: true,
    logLevel: 'silent'
  })
  const inputs = Object.keys(metafile.inputs)
  assert.ok(inputs.some((path) => path.endsWith('node_modules/layer-sdk/dist/react.js')) && !inputs.some((path) => path.startsWith('src/')), inputs.join('\n'))
  // React's own files carry 'use client' too.
  assert.deepEqual(
    warnings.map(({ text }) => text).filter((text) => !text.includes('use client')),
    []
  )
  cpSync(join(app, 'index.html'), join(app, 'out', 'index.html'))
  const server = await serve(join(app, 'out'), { url: nodeUrl, words: WORDS, to: RECEIVER })
  try {
    const seen = await openPage(browser, `${server.url}/index.html`, nodeUrl)
    const shows = (text) => seen.waitFor(seen.page.getByText(text, { exact: true }))
    await shows('50')
    await seen.page.getByRole('button', { name: 'Pay 2 ada' }).click()
    await shows('48')
    await seen.page.getByRole('button', { name: 'Pay 2 ada', disabled: false }).click()
    await shows('46')
    assert.deepEqual([seen.sockets, seen.noise], [1, []])
    await seen.page.close()
  } finally {
    await server.close()
  }
}

function nextEnv() {
  return {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    HEAD_URL: nodeUrl,
    HEAD_ADDRESS: RECEIVER,
    NEXT_PUBLIC_HEAD_URL: nodeUrl,
    NEXT_PUBLIC_HEAD_ADDRESS: RECEIVER
  }
}

function nextProgram() {
  return join(dirname(require.resolve('next/package.json')), 'dist', 'bin', 'next')
}

async function nextBuilds() {
  const app = join(folder, 'next')
  cpSync(join(HERE, 'next'), app, { recursive: true })
  writeFileSync(join(app, 'app', 'page.jsx'), codeBelow('react', 'Server rendering')[0])
  // Next looks for the project's root by lock files; this one has those of the package above it.
  writeFileSync(
    join(app, 'next.config.mjs'),
    `export default { turbopack: { root: ${JSON.stringify(HERE)} }, outputFileTracingRoot: ${JSON.stringify(HERE)} }\n`
  )
  const { ok, output, reason } = await runBounded(process.execPath, [nextProgram(), 'build'], { cwd: app, env: nextEnv(), limitMs: STEP_LIMIT_MS })
  assert.ok(ok, `next build ${reason}\n${output}`)
  assert.doesNotMatch(output, /warn/i)
  // The reading page is rendered with each request, the other one when the site is built.
  assert.match(output, /ƒ \/\s/)
}

async function nextReads() {
  let found
  const listening = new Promise((resolve) => {
    found = resolve
  })
  const server = start(process.execPath, [nextProgram(), 'start', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: join(folder, 'next'),
    env: nextEnv(),
    onLine: (line) => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
      if (url !== undefined && !url.endsWith(':0')) found(url)
    }
  })
  try {
    const ended = server.ended.then(({ output }) => Promise.reject(new Error(`next start ended:\n${output}`)))
    ended.catch(() => undefined)
    const url = await within(60_000, 'next start', Promise.race([listening, ended]))
    const read = async () => /<p>(\S+?)(?:<!-- -->)? ada in the head<\/p>/.exec(await (await fetch(url)).text())?.[1]
    const before = await read()
    await payFromNode()
    assert.equal(Number(await read()) - Number(before), 3, 'the page shows what was paid between two requests')
    if (browser === null) return
    const seen = await openPage(browser, `${url}/pay`, nodeUrl)
    await seen.waitFor(seen.page.getByText(String(Number(await read()) * 1_000_000), { exact: true }))
    assert.deepEqual([seen.sockets, seen.noise], [1, []])
    await seen.page.close()
  } finally {
    server.end()
  }
}

/** A payment of 3 ada with the packed package in Node. */
async function payFromNode() {
  const load = (name) => import(join(folder, 'node_modules/layer-sdk/dist', `${name}.js`))
  const [{ createHeadClient }, { AppWallet }] = [await load('client'), await load('wallet')]
  const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: WORDS } })
  assert.equal(wallet.getPaymentAddress(), OWNER)
  const head = createHeadClient({ url: nodeUrl, wallet })
  await head.connect()
  await head.pay({ to: RECEIVER, amount: 3_000_000n })
  await head.disconnect()
}

async function guideTests() {
  const [block] = codeBelow('testing', 'jest and vitest')
  const write = (name, code) => writeFileSync(join(folder, name), code)
  const imports = "import { afterEach, beforeEach, expect, test } from 'vitest'\n"
  write('guide-vitest.test.js', imports + block)
  write('guide-jsdom.test.js', `// @vitest-environment jsdom\n${imports}${block}\ntest('runs in a page', () => expect(document.body).toBeDefined())\n`)
  await test('vitest', "runs the guide's tests in Node and in jsdom", async () => {
    const program = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
    const args = [program, 'run', '--root', folder, '--reporter', 'verbose', 'guide-vitest', 'guide-jsdom']
    const { output, ok, reason } = await runBounded(process.execPath, args, { cwd: folder, limitMs: STEP_LIMIT_MS, env: { ...process.env, NO_COLOR: '1' } })
    assert.ok(ok, `vitest ${reason}\n${output}`)
    assert.match(output, /5 passed/)
  })
  await test('jest', "runs the guide's tests as ES modules", async () => {
    mkdirSync(join(folder, 'jest'), { recursive: true })
    write('jest/package.json', '{ "type": "module", "jest": { "transform": {} } }')
    write('jest/guide.test.js', block)
    const program = join(dirname(createRequire(join(ROOT, 'package.json')).resolve('jest/package.json')), 'bin', 'jest.js')
    const args = ['--experimental-vm-modules', '--no-warnings', program, '--rootDir', join(folder, 'jest')]
    const { output, ok, reason } = await runBounded(process.execPath, args, { cwd: join(folder, 'jest'), limitMs: STEP_LIMIT_MS })
    assert.ok(ok, `jest ${reason}\n${output}`)
    assert.match(output, /Tests:\s+2 passed/)
  })
}

/** Writes the counts and ends the process, with all it has started. */
function finish() {
  endAll()
  const { passed, failed } = tally
  const file = process.argv.find((arg) => arg.startsWith('--outputFile='))?.slice('--outputFile='.length)
  if (file !== undefined) writeFileSync(file, JSON.stringify({ numPassedTests: passed, numFailedTests: failed, success: failed === 0 }))
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}
