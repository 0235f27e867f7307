// The first steps of docs/getting-started.md, clicked as they are written there.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../scripts/entries.mjs'
import { startDevNode } from '../../../dist/devnode.js'
import { openPage } from '../lib/browser.mjs'

/** What the numbered steps ask for: `**Press this**`, and "type `text`, ..., into *Field*". */
function stepsOfThePage() {
  const page = readFileSync(join(ROOT, 'docs', 'getting-started.md'), 'utf8')
  const steps = page
    .split('\n## A head in ten minutes\n')[1]
    .split('\n## ')[0]
    .match(/^\d\. .*(\n {3}.*)*/gm)
  return steps.map((step) =>
    [...step.matchAll(/\*\*(?<press>.+?)\*\*|type `(?<text>[^`]+)`[^*]*?into \*(?<field>[^*]+)\*/g)].map(
      ({ groups }) => groups
    )
  )
}

export async function firstMinutes(check, browser) {
  const node = await startDevNode({ port: 0, control: true })
  const { page, noise, close } = await openPage(browser, node.dashboardUrl)
  const [, bob] = node.keys
  try {
    await check('the steps of the page open a head, deposit and pay', async () => {
      await page.getByText('There is no head').waitFor()
      const steps = stepsOfThePage()
      assert.equal(steps.length, 6)
      for (const { press, text, field } of steps.flat()) {
        // A dialog that the last step opened or closed is drawn by then.
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
        const place = (await page.getByRole('dialog').count()) > 0 ? page.getByRole('dialog') : page
        if (press === undefined) await place.getByLabel(field).fill(text)
        else
          await place
            .getByRole('button', { name: press, exact: true })
            .or(place.getByRole('navigation').getByRole('link', { name: new RegExp(`^${press}\\s*\\d*$`) }))
            .click()
        // The page tells its reader to wait for it.
        if (place !== page && press !== undefined && press !== 'Unlock commands')
          await page.locator('.run').first().getByText('Done', { exact: true }).waitFor()
      }
      await page.getByRole('heading', { name: '2 outputs, 100 ada' }).waitFor()
      assert.equal(node.headStatus, 'Open')
      assert.deepEqual(
        node.headUtxos().map(({ output }) => output.amount[0].quantity),
        ['2500000', '97500000']
      )
      assert.equal(node.headUtxos(bob.address).length, 1)
    })
    await check('writes nothing to the console', () => assert.deepEqual(noise, []))
  } finally {
    await close()
    await node.stop()
  }
}
