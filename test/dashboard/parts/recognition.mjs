// The view Recognition: heads in the states of a wallet's money, flagged ones among them, with axe in each.
import assert from 'node:assert/strict'
import { driveTo, manualClock, startDevNode } from '../../../dist/devnode.js'
import { goTo } from '../lib/actions.mjs'
import { openPage } from '../lib/browser.mjs'
import { violations } from './accessibility.mjs'

const LOOKS = [
  [1440, 'light'],
  [390, 'dark'],
  [1440, 'dark'],
  [390, 'light']
]

/** A node whose head is in a state, with its page on the view. */
async function opened(browser, state, look = LOOKS[0], options = {}) {
  const node = await startDevNode({
    port: 0,
    accumulator: 'real',
    accounts: 0,
    clock: manualClock(Date.now()),
    timings: { blockMs: 2_000, depositDelayMs: 30_000, depositPeriodMs: 600_000, contestationPeriodMs: 600_000 },
    ...options
  })
  const driven = await driveTo({ node, state })
  const [width, colorScheme] = look
  const { page, noise, close } = await openPage(browser, node.dashboardUrl, { width, colorScheme })
  await goTo(page, 'Recognition')
  const card = page.getByRole('article')
  return { node, page, card, driven, noise, end: async () => (await close(), await node.stop()) }
}

/** Waits until the card has all of these texts, and returns its words. */
async function shows(card, ...texts) {
  for (const text of texts) await card.getByText(text).first().waitFor()
  return card.innerText()
}

async function sound(page) {
  assert.deepEqual(await violations(page), [])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  )
  assert.equal(overflow, 0, 'the page scrolls sideways')
  // Recognition only: nothing on the view spends.
  const buttons = await page.getByRole('main').getByRole('button').allInnerTexts()
  assert.deepEqual(
    buttons.map((text) => text.trim()).filter((text) => text !== ''),
    ['Search', 'Look']
  )
}

/** State -> words on its card. */
const STATES = {
  empty: ['Verified in the head', 'nothing', 'as of snapshot 0 (version 0)'],
  'deposit-waiting': ['Deposit waits for the head', '1,000 ada', 'The head can claim it'],
  'deposit-recoverable': ['Deposit can be recovered', 'Its owner can recover it'],
  arriving: ['Arriving in the head', '1,000 ada', 'as of snapshot 1 (version 0)'],
  verified: ['Verified in the head', '997 ada', 'as of snapshot 2 (version 1)'],
  leaving: ['897 ada', 'Leaving the head', '100 ada'],
  contestable: ['The head is closing', 'The contestation period ends', 'The head pays out', '894 ada']
}

export async function recognition(check, browser) {
  for (const [i, [state, texts]] of Object.entries(STATES).entries()) {
    const look = LOOKS[i % LOOKS.length]
    await check(`shows a head that is ${state}: ${look.join(', ')}`, async () => {
      const { page, card, noise, end } = await opened(browser, state, look)
      try {
        await shows(card, ...texts)
        await sound(page)
        assert.deepEqual(noise, [])
      } finally {
        await end()
      }
    })
  }
  for (const look of LOOKS)
    await check(`keeps a flagged head visible with its last verified money: ${look.join(', ')}`, async () => {
      const { node, page, card, end } = await opened(browser, 'verified', look)
      try {
        await shows(card, '997 ada')
        Object.assign(node.faults, { forgeSnapshot: 'amountRaised' })
        const text = await shows(card, 'Not verified', 'The outputs are not those that the parties signed.', '997 ada')
        assert.match(text, /Last verified in the head/)
        assert.match(text, /as of snapshot 2 \(version 1\)/)
        assert.match(text, /--accumulator real/)
        // Money of the base ledger stands elsewhere, and is not added.
        const base = page.getByRole('region', { name: 'On the base ledger' })
        await base.getByText('9,000 ada').waitFor()
        assert.doesNotMatch(await page.getByRole('main').innerText(), /9,997|10,000/)
        await sound(page)
        node.faults.forgeSnapshot = null
        await shows(card, 'Verified in the head')
      } finally {
        await end()
      }
    })
  await check('counts down to the end of the contestation, and follows the head to its end', async () => {
    const { node, page, card, end } = await opened(browser, 'contestable')
    const seconds = async () => {
      const [, minutes, left] = /in (\d+) min(?: (\d+) s)?/.exec(await card.innerText())
      return Number(minutes) * 60 + Number(left ?? 0)
    }
    try {
      await shows(card, 'The contestation period ends')
      const before = await seconds()
      await page.waitForTimeout(3_000)
      const passed = before - (await seconds())
      assert.ok(passed >= 2 && passed <= 10, `${passed} s passed`)
      await node.advanceTime(700_000)
      await shows(card, 'it can be paid out')
    } finally {
      await end()
    }
  })
  await check('looks at another head and another wallet that a person names', async () => {
    const { node, page, end } = await opened(browser, 'verified')
    try {
      const main = page.getByRole('main')
      await main.getByLabel('Id of another head').fill('nothing')
      await main.getByRole('button', { name: 'Look' }).click()
      await main.getByRole('alert').getByText('56 lower-case hexadecimal digits').waitFor()
      await main.getByLabel('Id of another head').fill('ab'.repeat(28))
      await main.getByLabel('Addresses', { exact: true }).fill(node.keys[1].address)
      await main.getByRole('button', { name: 'Look' }).click()
      await page.getByRole('article').nth(1).getByText('No head').first().waitFor()
      await shows(page.getByRole('article').first(), '3 ada')
    } finally {
      await end()
    }
  })
}
