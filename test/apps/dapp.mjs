// The starter examples/dapp: two browsers play its game beside the head that it starts, one of them on a phone.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBounded } from '../env/lib/processes.mjs'
import { startPage } from '../env/lib/startUntil.mjs'

const LIMIT_MS = 60_000
/** Long enough to join and reveal on a busy machine, short enough to wait for. */
const SHORT_S = 20
/** A folder for pictures of each state of the page, to look at. */
const { LAYER_SDK_SCREENSHOTS: PICTURES } = process.env

/** Runs the tests of the starter at `app`; what plays it needs a browser. */
export async function dappTests(test, { app, browser, bin }) {
  await test('dApp', 'the starter is built without a warning and without the development phrase', () =>
    builds(app, bin)
  )
  await test('dApp', 'its types are those that the command of the package writes', () => writesTypes(app))
  if (browser === null) return
  let server
  const pages = []
  try {
    await test('dApp', 'two players open its page, light and dark', async () => {
      server = await startPage(app, ['vite', '--host', '127.0.0.1'], bin)
      pages.push(await openPlayer(browser, server.url, { player: 1, colorScheme: 'light', width: 1000 }))
      pages.push(await openPlayer(browser, server.url, { player: 2, colorScheme: 'dark', width: 390 }))
    })
    await test('dApp', 'a false hand is refused, and the pot goes to who has won', () => playsWithCheat(pages))
    await test('dApp', 'a draw gives both stakes back, and so does a game that nobody joins', () =>
      drawsAndTakesBack(pages)
    )
    await test('dApp', 'a player who never reveals loses the pot when the time is over', () => runsOut(pages))
    await test('dApp', 'its pages fit on a phone and print nothing on the console', () => isTidy(pages))
  } finally {
    for (const { page } of pages) await page.context().close()
    server?.end()
  }
}

async function builds(app, bin) {
  const { ok, output, reason } = await runBounded(process.execPath, [join(bin, 'vite'), 'build'], {
    cwd: app,
    limitMs: 240_000
  })
  assert.ok(ok, `vite build ${reason}\n${output}`)
  assert.doesNotMatch(output, /warn|externalized/i)
  const scripts = readdirSync(join(app, 'dist', 'assets')).filter((name) => name.endsWith('.js'))
  const texts = scripts.map((name) => readFileSync(join(app, 'dist', 'assets', name), 'utf8'))
  assert.ok(texts.length > 0)
  assert.deepEqual(
    texts.filter((text) => /fill\(["'`]test["'`]\)/.test(text)),
    []
  )
}

function writesTypes(app) {
  const path = join(app, 'src', 'types.ts')
  const before = readFileSync(path, 'utf8')
  const program = join(app, '..', 'node_modules', 'layer-sdk', 'dist', 'cli.js')
  execFileSync(process.execPath, [program, 'blueprint', 'contract/plutus.json', '--out', 'src/types.ts'], { cwd: app })
  assert.equal(readFileSync(path, 'utf8'), before)
}

async function openPlayer(browser, url, { player, colorScheme, width }) {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme })
  const page = await context.newPage()
  page.setDefaultTimeout(LIMIT_MS)
  const noise = []
  page.on('pageerror', (error) => noise.push(String(error)))
  page.on('console', (message) => {
    if (!/^\[vite\] connect/.test(message.text())) noise.push(message.text())
  })
  const shows = async (text) => {
    try {
      await page.getByText(text).filter({ visible: true }).first().waitFor()
    } catch (error) {
      const shown = await page.locator('body').innerText()
      throw new Error(`${error.message}\nThe page: ${shown}\n${noise.join('\n')}`, { cause: error })
    }
  }
  await page.goto(`${url}?player=${player}`)
  await shows('100 ada')
  // The first visit may be loaded twice: Vite bundles the packages that it finds on the way.
  await page.reload()
  await shows('100 ada')
  noise.length = 0
  return {
    page,
    noise,
    shows,
    sees: (hand) => page.locator('#theirs', { hasText: hand }).waitFor(),
    choose: (hand) => page.getByText(hand, { exact: true }).click(),
    press: (name) => page.getByRole('button', { name, disabled: false }).click(),
    balance: () => page.locator('#balance').textContent(),
    async picture(name) {
      if (PICTURES !== undefined)
        await page.screenshot({ path: join(PICTURES, `dapp-${name}-${colorScheme}.png`), fullPage: true })
    }
  }
}

/** Both lock a hand. */
async function play([one, two], hands, seconds) {
  await one.choose(hands[0])
  await one.page.getByLabel('Seconds to join').fill(String(seconds))
  await one.picture('lobby')
  await one.press('Start a game')
  await one.shows('Waiting for an opponent')
  await two.choose(hands[1])
  await two.press('Join')
  for (const player of [one, two]) await player.shows('Both have chosen')
}

async function playsWithCheat(players) {
  const [one, two] = players
  await play(players, ['Rock', 'Paper'], 300)
  await two.picture('table')
  const balances = [await one.balance(), await two.balance()]
  assert.deepEqual(balances, ['95 ada', '95 ada'])
  // Player one sees no hand, and claims to have had scissors.
  const lie = (hand) =>
    one.page.evaluate((claimed) => {
      const { localStorage } = globalThis
      for (const key of Object.keys(localStorage)) {
        const { salt } = JSON.parse(localStorage.getItem(key))
        localStorage.setItem(key, JSON.stringify({ hand: claimed, salt }))
      }
    }, hand)
  await lie(2)
  await one.press('Reveal')
  const alert = one.page.getByRole('alert')
  await alert.filter({ hasText: /script/i }).waitFor()
  await one.picture('refused')
  assert.deepEqual([await one.balance(), await two.balance()], balances)
  await lie(0)
  await one.press('Reveal')
  await one.shows('Waiting for the opponent to reveal')
  assert.equal(await alert.textContent(), '')
  await two.sees('Rock')
  await two.press('Reveal')
  await two.shows('You won')
  await one.shows('You lost')
  for (const player of players) await player.shows('Rock against Paper.')
  await two.picture('won')
  await one.shows('95 ada')
  await two.shows('105 ada')
  for (const player of players) await player.press('Play again')
}

async function drawsAndTakesBack(players) {
  const [one, two] = players
  await play(players, ['Scissors', 'Scissors'], 300)
  await two.press('Reveal')
  await one.sees('Scissors')
  await one.press('Reveal')
  for (const player of players) await player.shows('A draw')
  for (const player of players) await player.press('Play again')
  await one.shows('95 ada')
  await two.shows('105 ada')
  await one.press('Start a game')
  await one.press('Take the stake back')
  await one.shows('Nobody joined')
  await one.press('Play again')
  await one.shows('95 ada')
}

/** Player two has lost, sees it, and never reveals. */
async function runsOut(players) {
  const [one, two] = players
  await play(players, ['Paper', 'Rock'], SHORT_S)
  await one.press('Reveal')
  await two.sees('Paper')
  assert.equal(await one.page.getByRole('button', { name: 'Claim the pot' }).isVisible(), false)
  await one.shows('The time to reveal is over')
  await one.press('Claim the pot')
  await one.shows('You won')
  await two.shows('You lost')
  for (const player of players) await player.shows('The time to reveal ran out.')
  await one.picture('overdue')
  for (const player of players) await player.shows('100 ada')
}

async function isTidy(players) {
  for (const { page, noise } of players) {
    assert.deepEqual(noise, [])
    const [content, view] = await page.evaluate(() => [
      globalThis.document.documentElement.scrollWidth,
      globalThis.innerWidth
    ])
    assert.ok(content <= view, `${content} px in ${view}`)
  }
}
