// A shop in a page of Chromium whose tab is closed, or killed with kill -9, at each step and at random: the journal in IndexedDB
// brings it to its end. 200 runs of 500 payments with LAYER_SDK_FULL=1.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { build } from 'esbuild'
import { ROOT } from '../../../scripts/entries.mjs'
import { openNode } from './journals.mjs'

const ADA = 1_000_000n
const FULL = process.env.LAYER_SDK_FULL === '1'
const RUNS = FULL ? 200 : 4
const ORDERS = FULL ? 500 : 30
const RUN_LIMIT_MS = FULL ? 600_000 : 120_000
/** Steps at which a tab ends. */
const STEPS = [
  'connected',
  'built',
  'signed',
  'before sending',
  'before the journal',
  'after the journal',
  'submitted',
  'at the node: submitted',
  'at the node: valid',
  'valid',
  'confirmed'
]
/** An end from outside, at a random moment. */
const AT_RANDOM = 'at random'
/** Moments of first ends, one run after the other, in both ways. */
const MOMENTS = [...STEPS, AT_RANDOM].flatMap((step) => [
  [step, 'kill'],
  [step, 'close']
])

/** The first end of a run: a few runs have ends of both ways, at steps far apart. */
const momentOf = (run) => MOMENTS[(run * 7) % MOMENTS.length]

/** Repeatable numbers below `count`: the same run fails the same way twice. */
function randomSource(seed) {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
}

/** The page's program. It asks the server at the step where it ends, and waits there for an answer that never comes. */
const PROGRAM = `
  import { createHeadClient } from './dist/client.js'
  import { indexedDbJournal } from './dist/journal.js'
  import { ChainCliWallet } from './dist/wallet.js'
  globalThis.runShop = async ({ url, skey, to, name, orders, kill }) => {
    const seen = new Map()
    const reach = (step) => {
      const count = (seen.get(step) ?? 0) + 1
      seen.set(step, count)
      if (kill === null || kill.step !== step || kill.at !== count) return
      const request = new XMLHttpRequest()
      request.open('GET', '/end', false)
      request.send()
    }
    const kept = indexedDbJournal(name)
    const journal = {
      ...kept,
      async put(entry) {
        reach('before the journal')
        await kept.put(entry)
        reach('after the journal')
      }
    }
    const wallet = new ChainCliWallet({ networkId: 0, skey })
    const head = createHeadClient({ url, wallet, journal, onBeforeSend: () => reach('before sending') })
    head.bridge.events.on('onTxProgress', ({ state }) => reach('at the node: ' + state))
    await head.connect()
    reach('connected')
    const pay = (i) =>
      head.pay({ id: 'order-' + i, to, amount: ${ADA}n + BigInt(i), timeout: 120_000, onProgress: ({ state }) => reach(state) })
    await Promise.all(Array.from({ length: orders }, (_, i) => pay(i)))
    await head.disconnect()
    return 'paid'
  }`

/** Serves the page; `onEnd` is called where a page asks for its end. */
async function startSite() {
  const stdin = { contents: PROGRAM, resolveDir: ROOT, loader: 'js' }
  const { outputFiles } = await build({ stdin, bundle: true, format: 'iife', write: false, logLevel: 'error' })
  const site = { onEnd: () => undefined, url: '', close: () => undefined }
  const server = createServer((request, response) => {
    if (request.url === '/end') return void site.onEnd()
    const [type, text] =
      request.url === '/page.js'
        ? ['text/javascript', outputFiles[0].text]
        : ['text/html', '<!doctype html><script src="/page.js"></script>']
    response.writeHead(200, { 'Content-Type': type }).end(text)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  site.url = `http://127.0.0.1:${server.address().port}/`
  site.close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return site
}

/** Ends a tab: `kill` ends the process of its page with kill -9, also one that waits. */
async function endTab(page, way) {
  if (way === 'close') return page.close()
  const killed = new Promise((resolve) => page.once('crash', resolve))
  const session = await page.context().browser().newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  // This tab is the only one; Chromium may have another process ready for the next.
  for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL')
  await session.detach()
  await killed
  await page.close()
}

/** Runs the shop in a tab. @returns `paid`, or `ended` where the tab was ended before */
async function runTab(context, site, settings, way, afterMs) {
  const page = await context.newPage()
  await page.goto(site.url)
  await page.waitForFunction('globalThis.runShop !== undefined')
  let end = () => undefined
  const ended = new Promise((resolve, reject) => {
    end = () => void endTab(page, way).then(() => resolve('ended'), reject)
  })
  site.onEnd = end
  const timer = afterMs === null ? undefined : setTimeout(end, afterMs)
  const paid = page.evaluate((given) => globalThis.runShop(given), settings)
  // A tab that is ended rejects what it was asked for; only the end counts then.
  const first = await Promise.race([ended, paid.catch((error) => Promise.race([ended, failLater(error)]))])
  clearTimeout(timer)
  if (first === 'paid') await page.close()
  return first
}

const failLater = (error) => new Promise((_, reject) => setTimeout(() => reject(error), 5_000))

/** How often each order has been paid. */
function paidOrders(node) {
  const paid = new Array(ORDERS).fill(0)
  for (const { output } of node.headUtxos(node.keys[1].address)) {
    const order = Number(BigInt(output.amount[0].quantity) - ADA)
    if (order >= 0 && order < ORDERS) paid[order]++
  }
  return paid
}

/**
 * Has the shop of a tab ended once or twice, then lets it pay to its end. The first end at a step comes; one at random,
 * and a second one, may come too late. @returns the moments at which a tab was ended: `[step, way]`
 */
async function runKilledShop(browser, site, run) {
  const below = randomSource(run + 1)
  const node = await openNode()
  const context = await browser.newContext()
  try {
    const [shop, bob] = node.keys
    const settings = { url: node.url, skey: shop.skey, to: bob.address, name: 'shop', orders: ORDERS }
    const first = momentOf(run)
    const second = [STEPS[below(STEPS.length + 3)] ?? AT_RANDOM, below(2) === 0 ? 'close' : 'kill']
    const ends = []
    for (const moment of below(2) === 0 ? [first] : [first, second]) {
      const [step, way] = moment
      const kill = step === AT_RANDOM ? null : { step, at: 1 + (step === 'connected' ? 0 : below(ORDERS)) }
      const afterMs = kill === null ? below(FULL ? 1_200 : 300) : null
      const ended = await runTab(context, site, { ...settings, kill }, way, afterMs)
      if (moment === first && kill !== null)
        assert.deepEqual({ run, step, way, ended }, { run, step, way, ended: 'ended' })
      if (ended === 'ended') ends.push(moment)
    }
    assert.equal(await runTab(context, site, { ...settings, kill: null }, 'close', null), 'paid')
    assert.deepEqual({ run, paid: paidOrders(node) }, { run, paid: new Array(ORDERS).fill(1) })
    return ends
  } finally {
    await context.close()
    await node.stop()
  }
}

export async function journalKills(check, browser) {
  const site = await startSite()
  try {
    await check('tabs that are closed or killed pay each order once', async () => {
      const ended = new Set()
      for (let run = 0; run < RUNS; run++) {
        let timer
        const late = new Promise((_, reject) => {
          timer = setTimeout(
            () => reject(new Error(`Run ${run} took more than ${RUN_LIMIT_MS / 1000} s.`)),
            RUN_LIMIT_MS
          )
        })
        const ends = await Promise.race([runKilledShop(browser, site, run), late]).finally(() => clearTimeout(timer))
        for (const end of ends) ended.add(end.join(', '))
      }
      // Each of the moments that this many runs begin with was one at which a tab was ended.
      const first = Array.from({ length: Math.min(RUNS, MOMENTS.length) }, (_, run) => momentOf(run).join(', '))
      assert.deepEqual(
        first.filter((moment) => !ended.has(moment)),
        []
      )
    })
  } finally {
    await site.close()
  }
}
