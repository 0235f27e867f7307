// Pages of a transaction, an address and an output, the search for them, and the outputs of a head that was paid out.
import assert from 'node:assert/strict'
import { createHeadClient } from '../../../dist/client.js'
import { startDevNode } from '../../../dist/devnode.js'
import { Metadatum, PlutusData } from '../../../dist/utils.js'
import { ChainCliWallet } from '../../../dist/wallet.js'
import { goTo, openAccount, unlock } from '../lib/actions.mjs'
import { openPage } from '../lib/browser.mjs'
import { violations } from './accessibility.mjs'

const MARKUP = '<img src=x onerror="window.pwned=1">'
const HOSTILE = `${MARKUP}\u202egnp\u001b[2J`
const bytes = (text) => new TextEncoder().encode(text)

async function search(page, text) {
  await page.getByRole('searchbox', { name: 'Search the ledger' }).fill(text)
  await page.keyboard.press('Enter')
}

/** A head with a payment that carries all that others may write. */
async function paidHead() {
  const node = await startDevNode({ port: 0, open: true, control: true, timings: { contestationPeriodMs: 1_000 } })
  const [alice, bob] = node.keys
  await node.fundHead(alice.address, 100_000_000n)
  const wallet = new ChainCliWallet({ networkId: 0, skey: alice.skey })
  const head = createHeadClient({ url: node.url, wallet })
  await head.connect()
  const { txId } = await head.pay({
    to: bob.address,
    amount: 2_500_000n,
    datum: PlutusData.list([PlutusData.int(42), PlutusData.bytes(bytes(MARKUP))]),
    metadata: {
      674: Metadatum.from({ msg: ['Order 17', HOSTILE] }),
      5: Metadatum.from({ [HOSTILE.slice(0, 30)]: ['x'] })
    }
  })
  return { node, head, alice, bob, txId }
}

export async function ledgerPages(check, browser) {
  const { node, head, alice, bob, txId } = await paidHead()
  const { page, noise, close } = await openPage(browser, node.dashboardUrl)
  const heading = (name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const region = (name) => page.getByRole('region', { name })
  const safe = async () => assert.equal(await page.evaluate(() => window.pwned), undefined)
  try {
    await check('a row shows who pays whom, and how much', async () => {
      await goTo(page, 'Transactions')
      const row = page.getByRole('table', { name: 'Transactions' }).getByRole('row').nth(1)
      await row.getByText('Confirmed').waitFor()
      assert.match(await row.innerText(), /alice[^]*bob[^]*2\.5/)
    })
    await check(
      'a transaction has a page with a URL of its own: ends, amounts, fee, note, metadata, datum, CBOR',
      async () => {
        await page.getByRole('link', { name: new RegExp(`^Transaction ${txId.slice(0, 6)}`) }).click()
        await heading('Transaction')
        assert.equal(new URL(page.url()).hash, `#/transaction/${txId}`)
        assert.match(await region('From 1 input').innerText(), /alice[^]*100 ada/)
        assert.match(
          await region('To 2 outputs').innerText(),
          /bob[^]*2\.5 ada[^]*alice[^]*97\.5 ada[^]*back to the sender/
        )
        await region('Verdict').getByText('0 ada', { exact: true }).waitFor()
        const contents = region('Contents')
        assert.match(await contents.innerText(), /Order 17\n<img src=x[^]*Metadata 5[^]*Metadata 674/)
        await page.getByText('Datum', { exact: true }).click()
        await page.getByLabel('Datum', { exact: true }).getByText(Buffer.from(MARKUP).toString('hex')).waitFor()
        await contents.getByText(/^CBOR, \d+ bytes$/).click()
        assert.match(await contents.getByLabel(/^CBOR/).last().innerText(), /^84a[0-9a-f]+$/)
      }
    )
    await check('text of others is text: no markup, and marks and terminal escapes are written out', async () => {
      const text = await region('Contents').innerText()
      assert.ok(text.includes(`${MARKUP}\\u202egnp\\u001b[2J`), text)
      assert.equal(await page.locator('main img').count(), 0)
      await safe()
    })
    await check('its link opens the page in another tab, and the back button leads back', async () => {
      const other = await openPage(browser, `${node.dashboardUrl}#/transaction/${txId}`)
      await other.page.getByRole('heading', { level: 1, name: 'Transaction' }).waitFor()
      await other.page.getByRole('region', { name: 'To 2 outputs' }).waitFor()
      assert.deepEqual(other.noise, [])
      await other.close()
      await page.goBack()
      await heading('Transactions')
    })
    await check('one field finds a transaction, an address and an output', async () => {
      await search(page, ` ${txId.toUpperCase()} `)
      await heading('Transaction')
      await search(page, bob.address)
      await heading('Address')
      await region('In the head').getByText('2.5 ada').waitFor()
      await region('In the head').getByText('bob', { exact: true }).waitFor()
      await region('1 transaction').getByText('Confirmed').waitFor()
      await search(page, `${txId}#0`)
      await heading('Output')
      await region('State').getByText('Unspent').waitFor()
    })
    await check('says what is wrong with anything else, and stays', async () => {
      for (const [text, expected] of [
        [txId.slice(1), '64 hexadecimal digits; this text has 63'],
        [`${txId}#70000`, 'a number up to 65535'],
        [bob.address.slice(0, -1), 'address'],
        [HOSTILE, 'is no id of a transaction']
      ]) {
        await search(page, text)
        await page.getByRole('alert').getByText(expected).waitFor()
      }
      await heading('Output')
      await safe()
    })
    await check('a link that names nothing says so', async () => {
      await page.evaluate((hash) => (location.hash = hash), `#/address/${encodeURIComponent(HOSTILE)}`)
      await page.getByText('This link leads nowhere').waitFor()
      await search(page, 'ef'.repeat(32))
      await page.getByText('Neither the head nor its history names this transaction').waitFor()
      await safe()
    })
    await check('a spent output leads to its spender', async () => {
      await search(page, alice.address)
      await region(/transactions?$/)
        .getByRole('link', { name: /^Transaction/ })
        .last()
        .click()
      await region('From 1 input')
        .getByRole('link', { name: /^Output/ })
        .click()
      await heading('Output')
      await region('State').getByText('Spent', { exact: true }).waitFor()
      await region('State')
        .getByRole('link', { name: new RegExp(`^Transaction ${txId.slice(0, 6)}`) })
        .waitFor()
    })
    await check('the open wallet is named', async () => {
      await unlock(page)
      await openAccount(page)
      const address = await page.locator('.wallet code').nth(0).getAttribute('title')
      await search(page, address)
      await region('In the head').getByText('you (account 0)').waitFor()
      await goTo(page, 'Overview')
    })
    for (const colorScheme of ['light', 'dark'])
      for (const width of [1440, 390])
        await check(`no violation on the pages, ${colorScheme}, ${width} wide`, () =>
          accessible(browser, node.dashboardUrl, { width, colorScheme }, [
            [`#/transaction/${txId}`, 'Transaction'],
            [`#/address/${alice.address}`, 'Address'],
            [`#/output/${txId}/0`, 'Output'],
            ['#/address/x', 'No such page']
          ])
        )
    await head.closeHead()
    await head.fanoutHead()
    await check('"Paid out" is a state with its outputs, for a page that was there', async () => {
      await region('Paid out: 2 outputs, 100 ada').getByText('2.5', { exact: true }).waitFor()
      await region('Paid out').getByText('bob', { exact: true }).waitFor()
      const current = page.getByRole('list', { name: 'Life of the head' }).locator('[aria-current=step]')
      assert.match(await current.innerText(), /Paid out/)
      await region('Paid out')
        .getByRole('link', { name: /^Output/ })
        .first()
        .click()
      await region('State').getByText('Paid out', { exact: true }).waitFor()
    })
    await check('and for one that comes later', () =>
      accessible(browser, node.dashboardUrl, { width: 390 }, [
        ['#/overview', 'Overview', 'Paid out: 2 outputs, 100 ada']
      ])
    )
    await check('writes nothing to the console', () => assert.deepEqual(noise, []))
  } finally {
    await close()
    await head.disconnect()
    await node.stop()
  }
}

async function accessible(browser, url, options, places) {
  const { page, noise, close } = await openPage(browser, url, options)
  try {
    for (const [hash, title, region] of places) {
      await page.evaluate((to) => (location.hash = to), hash)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      if (region !== undefined) await page.getByRole('region', { name: region }).waitFor()
      await page.waitForTimeout(300)
      assert.deepEqual(await violations(page), [], hash)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth
      )
      assert.equal(overflow, 0, `${hash} scrolls sideways`)
    }
    assert.deepEqual(noise, [])
  } finally {
    await close()
  }
}
