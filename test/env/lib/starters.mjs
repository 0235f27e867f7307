// The starters of examples/ that need no package of others: run as their scripts run them, each beside the head that it
// brings.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { HERE } from './consumer.mjs'
import { launchChromium } from './chromium.mjs'
import { runBounded } from './processes.mjs'
import { startPage, startUntil } from './startUntil.mjs'

const LIMIT_MS = 60_000

export async function gameLoop(root, check) {
  const { ok, output } = await runBounded(process.execPath, ['main.mjs', '--rounds', '60', '--tick', '10'], {
    cwd: root,
    limitMs: LIMIT_MS
  })
  check('ends with success', ok, output)
  check(
    'confirms every round, and the balances agree with the score',
    /round 60 .* 60 confirmed/.test(output) && output.includes('agree with the score'),
    output
  )
  const wrong = await runBounded(process.execPath, ['main.mjs', '--rounds', 'many'], { cwd: root, limitMs: LIMIT_MS })
  check(
    'says what is wrong with an option',
    !wrong.ok && wrong.output === '--rounds takes a whole number from 1.\n',
    wrong.output
  )
}

export async function payPerCall(root, folder, check) {
  const { ok, output } = await runBounded(process.execPath, ['main.mjs', '--port', '0', '--once'], {
    cwd: root,
    limitMs: LIMIT_MS
  })
  check(
    'its caller pays with the first of three calls',
    ok && /99 calls left[^]*98 calls left[^]*97 calls left/.test(output),
    output
  )
  const server = await startUntil(['main.mjs', '--port', '0'], {
    cwd: root,
    names: ['url', 'headUrl', 'price'],
    read: (line) => ({
      ...(/^API +(?<url>\S+)/.exec(line)?.groups ?? {}),
      ...(/^Head +(?<headUrl>\S+)/.exec(line)?.groups ?? {}),
      ...(/^Price +(?<price>.*)/.exec(line)?.groups ?? {})
    })
  })
  const load = (name) => import(join(folder, 'node_modules/layer-sdk/dist', `${name}.js`))
  const [{ createHeadClient }, { DevNode }, { ChainCliWallet }] = [
    await load('client'),
    await load('devnode'),
    await load('wallet')
  ]
  const node = new DevNode()
  const payer = createHeadClient({
    url: server.headUrl,
    wallet: new ChainCliWallet({ networkId: 0, skey: node.keys[0].skey })
  })
  const call = (token) =>
    fetch(server.url, { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } })
  const offer = async (token) => {
    const response = await call(token)
    assert.equal(response.status, 402)
    return response.json()
  }
  const attempt = async (name, body) => {
    try {
      await body()
      check(name, true)
    } catch (error) {
      check(name, false, error.stack)
    }
  }
  try {
    await payer.connect()
    const [mine, theirs] = [await offer(), await offer()]
    await attempt('gives every caller a token and an address of its own', async () => {
      assert.notEqual(mine.token, theirs.token)
      assert.notEqual(mine.address, theirs.address)
      assert.equal(mine.lovelacePerCall, '10000')
    })
    await attempt('asks again for the same while nothing was paid, and takes no invented token', async () => {
      assert.deepEqual(await offer(mine.token), mine)
      assert.notEqual((await offer('invented')).token, 'invented')
    })
    // In two parts: together they are what was paid.
    await payer.pay({ to: mine.address, amount: 1_000_000n - 1n })
    await payer.pay({ to: mine.address, amount: 1_000_000n })
    await attempt('credits nobody else with a payment', async () => assert.deepEqual(await offer(theirs.token), theirs))
    await attempt('answers as many calls as were paid, also when more come at once', async () => {
      const responses = await Promise.all(Array.from({ length: 210 }, () => call(mine.token)))
      const count = (status) => responses.filter((response) => response.status === status).length
      assert.deepEqual([count(200), count(402)], [199, 11])
      assert.notEqual((await offer(mine.token)).address, mine.address)
    })
    await attempt('refuses other methods and paths', async () => {
      assert.equal((await fetch(server.url, { method: 'POST' })).status, 405)
      assert.equal((await fetch(new URL('/other', server.url))).status, 404)
    })
  } finally {
    await payer.disconnect()
    await node.stop()
    server.end()
  }
}

export async function depositPage(root, check) {
  const server = await startPage(root, ['vite', '--host', '127.0.0.1'], join(HERE, 'node_modules', '.bin'))
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 960, height: 900 } })
    page.setDefaultTimeout(20_000)
    const noise = []
    let signs = false
    page.on('dialog', (dialog) => (signs ? dialog.accept() : dialog.dismiss()))
    page.on('pageerror', (error) => noise.push(String(error)))
    page.on('console', (message) => {
      if (!/^\[vite\] connect/.test(message.text())) noise.push(message.text())
    })
    await page.goto(server.url)
    const connect = page.getByRole('button', { name: 'Development wallet' })
    await connect.waitFor()
    // The first visit may be loaded twice: Vite bundles the packages that it finds on the way.
    await page.reload()
    await connect.click()
    const holds = (base, inside) =>
      page.waitForFunction(
        (wanted) => wanted.every(([id, text]) => document.getElementById(id).textContent === text),
        [
          ['base', base],
          ['inside', inside]
        ]
      )
    await holds('10000 ada', '0 ada')
    check('shows what a wallet of the browser holds', true)
    const deposit = page.getByRole('button', { name: 'Deposit' })
    await deposit.click()
    await page.getByText('You declined to sign. Nothing was sent.').waitFor()
    await holds('10000 ada', '0 ada')
    check('says that a declined deposit was not sent', true)
    await page.getByLabel('Ada').fill('much')
    await deposit.click()
    await page.getByRole('alert').filter({ hasNotText: 'declined' }).waitFor()
    check(
      'says what is wrong with an amount',
      !/undefined|object/.test(await page.getByRole('alert').innerText()),
      await page.getByRole('alert').innerText()
    )
    signs = true
    await page.getByLabel('Ada').fill('20')
    await deposit.click()
    await page.getByText('The money is in the head.').waitFor()
    await holds('9980 ada', '20 ada')
    check('deposits', true)
    await page.getByLabel('Ada').fill('5')
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('The money is on the base ledger.').waitFor()
    await holds('9985 ada', '15 ada')
    check('withdraws', true)
    check('prints nothing on the console', noise.length === 0, noise.join('\n'))
    if (process.env.LAYER_SDK_SCREENSHOT)
      await page.screenshot({ path: process.env.LAYER_SDK_SCREENSHOT, fullPage: true })
  } finally {
    await browser.close()
    server.end()
  }
}
