// axe in every view, light and dark, wide and narrow; and the page without a mouse.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createHeadClient } from '../../../dist/client.js'
import { startDevNode } from '../../../dist/devnode.js'
import { ChainCliWallet } from '../../../dist/wallet.js'
import { goTo } from '../lib/actions.mjs'
import { openPage } from '../lib/browser.mjs'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const VIEWS = [
  'Overview',
  'Outputs',
  'Transactions',
  'Deposits & decommits',
  'Payout check',
  'Recognition',
  'Commands',
  'Messages',
  'Local head'
]

/** What axe finds, each with the first element. In the page's own world its policy would keep axe out. */
export async function violations(page) {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })
  await session.send('Runtime.evaluate', { expression: AXE, contextId: executionContextId })
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression:
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`))',
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true
  })
  await session.detach()
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}

/** One confirmed payment, for the tables to show. */
async function payOnce(node) {
  const [alice, bob] = node.keys
  await node.fundHead(alice.address, 10_000_000n)
  const head = createHeadClient({ url: node.url, wallet: new ChainCliWallet({ networkId: 0, skey: alice.skey }) })
  await head.connect()
  await head.pay({ to: bob.address, amount: 2_000_000n })
  await head.disconnect()
}

export async function accessibility(check, browser) {
  const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
  const inHead = Array.from({ length: 60 }, (_, i) => ({ address, lovelace: 2_000_000n + BigInt(i) }))
  const node = await startDevNode({ port: 0, open: true, inHead, control: true, parties: 2 })
  try {
    await payOnce(node)
    for (const colorScheme of ['light', 'dark'])
      for (const width of [1440, 390]) {
        const { page, noise, close } = await openPage(browser, node.dashboardUrl, { width, colorScheme })
        for (const view of VIEWS)
          await check(`${view}: no violation, ${colorScheme}, ${width} wide`, async () => {
            await goTo(page, view)
            await page.getByRole('heading', { level: 1 }).waitFor()
            await page.waitForTimeout(300)
            assert.deepEqual(await violations(page), [])
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth
            )
            assert.equal(overflow, 0, 'the page scrolls sideways')
            const ids = await page
              .getByRole('main')
              .getByRole('link', { name: /^Transaction [0-9a-f]/ })
              .evaluateAll((all) => all.map(({ clientWidth }) => clientWidth))
            if (view === 'Transactions') assert.equal(ids.length, 1)
            assert.deepEqual(
              ids.filter((shown) => shown < 80),
              [],
              'the id of a transaction is cut to a few letters'
            )
          })
        await check(`each output: no violation, ${colorScheme}, ${width} wide`, async () => {
          await goTo(page, 'Outputs')
          await page.getByText('Each output', { exact: true }).click()
          await page
            .getByRole('link', { name: /^Output [0-9a-f]+/ })
            .first()
            .waitFor()
          assert.deepEqual(await violations(page), [])
        })
        await check(`a dialog: no violation, ${colorScheme}, ${width} wide`, async () => {
          await page.getByRole('button', { name: 'Read-only' }).click()
          await page.getByRole('dialog').waitFor()
          assert.deepEqual(await violations(page), [])
        })
        await check(`no error, ${colorScheme}, ${width} wide`, () => assert.deepEqual(noise, []))
        await close()
      }
    await check('can be used with the keyboard alone', async () => {
      const { page, close } = await openPage(browser, node.dashboardUrl)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const focused = () =>
        page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim()
        )
      await page.keyboard.press('Tab')
      assert.match(await focused(), /Skip to the content/)
      const reach = async (name) => {
        for (let i = 0; i < 40; i++) {
          if ((await focused())?.includes(name)) return
          await page.keyboard.press('Tab')
        }
        assert.fail(`Tab does not reach ${name}`)
      }
      await reach('Read-only')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.match(await focused(), /Read-only/)
      await reach('Outputs')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Outputs' }).waitFor()
      await close()
    })
  } finally {
    await node.stop()
  }
}
