// npm run pictures: the pictures of README.md and docs/guides/dashboard.md, light and dark, made by running what they
// show. Needs Chromium. Look at what it wrote before you commit it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, ROOT } from './entries.mjs'

const { launch, openPage } = await import('../test/dashboard/lib/browser.mjs')
const { command, goTo, openAccount, unlock } = await import('../test/dashboard/lib/actions.mjs')
const { createHeadClient } = await import('../dist/client.js')
const { startDevNode } = await import('../dist/devnode.js')
const { ChainCliWallet } = await import('../dist/wallet.js')

const FOLDER = join(ROOT, 'docs', 'pictures')
mkdirSync(FOLDER, { recursive: true })
const SCHEMES = ['light', 'dark']

await drawDashboard()
drawDemo()

/** A head with money and payments in it, as a person sees it. */
async function drawDashboard() {
  const node = await startDevNode({
    port: 0,
    rpcPort: 0,
    parties: 3,
    seed: 'pictures',
    control: true,
    timings: { contestationPeriodMs: 3_600_000 }
  })
  const browser = await launch()
  const [alice, bob] = node.keys
  const wide = await openPage(browser, node.dashboardUrl, { width: 1200, height: 860 })
  await unlock(wide.page)
  await openAccount(wide.page)
  await command(wide.page, 'Open a head')
  await command(wide.page, 'Deposit', { 'Amount in ada': '1200' })
  const head = createHeadClient({ url: node.url, wallet: new ChainCliWallet({ networkId: 0, skey: alice.skey }) })
  await head.connect()
  await head.deposit({ utxos: node.baseUtxos(alice.address).slice(0, 1) })
  for (let n = 1; n <= 24; n++)
    await head.pay({ to: n % 3 === 0 ? node.accounts[n % 10].address : bob.address, amount: BigInt(n) * 1_250_000n })
  await head.disconnect()
  await wide.page.getByRole('button', { name: 'Lock commands' }).click()
  await goTo(wide.page, 'Overview')
  const narrow = await openPage(browser, node.dashboardUrl, { width: 390, height: 860 })
  await narrow.page.getByText('Newest transactions').first().waitFor()
  for (const scheme of SCHEMES)
    for (const [name, { page }] of [
      ['dashboard', wide],
      ['dashboard-phone', narrow]
    ]) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.mouse.move(0, 0)
      await page.waitForTimeout(1_500)
      await page.screenshot({ path: join(FOLDER, `${name}-${scheme}.png`) })
    }
  await browser.close()
  await node.stop()
}

/** The demo's lines in a terminal, as SVG: text stays text. */
function drawDemo() {
  const { stdout, status } = spawnSync(process.execPath, [join(ROOT, 'examples', 'demo', 'main.mjs'), '--port', '0'], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' }
  })
  if (status !== 0) throw new Error('The demo failed.')
  const lines = ['$ npm run demo', ...stdout.trimEnd().split('\n')]
  for (const scheme of SCHEMES) writeFileSync(join(FOLDER, `demo-${scheme}.svg`), terminal(lines, scheme))
}

function terminal(lines, scheme) {
  const [back, text, dim, ok, frame] =
    scheme === 'light'
      ? ['#ffffff', '#1d2737', '#5a6578', '#0b6b42', '#d5dbe5']
      : ['#0d1117', '#e7ecf3', '#9ba7b8', '#56cc94', '#2a3341']
  const [width, row, top] = [Math.max(...lines.map((line) => line.length)) * 8.45 + 48, 20, 56]
  const height = top + lines.length * row + 12
  const escape = (line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  const colourOf = (line) => (line.startsWith('$') ? dim : /^\[ok\]/.test(line) ? ok : text)
  const rows = lines
    .map((line, i) =>
      line === '' ? '' : `<text x="24" y="${top + i * row}" fill="${colourOf(line)}">${escape(line)}</text>`
    )
    .filter((line) => line !== '')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img" aria-label="npm run demo in a terminal: ${readJson('package.json').name} opens a head, pays in it and closes it">
<!-- Made by scripts/pictures.mjs from a run of the demo. -->
<rect x="0.5" y="0.5" width="${Math.ceil(width) - 1}" height="${height - 1}" rx="10" fill="${back}" stroke="${frame}"/>
<g fill="${frame}"><circle cx="22" cy="20" r="6"/><circle cx="42" cy="20" r="6"/><circle cx="62" cy="20" r="6"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
${rows.join('\n')}
</g>
</svg>
`
}
