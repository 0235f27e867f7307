// npm run test:dashboard: the built page in Chromium, against local heads; with LAYER_SDK_FULL=1 on every profile, and
// in Firefox where it is installed. npm run test:firefox: in Firefox alone. --only=TEXT runs only the parts whose name
// contains TEXT --json --outputFile=FILE writes the counts in the form of jest's report
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from '../../scripts/ensure-installed.mjs'
import { readJson } from '../../scripts/entries.mjs'

ensureInstalled(dirname(fileURLToPath(import.meta.url)))

const { createTally } = await import('../env/lib/results.mjs')
const { launch } = await import('./lib/browser.mjs')
const { FIREFOX } = await import('./lib/firefox.mjs')
const { accessibility } = await import('./parts/accessibility.mjs')
const { firstMinutes } = await import('./parts/firstMinutes.mjs')
const { inFirefox } = await import('./parts/inFirefox.mjs')
const { gateway } = await import('./parts/gateway.mjs')
const { hostile } = await import('./parts/hostile.mjs')
const { journals } = await import('./parts/journals.mjs')
const { journalKills } = await import('./parts/journalKills.mjs')
const { large } = await import('./parts/large.mjs')
const { ledgerPages } = await import('./parts/ledgerPages.mjs')
const { elsewhere } = await import('./parts/elsewhere.mjs')
const { pages } = await import('./parts/pages.mjs')
const { recognition } = await import('./parts/recognition.mjs')
const { parties, walk } = await import('./parts/walk.mjs')

const LIMIT_MS = process.env.LAYER_SDK_FULL === '1' ? 7_200_000 : 420_000
const option = (name) =>
  process.argv
    .slice(2)
    .find((arg) => arg.startsWith(`--${name}=`))
    ?.slice(name.length + 3)
const tally = createTally()

/** Writes the counts and ends the process, with the browser. */
async function finish() {
  const file = option('outputFile')
  if (file !== undefined)
    writeFileSync(
      file,
      JSON.stringify({ numPassedTests: tally.passed, numFailedTests: tally.failed, numPendingTests: 0 })
    )
  console.log(`${tally.passed} passed, ${tally.failed} failed`)
  process.exit(tally.failed === 0 ? 0 : 1)
}
setTimeout(() => {
  tally.add('test:dashboard', 'ends in time', { ok: false, error: `It took more than ${LIMIT_MS / 1000} s.` })
  void finish()
}, LIMIT_MS).unref()

const only = option('only')?.toLowerCase()
const full = process.env.LAYER_SDK_FULL === '1'
const { all, ci } = readJson('test/dashboard/profiles.json')
const profiles = full ? all : [ci]
const withFirefox = full || only === 'firefox'
const parts = [
  ...profiles.map((profile) => [`life of a head, ${profile}`, (check, browser) => walk(check, browser, profile)]),
  ['getting started', firstMinutes],
  ['parties', parties],
  ['hostile node', hostile],
  ['pages of the ledger', ledgerPages],
  ['accessibility', accessibility],
  ['recognition', recognition],
  ['any node', elsewhere],
  ['a gateway', gateway],
  ['other pages', pages],
  ['journals', journals],
  ['killed tabs', journalKills],
  ['large head', large],
  ...(withFirefox && FIREFOX !== null ? [['firefox', inFirefox]] : [])
]
if (withFirefox && FIREFOX === null) {
  const how = 'install firefox-esr, or set FIREFOX_PATH'
  if (only === 'firefox') tally.add('firefox', 'is there', { ok: false, error: how })
  else console.log(`left out: Firefox; ${how}`)
}
const browser = only === 'firefox' ? null : await launch()
for (const [name, run] of parts.filter(([each]) => only === undefined || each.includes(only))) {
  const check = async (what, body) => {
    const started = Date.now()
    try {
      await body()
      tally.add(name, what, { ok: true, ms: Date.now() - started })
    } catch (error) {
      tally.add(name, what, { ok: false, error: error?.stack ?? error })
    }
  }
  try {
    await run(check, browser)
  } catch (error) {
    tally.add(name, 'runs to its end', { ok: false, error: error?.stack ?? error })
  }
}
await browser?.close()
await finish()
