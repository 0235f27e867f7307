// The page in Firefox: opened, paid in and closed with real clicks and keys.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { startDevNode } from '../../../dist/devnode.js'
import { launchFirefox } from '../lib/firefox.mjs'

export async function inFirefox(check) {
  const node = await startDevNode({ port: 0, control: true, timings: { contestationPeriodMs: 1_000 } })
  const [, bob] = node.keys
  const { page, close } = await launchFirefox()
  /** Fills in a command's dialog, confirms it, and waits for what came of it. */
  const command = async (name, fields = {}) => {
    await page.click('button', name)
    await page.waitFor('button', 'Cancel')
    for (const [label, text] of Object.entries(fields)) await page.type(label, text)
    await page.click('button', name)
  }
  try {
    await check('loads, and shows that there is no head', async () => {
      await page.goto(node.dashboardUrl)
      await page.waitFor('text', 'There is no head')
    })
    await check('shows light and dark', async () => {
      const colourOf = async (theme) => {
        await page.waitFor('button', `Colours: ${theme}`)
        return (await page.evaluate('() => getComputedStyle(document.body).backgroundColor')).value
      }
      await page.click('button', 'Colours: auto')
      assert.equal(await colourOf('light'), 'rgb(244, 246, 249)')
      await page.click('button', 'Colours: light')
      assert.equal(await colourOf('dark'), 'rgb(13, 17, 23)')
      await page.click('button', 'Colours: dark')
    })
    await check('opens a head once commands are unlocked', async () => {
      await page.click('button', 'Read-only')
      await page.click('button', 'Unlock commands')
      await page.waitFor('button', 'Lock commands')
      await page.click('a', 'Commands')
      await page.click('button', 'Use this account')
      await page.waitFor('button', 'Close wallet')
      await command('Open a head')
      await page.waitFor('run', 'is open')
      assert.equal(node.headStatus, 'Open')
    })
    await check('deposits and pays', async () => {
      await command('Deposit', { 'Amount in ada': '250' })
      await page.waitFor('run', '250 ada are in the head')
      await command('Pay', { To: bob.address, 'Amount in ada': '2.5' })
      await page.waitFor('run', 'is in snapshot')
      assert.equal(node.headUtxos(bob.address)[0].output.amount[0].quantity, '2500000')
      if (process.env.LAYER_SDK_SCREENSHOT) writeFileSync(process.env.LAYER_SDK_SCREENSHOT, await page.screenshot())
    })
    await check('closes and fans out', async () => {
      await command('Close')
      await page.waitFor('run', 'Closed with snapshot')
      await command('Fan out')
      await page.click('a', 'Overview')
      await page.waitFor('text', 'There is no head')
      assert.equal(
        node.baseUtxos(bob.address).some(({ output }) => output.amount[0].quantity === '2500000'),
        true
      )
    })
    await check('writes nothing to the console', () => assert.deepEqual(page.noise, []))
  } finally {
    await close()
    await node.stop()
  }
}
