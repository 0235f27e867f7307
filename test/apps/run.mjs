// npm run test:apps: applications that use the packed tarball: the starters for React (under StrictMode, in Chromium),
// Next (with a server component) and a dApp (two players) of examples/, each beside the head that it starts, and the
// tests of docs/guides/testing.md under vitest (also with jsdom) and jest. --only=TEXT runs only what belongs to an application
// whose name contains TEXT --json --outputFile=FILE writes the counts in the form of jest's report
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from '../../scripts/ensure-installed.mjs'
import { ROOT } from '../../scripts/entries.mjs'
import { installConsumer } from '../env/lib/consumer.mjs'
import { endAll, runBounded } from '../env/lib/processes.mjs'
import { createTally } from '../env/lib/results.mjs'
import { startPage } from '../env/lib/startUntil.mjs'
import { codeBelow } from './guides.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
ensureInstalled(HERE)
const { launch, openPage } = await import('./browser.mjs')
const { dappTests } = await import('./dapp.mjs')

const LIMIT_MS = 540_000
const STEP_LIMIT_MS = 240_000
const BIN = join(HERE, 'node_modules', '.bin')
/** What every local head funds. */
const DEVELOPMENT_PHRASE = [...Array(23).fill('test'), 'sauce']
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
const browser = await launch()
if (browser === null && process.env.CI)
  tally.add('Chromium', 'is there', { ok: false, error: 'install it, or set CHROMIUM_PATH' })
else if (browser === null) console.log('left out: what runs in Chromium; install it, or set CHROMIUM_PATH')

await test('React', 'the starter is built without a warning and without the development phrase', reactBuilds)
if (browser !== null) await test('React', 'the starter pays under StrictMode, over one connection', reactPays)
await dappTests(test, { app: makeStarter('dapp'), browser, bin: BIN })
await test('Next', 'builds the starter', nextBuilds)
await test('Next', 'a server component and a client component of the starter read the head, and pay', nextReads)
await guideTests()

await browser?.close()
finish()

/** A starter as `layer-sdk new` of the tarball makes it; its packages are those of this folder, and of the consumer. */
function makeStarter(name) {
  const app = join(folder, name)
  if (existsSync(app)) return app
  const program = join(folder, 'node_modules', 'layer-sdk', 'dist', 'cli.js')
  execFileSync(process.execPath, [program, 'new', name, '--no-install'], { cwd: folder })
  return app
}

async function reactBuilds() {
  const app = makeStarter('vite-react')
  const program = join(dirname(require.resolve('vite/package.json')), 'bin', 'vite.js')
  const { ok, output, reason } = await runBounded(process.execPath, [program, 'build'], {
    cwd: app,
    limitMs: STEP_LIMIT_MS
  })
  assert.ok(ok, `vite build ${reason}\n${output}`)
  assert.doesNotMatch(output, /warn/i)
  const scripts = readdirSync(join(app, 'dist', 'assets')).filter((name) => name.endsWith('.js'))
  assert.ok(scripts.length > 0)
  // The word list has its words; the phrase is the only place with many of one.
  const holding = scripts.filter((name) =>
    /fill\(["'`]test["'`]\)/.test(readFileSync(join(app, 'dist', 'assets', name), 'utf8'))
  )
  assert.deepEqual(holding, [])
}

async function reactPays() {
  const server = await startPage(makeStarter('vite-react'), ['vite', '--host', '127.0.0.1'], BIN)
  try {
    const seen = await openPage(browser, server.url, server.headUrl)
    const shows = (text) => seen.waitFor(seen.page.getByText(text, { exact: true }))
    await shows('100')
    // The first visit may have been loaded twice: Vite bundles the packages that it finds on the way.
    await seen.reload()
    await shows('100')
    await seen.page.getByRole('button', { name: 'Pay 2 ada' }).click()
    await shows('98')
    await seen.page.getByRole('button', { name: 'Pay 2 ada', disabled: false }).click()
    await shows('96')
    assert.deepEqual([seen.sockets, seen.noise], [1, []])
    await seen.page.close()
  } finally {
    server.end()
  }
}

function nextProgram() {
  return join(dirname(require.resolve('next/package.json')), 'dist', 'bin', 'next')
}

async function nextBuilds() {
  const app = makeStarter('next')
  // The packages are those of this folder, above the starter's own.
  writeFileSync(
    join(app, 'next.config.mjs'),
    `export default { turbopack: { root: ${JSON.stringify(HERE)} }, outputFileTracingRoot: ${JSON.stringify(HERE)} }\n`
  )
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const { ok, output, reason } = await runBounded(process.execPath, [nextProgram(), 'build'], {
    cwd: app,
    env,
    limitMs: STEP_LIMIT_MS
  })
  assert.ok(ok, `next build ${reason}\n${output}`)
  assert.doesNotMatch(output, /warn/i)
  // Both pages are rendered with each request, not when the site is built.
  assert.match(output, /ƒ \/\s/)
  assert.match(output, /ƒ \/pay\s/)
}

async function nextReads() {
  const server = await startPage(join(folder, 'next'), ['next', 'start', '--hostname', '127.0.0.1'], BIN)
  try {
    const read = async () => {
      const page = await (await fetch(server.url)).text()
      return Number(/<p>(\S+?)(?:<!-- -->)? ada in the head<\/p>/.exec(page)?.[1])
    }
    const before = await read()
    await payFromNode(server.headUrl)
    assert.equal((await read()) - before, 3, 'the page shows what was paid between two requests')
    if (browser === null) return
    const seen = await openPage(browser, `${server.url}/pay`, server.headUrl)
    await seen.waitFor(seen.page.getByText(`${before + 3} ada received`, { exact: true }))
    assert.deepEqual([seen.sockets, seen.noise], [1, []])
    await seen.page.getByRole('button', { name: 'Connect a wallet' }).click()
    await seen.page.getByRole('button', { name: 'Pay 2 ada' }).click()
    await seen.waitFor(seen.page.getByText(`${before + 5} ada received`, { exact: true }))
    assert.equal(await read(), before + 5)
    assert.deepEqual(seen.noise, [])
    await seen.page.close()
  } finally {
    server.end()
  }
}

/** A payment of 3 ada with the packed package in Node. */
async function payFromNode(url) {
  const load = (name) => import(join(folder, 'node_modules/layer-sdk/dist', `${name}.js`))
  const [{ createHeadClient }, { DevNode }, { AppWallet }] = [
    await load('client'),
    await load('devnode'),
    await load('wallet')
  ]
  const node = new DevNode()
  const [, { address: receiver }] = node.keys
  await node.stop()
  const head = createHeadClient({
    url,
    wallet: new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: DEVELOPMENT_PHRASE } })
  })
  await head.connect()
  await head.pay({ to: receiver, amount: 3_000_000n })
  await head.disconnect()
}

async function guideTests() {
  const [block] = codeBelow('testing', 'jest and vitest')
  const write = (name, code) => writeFileSync(join(folder, name), code)
  assert.ok(block.includes("'@jest/globals'"))
  const forVitest = block.replace("'@jest/globals'", "'vitest'")
  write('guide-vitest.test.js', forVitest)
  write(
    'guide-jsdom.test.js',
    `// @vitest-environment jsdom\n${forVitest}\ntest('runs in a page', () => expect(document.body).toBeDefined())\n`
  )
  await test('vitest', "runs the guide's tests in Node and in jsdom", async () => {
    const program = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
    const args = [program, 'run', '--root', folder, '--reporter', 'verbose', 'guide-vitest', 'guide-jsdom']
    const { output, ok, reason } = await runBounded(process.execPath, args, {
      cwd: folder,
      limitMs: STEP_LIMIT_MS,
      env: { ...process.env, NO_COLOR: '1' }
    })
    assert.ok(ok, `vitest ${reason}\n${output}`)
    assert.match(output, /5 passed/)
  })
  await test('jest', "runs the guide's tests as ES modules", async () => {
    mkdirSync(join(folder, 'jest'), { recursive: true })
    write('jest/package.json', '{ "type": "module", "jest": { "transform": {} } }')
    write('jest/guide.test.js', block)
    const program = join(
      dirname(createRequire(join(ROOT, 'package.json')).resolve('jest/package.json')),
      'bin',
      'jest.js'
    )
    const args = ['--experimental-vm-modules', '--no-warnings', program, '--rootDir', join(folder, 'jest')]
    const { output, ok, reason } = await runBounded(process.execPath, args, {
      cwd: join(folder, 'jest'),
      limitMs: STEP_LIMIT_MS
    })
    assert.ok(ok, `jest ${reason}\n${output}`)
    assert.match(output, /Tests:\s+2 passed/)
  })
}

/** Writes the counts and ends the process, with all it has started. */
function finish() {
  endAll()
  const { passed, failed } = tally
  const file = process.argv.find((arg) => arg.startsWith('--outputFile='))?.slice('--outputFile='.length)
  if (file !== undefined)
    writeFileSync(file, JSON.stringify({ numPassedTests: passed, numFailedTests: failed, success: failed === 0 }))
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}
