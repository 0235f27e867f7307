// The shop of examples/, killed between its steps: each payment is booked once, each refund sent once.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchChromium } from './chromium.mjs'
import { runBounded } from './processes.mjs'
import { programs } from './runtimes.mjs'
import { startUntil } from './startUntil.mjs'

const LIMIT_MS = 60_000
const ORDERS = 12
const ADA = 1_000_000n

export async function shop(root, folder, check) {
  const attempt = async (name, body) => {
    try {
      await body()
      check(name, true)
    } catch (error) {
      check(name, false, error.stack)
    }
  }
  await attempt('sells to a customer who pays too much, and refunds the difference', async () => {
    const once = ['main.mjs', '--port', '0', '--once']
    const { ok, output } = await runBounded(process.execPath, once, { cwd: root, limitMs: LIMIT_MS })
    assert.ok(ok && /paid +5\.5 ada[^]*refunded +3 ada in [0-9a-f]{64}/.test(output), output)
  })
  await attempt('books every payment and sends every refund once, killed a dozen times', () => killed(root, folder))
  if (programs.chromium !== null) await attempt('sells on its page', () => page(root))
}

function startShop(root, args) {
  return startUntil(['main.mjs', '--port', '0', ...args], {
    cwd: root,
    names: ['url'],
    read: (line) => ({ ...(/^Shop +(?<url>\S+)/.exec(line)?.groups ?? {}) })
  })
}

async function post(url, body, headers = { 'Content-Type': 'application/json' }) {
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Orders of one customer, half of whom pay 3 ada too much, while the shop is killed and started again. */
async function killed(root, folder) {
  const load = (name) => import(join(folder, 'node_modules/layer-sdk/dist', `${name}.js`))
  const [client, { startDevNode }, { ChainCliWallet }] = await Promise.all(['client', 'devnode', 'wallet'].map(load))
  const node = await startDevNode({ port: 0, open: true, control: true })
  const [alice, bob] = node.keys
  writeFileSync(join(root, 'shop.skey'), JSON.stringify(bob.skey))
  const args = ['--head', node.url, '--key', 'shop.skey', '--data', 'data']
  await node.fundHead(alice.address, 500n * ADA)
  const payer = client.createHeadClient({
    url: node.url,
    wallet: new ChainCliWallet({ networkId: 0, skey: alice.skey })
  })
  let running = await startShop(root, args)
  const orders = []
  try {
    await payer.connect()
    await refusals(running.url)
    for (let i = 0; i < ORDERS; i++) {
      const { id, uri } = await (await post(new URL('orders', running.url), { item: 'tea' })).json()
      orders.push(id)
      const request = client.parsePaymentRequest(uri)
      const amount = request.amount + (i % 2 === 0 ? 0n : 3n * ADA)
      const paying = payer.pay({ to: request.address, amount, metadata: client.paymentMetadata(request) })
      // Before, while and after the payment is booked and refunded.
      if (i % 3 === 0) running.end()
      await paying
      if (i % 3 === 1) await new Promise((resolve) => setTimeout(resolve, 7 * i))
      running.end()
      running = await startShop(root, args)
    }
    await payer.pay({ to: bob.address, amount: 5n * ADA }) // names no order
    const look = async (id) => (await fetch(new URL(`orders/${id}`, running.url))).json()
    const until = Date.now() + LIMIT_MS
    const balance = () => payer.getBalance().confirmed.lovelace
    // Every order costs 2.5 ada; what was paid beyond came back.
    const expected = 500n * ADA - (BigInt(ORDERS) * 5n * ADA) / 2n
    while (balance() !== expected && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(balance(), expected)
    for (const [i, id] of orders.entries()) {
      const { paid, received, refunds } = await look(id)
      assert.deepEqual([paid, received], [true, i % 2 === 0 ? '2500000' : '5500000'])
      assert.deepEqual(
        refunds.map(({ lovelace }) => lovelace),
        i % 2 === 0 ? [] : ['3000000']
      )
    }
    const lines = readFileSync(join(root, 'data', 'books.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const refs = lines.filter(({ kind }) => kind === 'receipt').map(({ ref }) => ref)
    assert.deepEqual([refs.length, new Set(refs).size], [ORDERS + 1, ORDERS + 1])
  } finally {
    running.end()
    await payer.disconnect()
    await node.stop()
  }
}

async function refusals(url) {
  const orders = new URL('orders', url)
  const statuses = [
    await post(orders, { item: 'tea' }, { 'Content-Type': 'text/plain' }),
    await post(orders, { item: '__proto__' }),
    await post(orders, { item: 'x'.repeat(5_000) }),
    await fetch(new URL(`orders/${'0'.repeat(36)}`, url)),
    // No play money beside a head of one's own.
    await post(new URL(`orders/${'0'.repeat(36)}/pay`, url), {})
  ].map(({ status }) => status)
  assert.deepEqual(statuses, [415, 400, 400, 404, 404])
}

async function page(root) {
  const running = await startShop(root, [])
  const browser = await launchChromium()
  try {
    const tab = await browser.newPage({ viewport: { width: 390, height: 844 } })
    tab.setDefaultTimeout(20_000)
    const noise = []
    tab.on('pageerror', (error) => noise.push(String(error)))
    tab.on('console', (message) => noise.push(message.text()))
    await tab.goto(running.url)
    await tab.getByRole('button', { name: 'Buy A pot of tea' }).click()
    await tab.getByText('2.5 ada to pay.').waitFor()
    await tab.getByRole('button', { name: 'Pay with play money' }).click()
    await tab.getByText('Paid: 2.5 ada.').waitFor()
    assert.deepEqual(noise, [])
    if (process.env.LAYER_SDK_SCREENSHOT)
      await tab.screenshot({ path: process.env.LAYER_SDK_SCREENSHOT, fullPage: true })
  } finally {
    await browser.close()
    running.end()
  }
}
