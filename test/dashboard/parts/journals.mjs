// The journal of a browser in Chromium: payments of a page that was closed at once, two tabs, a tab that was loaded
// again.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { build } from 'esbuild'
import { ROOT } from '../../../scripts/entries.mjs'
import { startDevNode } from '../../../dist/devnode.js'

const ADA = 1_000_000n
const ORDERS = 30

/** A page with a shop: `shop.pay(first, last)` pays those orders, with a journal of the browser. */
async function shopPage(node) {
  const [shop, bob] = node.keys
  const contents = `
    import { createHeadClient } from './dist/client.js'
    import { indexedDbJournal } from './dist/journal.js'
    import { ChainCliWallet } from './dist/wallet.js'
    const wallet = new ChainCliWallet({ networkId: 0, skey: ${JSON.stringify(shop.skey)} })
    const head = createHeadClient({ url: ${JSON.stringify(node.url)}, wallet, journal: indexedDbJournal('shop') })
    const pay = (i) => head.pay({ id: 'order-' + i, to: ${JSON.stringify(bob.address)}, amount: ${ADA}n + BigInt(i) })
    globalThis.shop = {
      connect: () => head.connect().then(() => 'connected', ({ code }) => code),
      disconnect: () => head.disconnect(),
      pay: () => Promise.all(Array.from({ length: ${ORDERS} }, (_, i) => pay(i))).then((all) => all.length),
      begin: () => void Array.from({ length: ${ORDERS} }, (_, i) => pay(i).catch(() => undefined)),
      payments: () => head.payments().map(({ id, state }) => [id, state])
    }`
  const stdin = { contents, resolveDir: ROOT, loader: 'js' }
  const { outputFiles } = await build({ stdin, bundle: true, format: 'iife', write: false, logLevel: 'error' })
  const server = createServer((request, response) =>
    request.url === '/page.js'
      ? response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(outputFiles[0].text)
      : response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><script src="/page.js"></script>')
  )
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }
  }
}

/** Payments that have arrived, by order. */
function arrived(node) {
  const paid = new Array(ORDERS).fill(0)
  for (const { output } of node.headUtxos(node.keys[1].address)) {
    const order = Number(BigInt(output.amount[0].quantity) - ADA)
    if (order >= 0 && order < ORDERS) paid[order]++
  }
  return paid
}

/** A local node with an open head, in which its first party has money. */
export async function openNode() {
  const { createHeadClient } = await import('../../../dist/client.js')
  const { ChainCliWallet } = await import('../../../dist/wallet.js')
  const node = await startDevNode({ port: 0, timings: { snapshotIntervalMs: 20, blockMs: 5, depositDelayMs: 5 } })
  const wallet = new ChainCliWallet({ networkId: 0, skey: node.keys[0].skey })
  const head = createHeadClient({ url: node.url, wallet })
  await head.connect()
  await head.open()
  await head.deposit({ utxos: node.baseUtxos(node.keys[0].address), amount: 1_000n * ADA })
  await head.disconnect()
  return node
}

export async function journals(check, browser) {
  const node = await openNode()
  const site = await shopPage(node)
  const context = await browser.newContext()
  const open = async () => {
    const page = await context.newPage()
    await page.goto(site.url)
    await page.waitForFunction('globalThis.shop !== undefined')
    return page
  }
  const once = new Array(ORDERS).fill(1)
  try {
    await check('pages that are closed while they pay leave no order unpaid, and pay none twice', async () => {
      for (const afterMs of [0, 30, 80, 200]) {
        const page = await open()
        assert.equal(await page.evaluate('shop.connect()'), 'connected')
        await page.evaluate('shop.begin()')
        await new Promise((resolve) => setTimeout(resolve, afterMs))
        await page.close()
      }
      const page = await open()
      assert.equal(await page.evaluate('shop.connect()'), 'connected')
      assert.equal(await page.evaluate('shop.pay()'), ORDERS)
      assert.deepEqual(arrived(node), once)
      await page.evaluate('shop.disconnect()')
      await page.close()
    })
    await check(
      'a second tab is refused by name until the first disconnects, and a tab loaded again is not',
      async () => {
        const first = await open()
        assert.equal(await first.evaluate('shop.connect()'), 'connected')
        const second = await open()
        assert.equal(await second.evaluate('shop.connect()'), 'JOURNAL_LOCKED')
        await first.reload()
        await first.waitForFunction('globalThis.shop !== undefined')
        assert.equal(await first.evaluate('shop.connect()'), 'connected')
        await first.evaluate('shop.disconnect()')
        assert.equal(await second.evaluate('shop.connect()'), 'connected')
        const payments = await second.evaluate('shop.payments()')
        assert.deepEqual(
          payments,
          Array.from({ length: ORDERS }, (_, i) => [`order-${i}`, 'confirmed'])
        )
        assert.equal(await second.evaluate('shop.pay()'), ORDERS)
        assert.deepEqual(arrived(node), once)
      }
    )
  } finally {
    await context.close()
    await site.close()
    await node.stop()
  }
}
