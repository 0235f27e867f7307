// A head's whole life, clicked through.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { startDevNode } from '../../../dist/devnode.js'
import { command, goTo, openAccount, unlock } from '../lib/actions.mjs'
import { openPage } from '../lib/browser.mjs'

/** Parties that are cut off and come back, from the page of the first of them. */
export async function parties(check, browser) {
  const node = await startDevNode({ port: 0, open: true, control: true, parties: 2 })
  const { page, noise, close } = await openPage(browser, node.dashboardUrl)
  try {
    await check('cuts a party off, and lets it sign late', async () => {
      await goTo(page, 'Local head')
      const second = page.getByRole('group', { name: /^Party 1/ })
      await second.getByLabel('Silent').check()
      await page.getByText('Silent: true.').waitFor()
      assert.deepEqual([node.parties[0].settings.silent, node.parties[1].settings.silent], [false, true])
      await second.getByLabel('Silent').uncheck()
      await page.getByText('Silent: false.').waitFor()
      await second.getByLabel('Sign delay ms').fill('250')
      await page.keyboard.press('Tab')
      await page.getByText('Sign delay ms: 250.').waitFor()
      assert.deepEqual(node.parties[1].settings, { silent: false, signDelayMs: 250, closeWithOld: false })
    })
    await check('writes nothing to the console', () => assert.deepEqual(noise, []))
  } finally {
    await close()
    await node.stop()
  }
}

export async function walk(check, browser, profile) {
  const node = await startDevNode({ port: 0, profile, control: true, timings: { contestationPeriodMs: 3_000 } })
  const [, bob] = node.keys
  const { page, noise, close } = await openPage(browser, node.dashboardUrl)
  const head = page.getByRole('banner')
  try {
    await check('shows that there is no head, and sends nothing while it is read-only', async () => {
      await page.getByText('There is no head').waitFor()
      await goTo(page, 'Commands')
      assert.equal(await page.getByRole('button', { name: 'Open a head', exact: true }).isDisabled(), true)
      assert.deepEqual(node.counters.inputs, {})
    })
    await check('opens a head once commands are unlocked', async () => {
      await unlock(page)
      await openAccount(page)
      assert.match(await command(page, 'Open a head'), /Head .* is open/)
      await head.getByText('Open', { exact: true }).waitFor()
    })
    await check('deposits, and shows its steps', async () => {
      assert.match(await command(page, 'Deposit', { 'Amount in ada': '250' }), /250 ada are in the head/)
      await goTo(page, 'Deposits & decommits')
      await page.getByText('In the head', { exact: true }).waitFor()
      await goTo(page, 'Outputs')
      await page.getByRole('heading', { name: '1 output, 250 ada' }).waitFor()
    })
    await check('pays, and shows the verdict with its latency', async () => {
      await goTo(page, 'Commands')
      assert.match(await command(page, 'Pay', { To: bob.address, 'Amount in ada': '2.5' }), /is in snapshot/)
      await goTo(page, 'Transactions')
      await page.getByRole('table', { name: 'Transactions' }).getByText('Confirmed').first().waitFor()
    })
    await check('names what is wrong with an amount and an address before anything is sent', async () => {
      await goTo(page, 'Commands')
      await page.getByRole('button', { name: 'Pay', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('To').fill('nobody')
      await dialog.getByRole('button', { name: 'Pay', exact: true }).click()
      await dialog.getByText('An address begins with').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    })
    await check('shows why a payment failed', async () => {
      assert.match(
        await command(page, 'Pay', { To: bob.address, 'Amount in ada': '0.1' }, 'Failed'),
        /minimum|least|lovelace/i
      )
    })
    await check('decommits', async () => {
      assert.match(await command(page, 'Decommit', { 'Amount in ada': '20' }), /20 ada are on the base ledger/)
      await goTo(page, 'Deposits & decommits')
      await page.getByText('On the base ledger', { exact: true }).first().waitFor()
    })
    await check('reconnects by itself after a drop, and shows the outputs again', async () => {
      await goTo(page, 'Overview')
      node.dropConnections()
      await page.getByText('lost 1 time').waitFor()
      await head.getByText('Connected', { exact: true }).waitFor()
      await page.getByText('230 ada', { exact: true }).waitFor()
    })
    await check('moves money and time over the control API', async () => {
      await goTo(page, 'Local head')
      await page.getByRole('button', { name: 'Fund' }).click()
      await page.getByText('100 ada are there.').waitFor()
      await page.getByRole('button', { name: '+1 min', exact: true }).click()
      await page.getByText('Time moved on by 1 min.').waitFor()
      await page.getByLabel('Hold snapshots').check()
      await page.getByText('Hold snapshots: true.').waitFor()
      assert.equal(node.faults.holdSnapshots, true)
      await page.getByLabel('Hold snapshots').uncheck()
      await page.getByText('Hold snapshots: false.').waitFor()
    })
    await check('keeps a state and goes back to it, here and by a file', async () => {
      const outputs = () => node.baseUtxos(bob.address).length
      const before = outputs()
      await page.getByRole('button', { name: 'Keep this state' }).click()
      await page.getByText('The state is kept.').waitFor()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save to a file' }).click()
      const file = await (await saved).path()
      await page.getByText('local-head.json holds the state.').waitFor()
      for (const goBack of [
        () => page.getByRole('button', { name: 'Go back to state 1' }).click(),
        () =>
          page
            .getByLabel('Load a file')
            .setInputFiles({ name: 'local-head.json', mimeType: 'application/json', buffer: readFileSync(file) })
      ]) {
        node.fund(bob.address, 5_000_000n)
        assert.equal(outputs(), before + 1)
        await goBack()
        await page.getByText(/The local head is back at state 1|The state of the file is/).waitFor()
        assert.equal(outputs(), before)
        await head.getByText('Connected', { exact: true }).waitFor()
      }
      await page
        .getByLabel('Load a file')
        .setInputFiles({ name: 'wrong.json', mimeType: 'application/json', buffer: Buffer.from('{"version":0}') })
      await page.getByRole('alert').waitFor()
      assert.equal(outputs(), before)
    })
    await check('impersonates an address', async () => {
      await page.getByLabel('Address whose keys are elsewhere').fill(bob.address)
      await page.getByRole('button', { name: 'Impersonate' }).click()
      await page.getByText('No signature of that address is asked for.').waitFor()
      assert.deepEqual((await node.status()).impersonated, [bob.address])
    })
    await check('finds nothing in the way of the payout but the version of an old node', async () => {
      await goTo(page, 'Payout check')
      await page.locator('.finding').first().waitFor()
      const blocks = await page.locator('.finding.bad code').allInnerTexts()
      // Of nodes 2.0 to 2.4.0, which may sign transactions that nobody validated.
      assert.deepEqual(
        blocks.filter((code) => code !== 'node-vulnerable'),
        []
      )
    })
    await check('closes, shows the deadline and how a contest moves it', async () => {
      await goTo(page, 'Commands')
      assert.match(await command(page, 'Close'), /Closed with snapshot/)
      await goTo(page, 'Overview')
      node.contest()
      await page.getByText('the deadline moved by').waitFor()
    })
    await check('fans out after the contestation period', async () => {
      await goTo(page, 'Commands')
      await command(page, 'Fan out')
      await head.getByText('No head', { exact: true }).waitFor()
    })
    await check('shows the messages of all this', async () => {
      await goTo(page, 'Messages')
      await page.getByPlaceholder('Tag, id or any text').fill('HeadIsFinalized')
      await page.getByRole('button', { name: 'HeadIsFinalized' }).first().click()
      await page.getByRole('dialog').getByText('"tag": "HeadIsFinalized"').waitFor()
    })
    await check('writes nothing to the console', () =>
      assert.deepEqual(
        // What the browser itself says of the file that was no state.
        noise.filter((text) => !/status of 400 .*\/devnode\/state$/.test(text)),
        []
      )
    )
  } finally {
    await close()
    await node.stop()
  }
}
