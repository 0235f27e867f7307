// The page as a file of its own, with any node's URL.
import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { ROOT } from '../../../scripts/entries.mjs'
import { startDevNode } from '../../../dist/devnode.js'
import { openPage } from '../lib/browser.mjs'

const FILE = pathToFileURL(join(ROOT, 'dist', 'dashboard.html')).href

export async function elsewhere(check, browser) {
  const node = await startDevNode({ port: 0, open: true })
  const { page, noise, close } = await openPage(browser, FILE)
  const requests = []
  page.on('request', (request) => requests.push(request.url()))
  const connect = async (url) => {
    await page.getByLabel('WebSocket URL of the node').fill(url)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
  }
  try {
    await check('connects from a file to the node that a person names', async () => {
      await connect(node.url)
      await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor()
      await page.getByRole('banner').getByText('Open', { exact: true }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Local head' }).count(), 0)
    })
    await check('offers no phrase there, and speaks with that node alone', async () => {
      await page.getByRole('button', { name: 'Read-only' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Unlock commands' }).click()
      await page.getByRole('link', { name: 'Commands' }).click()
      await page.getByText('Keys are never typed into this page').waitFor()
      assert.deepEqual([...new Set(requests.map((url) => new URL(url).host))], [new URL(node.url).host])
    })
    await check('locks commands again with the connection', async () => {
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await page.getByRole('heading', { name: 'Look at a head' }).waitFor()
      await connect(node.url)
      await page.getByRole('button', { name: 'Read-only' }).waitFor()
    })
    await check('writes nothing to the console', () => assert.deepEqual(noise, []))
    await check('says what is wrong with a node that is not there, and goes on trying', async () => {
      await page.getByRole('button', { name: 'Disconnect' }).click()
      const gone = await startDevNode({ port: 0, rpcPort: null })
      await gone.stop()
      await connect(gone.url)
      await page.getByRole('alert').first().waitFor()
      await page.getByText('Reconnecting').first().waitFor()
    })
    await check('says in words what a gateway cannot be', async () => {
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await page.getByLabel('A gateway').check()
      await page.getByLabel('URL of the gateway').fill('ws:nothing')
      await page.getByLabel('Token').fill('secret-token-of-mine')
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      const alert = await page.getByRole('alert').innerText()
      assert.doesNotMatch(alert, /secret-token/)
      const kept = await page.evaluate(() =>
        JSON.stringify([localStorage.length, sessionStorage.length, location.href])
      )
      assert.doesNotMatch(kept, /secret/)
    })
  } finally {
    await close()
    await node.stop()
  }
}
