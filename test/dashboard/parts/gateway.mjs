// The page as a file, over a gateway with tokens: looked at, paid through with a browser wallet, and connected again
// after the gateway was gone.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SignJWT } from 'jose'
import { ROOT } from '../../../scripts/entries.mjs'
import { startDevNode } from '../../../dist/devnode.js'
import { createGateway } from '../../../dist/gateway.js'
import { AppWallet } from '../../../dist/wallet.js'
import { command, goTo, unlock } from '../lib/actions.mjs'
import { openPage } from '../lib/browser.mjs'

const FILE = pathToFileURL(join(ROOT, 'dist', 'dashboard.html')).href
const SECRET = 'a secret of at least thirty-two bytes'
const METHODS = [
  'getNetworkId',
  'getUtxos',
  'getCollateral',
  'getBalance',
  'getUsedAddresses',
  'getUnusedAddresses',
  'getChangeAddress',
  'getRewardAddresses'
]

/** Puts a wallet where a browser extension would; its keys stay outside of the page. */
async function offerWallet(page, wallet) {
  const api = wallet.toCip30()
  await page.exposeFunction('callWallet', (method, args) => api[method](...args))
  await page.addInitScript(
    (methods) => {
      const call =
        (method) =>
        (...args) =>
          window.callWallet(method, args)
      const object = Object.fromEntries(methods.map((method) => [method, call(method)]))
      window.cardano = { test: { name: 'Test wallet', enable: async () => object } }
    },
    [...METHODS, 'signTx']
  )
  await page.reload()
}

export async function gateway(check, browser) {
  const words = `${'test '.repeat(23)}sauce`.split(' ')
  const wallet = await AppWallet.create({ networkId: 0, key: { type: 'mnemonic', words } })
  const amount = [{ unit: 'lovelace', quantity: '250000000' }]
  const node = await startDevNode({ port: 0, open: true, inHead: [{ address: wallet.getPaymentAddress(), amount }] })
  const [, bob] = node.keys
  // A file has no origin of its own.
  const start = (port) =>
    createGateway({
      port,
      heads: [{ path: '/', upstream: node.url }],
      auth: { secret: SECRET, algorithms: ['HS256'] },
      origins: ['*']
    })
  let running = await start(0)
  const url = running.url
  const token = await new SignJWT({ scope: 'read submit', sub: 'somebody' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(SECRET))
  const { page, noise, close } = await openPage(browser, FILE)
  const requests = []
  page.on('request', (request) => requests.push(request.url()))
  const head = page.getByRole('banner')
  const connect = async (given) => {
    await page.getByLabel('A gateway').check()
    await page.getByLabel('URL of the gateway').fill(url)
    await page.getByLabel('Token').fill(given)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
  }
  try {
    await offerWallet(page, wallet)
    await check('is refused with a token that is none', async () => {
      await connect('no-token-at-all')
      await page.getByRole('alert').first().waitFor()
      assert.doesNotMatch(await page.getByRole('alert').first().innerText(), /no-token-at-all/)
      await page.getByRole('button', { name: 'Disconnect' }).click()
    })
    await check('shows the head behind the gateway, by its URL and a token alone', async () => {
      await connect(token)
      await head.getByText('Connected', { exact: true }).waitFor()
      await head.getByText('Open', { exact: true }).waitFor()
      await goTo(page, 'Outputs')
      await page.getByRole('heading', { name: '1 output, 250 ada' }).waitFor()
    })
    await check('pays through it with a wallet of the browser', async () => {
      await unlock(page)
      await goTo(page, 'Commands')
      await page.getByRole('button', { name: 'Test wallet' }).click()
      await page.getByRole('button', { name: 'Close wallet' }).waitFor()
      assert.match(await command(page, 'Pay', { To: bob.address, 'Amount in ada': '2.5' }), /is in snapshot/)
      assert.equal(node.counters.inputs.NewTx, 1)
      await goTo(page, 'Outputs')
      await page.getByRole('heading', { name: '2 outputs, 250 ada' }).waitFor()
    })
    await check("finds a transaction that it has not seen in the gateway's log, with its senders", async () => {
      await goTo(page, 'Transactions')
      await page
        .getByRole('link', { name: /^Transaction [0-9a-f]/ })
        .first()
        .click()
      const hash = await page.evaluate(() => location.hash)
      const later = await openPage(browser, `${FILE}${hash}`)
      await later.page.getByLabel('A gateway').check()
      await later.page.getByLabel('URL of the gateway').fill(url)
      await later.page.getByLabel('Token').fill(token)
      await later.page.getByRole('button', { name: 'Connect', exact: true }).click()
      await later.page.getByRole('region', { name: 'From 1 input' }).getByText('addr_test1').waitFor()
      await later.page.getByRole('region', { name: 'To 2 outputs' }).getByText('2.5 ada').waitFor()
      assert.deepEqual(later.noise, [])
      await later.close()
    })
    await check('speaks with the gateway alone, and writes nothing to the console', () => {
      const others = requests.filter((each) => !each.startsWith('file:') && new URL(each).host !== new URL(url).host)
      assert.deepEqual(others, [])
      assert.deepEqual(noise, [])
    })
    await check('connects again by itself when the gateway is back, and pays again', async () => {
      await running.stop()
      await page.getByText('Reconnecting').first().waitFor()
      running = await start(Number(new URL(url).port))
      await head.getByText('Connected', { exact: true }).waitFor()
      await goTo(page, 'Commands')
      assert.match(await command(page, 'Pay', { To: bob.address, 'Amount in ada': '3' }), /is in snapshot/)
    })
  } finally {
    await close()
    await running.stop()
    await node.stop()
    wallet.dispose()
  }
}
