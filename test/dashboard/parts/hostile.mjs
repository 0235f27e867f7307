// A node that sends markup, marks that turn text, and floods.
import assert from 'node:assert/strict'
import { startDevNode } from '../../../dist/devnode.js'
import { goTo } from '../lib/actions.mjs'
import { openPage } from '../lib/browser.mjs'

const MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
const hex = (text) => Buffer.from(text).toString('hex')
const POLICY = 'cd'.repeat(28)
const TX = 'ab'.repeat(32)

export async function hostile(check, browser) {
  const [address] = (await accountOf()).slice(0, 1)
  const amount = [
    { unit: 'lovelace', quantity: '5000000' },
    { unit: POLICY + hex('<b onclick=x>\u202egold'), quantity: '7' }
  ]
  const node = await startDevNode({ port: 0, open: true, inHead: [{ address, amount }] })
  const { page, noise, close } = await openPage(browser, node.dashboardUrl)
  const send = (message) =>
    node.inject(JSON.stringify({ headId: node.headId, timestamp: new Date().toISOString(), ...message }))
  const safe = async () => assert.equal(await page.evaluate(() => window.pwned), undefined)
  try {
    await check('shows markup in the name of an asset as text, and marks that turn text as escapes', async () => {
      await goTo(page, 'Outputs')
      await page.getByText('By asset').click()
      await page.getByText('<b onclick=x>\\u202egold').waitFor()
      await safe()
    })
    await check("shows markup in a refusal's reason as text", async () => {
      send({
        tag: 'TxInvalid',
        seq: 900,
        transaction: { txId: TX, type: MARKUP, cborHex: '', description: MARKUP },
        utxo: {},
        validationError: { reason: MARKUP }
      })
      await goTo(page, 'Transactions')
      await page.getByRole('link', { name: /^Transaction abab/ }).click()
      await page.getByLabel("The node's words").getByText('<img src=x').waitFor()
      await safe()
    })
    await check('shows markup in addresses, ids and tags as text', async () => {
      send({
        tag: 'CommitRecorded',
        seq: 901,
        pendingDeposit: MARKUP,
        deadline: MARKUP,
        utxoToCommit: { [`${TX}#0`]: { address: MARKUP, value: { lovelace: 2000000 } } }
      })
      send({ tag: MARKUP, seq: 902, [MARKUP]: MARKUP })
      send({ tag: 'PeerConnected', seq: 903, peer: MARKUP })
      send({ tag: 'HeadIsContested', seq: 904, snapshotNumber: MARKUP, contestationDeadline: MARKUP })
      for (const view of ['Deposits & decommits', 'Overview', 'Payout check', 'Messages']) {
        await goTo(page, view)
        await page.waitForTimeout(400)
        await safe()
      }
      await page.getByText('<img src=x').first().waitFor()
    })
    await check('survives messages that are no messages', async () => {
      for (const text of [
        '',
        'null',
        '[]',
        '{"tag":5}',
        '{"tag":"SnapshotConfirmed"}',
        '{"tag":"TxValid"}',
        `{"tag":"HeadIsClosed","headId":"${'a'.repeat(100_000)}"}`
      ])
        node.inject(text)
      send({
        tag: 'TxInvalid',
        seq: 905,
        transaction: { txId: 'f'.repeat(64) },
        validationError: { reason: 'x'.repeat(2_000_000) }
      })
      await goTo(page, 'Transactions')
      await page.getByRole('link', { name: /^Transaction ffff/ }).click()
      await page.getByText('(2000000 characters)').first().waitFor()
    })
    await check('lets no script in that is not its own, whatever a page part would say', async () => {
      const blocked = await page.evaluate(
        () =>
          new Promise((resolve) => {
            document.addEventListener('securitypolicyviolation', () => resolve(true), { once: true })
            const script = document.createElement('script')
            script.textContent = 'window.pwned = 1'
            document.body.append(script)
            setTimeout(() => resolve(false), 5_000)
          })
      )
      assert.equal(blocked, true)
      await safe()
    })
    await check('breaks nowhere', () =>
      assert.deepEqual(
        noise.filter((text) => !/Content Security Policy/.test(text)),
        []
      )
    )
  } finally {
    await close()
    await node.stop()
  }
}

async function accountOf() {
  const node = await startDevNode({ port: 0, rpcPort: null })
  const addresses = node.keys.map(({ address }) => address)
  await node.stop()
  return addresses
}
