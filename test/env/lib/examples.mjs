// Each folder of examples/, copied beside the installed package and run as its README says; the starters for React and
// Next are test/apps's.
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, ROOT } from '../../../scripts/entries.mjs'
import { WORDS } from '../scenario.mjs'
import { workerBundle } from './bundles.mjs'
import { viteBuild } from './bundlers.mjs'
import { launchChromium, policyFor, servePage } from './chromium.mjs'
import { fillHead } from './headNode.mjs'
import { runBounded } from './processes.mjs'
import { programs, startWorkerd } from './runtimes.mjs'
import { shop } from './shopStarter.mjs'
import { depositPage, gameLoop, payPerCall } from './starters.mjs'

const ADDRESS =
  'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3jcu5d8ps7zex2k2xt3uqxgjqnnj83ws8lhrn648jjxtwq2ytjqp'
/** Public key of the same wallet's first account. */
const XPUB =
  'xpub1eame4ge0x5yrwpuqs5eyw89kfmjpgfkfh02xzdx6c2k9k2swcr5clf0u634tm82x6nv2j750x3j7938g70ya4k0lv6pr59s7etw2vpqmkkuux'
const LIMIT_MS = 60_000

/** The examples whose runtime is there; a runtime that is not is reported once, by the plan. */
export function examples(folder) {
  const targets = [
    { id: 'node-payment', needs: process.execPath, run: (root, env, check) => nodePayment(root, check) },
    { id: 'deno', needs: programs.deno, run: deno },
    { id: 'worker', needs: programs.workerd, run: (root, env, check) => worker(root, folder, check) },
    {
      id: 'browser-wallet',
      needs: programs.chromium,
      run: (root, env, check) => browserWallet(root, folder, env, check)
    },
    { id: 'cip30-deposit', needs: programs.chromium, run: (root, env, check) => depositPage(root, check) },
    { id: 'game-loop', needs: process.execPath, run: (root, env, check) => gameLoop(root, check) },
    { id: 'pay-per-call', needs: process.execPath, run: (root, env, check) => payPerCall(root, folder, check) },
    { id: 'shop', needs: process.execPath, run: (root, env, check) => shop(root, folder, check) }
  ]
  return targets
    .filter(({ needs }) => needs !== null)
    .map(({ id, run }) => ({
      id: `example-${id}`,
      name: `examples/${id}`,
      version: readJson('package.json').version,
      example: true,
      compared: false,
      async run(env) {
        const root = copyExample(folder, id)
        const checks = []
        const check = (name, ok, error) => checks.push({ name, ok: Boolean(ok), error: ok ? undefined : String(error) })
        check(
          'takes the package from the clone, or asks for this version of it',
          asksForThisVersion(root),
          'its manifest names another version'
        )
        await run(root, env, check)
        return { checks, values: {} }
      }
    }))
}

function copyExample(folder, id) {
  const root = join(folder, 'examples', id)
  cpSync(join(ROOT, 'examples', id), root, { recursive: true, filter: (path) => !/node_modules|[\\/]dist$/.test(path) })
  symlinkSync(join(folder, 'node_modules'), join(root, 'node_modules'), 'junction')
  return root
}

function asksForThisVersion(root) {
  const { version } = readJson('package.json')
  const manifest = ['package.json', 'deno.json'].map((name) => join(root, name)).find((path) => existsSync(path))
  const { dependencies, imports } = JSON.parse(readFileSync(manifest, 'utf8'))
  return dependencies?.['layer-sdk'] === 'file:../..' || imports?.['layer-sdk/'] === `npm:/layer-sdk@${version}/`
}

async function nodePayment(root, check) {
  const { ok, output } = await runBounded(process.execPath, ['pay.mjs'], { cwd: root, limitMs: LIMIT_MS })
  check('ends with success', ok, output)
  check(
    'pays and shows the balance',
    output.includes('paid 2.5 ada') && output.includes('the receiver now has 2.5 ada'),
    output
  )
}

async function deno(root, { nodeUrl }, check) {
  const flags = [
    'run',
    '--quiet',
    '--check',
    '--cached-only',
    '--no-lock',
    '--node-modules-dir=manual',
    '--no-prompt',
    '--allow-net',
    '--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE'
  ]
  const { ok, output } = await runBounded(programs.deno, [...flags, 'wallet.ts', nodeUrl, ...WORDS], {
    cwd: root,
    limitMs: LIMIT_MS,
    env: { ...process.env, NO_COLOR: '1' }
  })
  check('ends with success', ok, output)
  check(
    'shows the address, the verdict and the head',
    [`address ${ADDRESS}`, 'and verified', 'head    Idle'].every((text) => output.includes(text)),
    output
  )
}

async function worker(root, folder, check) {
  const warnings = await workerBundle(join(root, 'worker.mjs'), join(root, 'out', 'worker.mjs'))
  check('is bundled without a warning', warnings.length === 0, warnings.join('\n'))
  const { AppWallet } = await import(join(folder, 'node_modules/layer-sdk/dist/wallet.js'))
  const signed = await new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: WORDS } }).signData(
    ADDRESS,
    'hello'
  )
  const server = await startWorkerd(root, 'worker', 'out/worker.mjs', [])
  const ask = async (path, body) => {
    const response = await fetch(`${server.url}${path}`, {
      method: body ? 'POST' : 'GET',
      body,
      signal: AbortSignal.timeout(LIMIT_MS)
    })
    return `${response.status} ${await response.text()}`
  }
  const expect = async (name, path, body, expected) => {
    const got = await ask(path, body)
    check(name, got.startsWith(expected), `expected ${expected}, got ${got}`)
  }
  try {
    await expect('derives an address', `/address?xpub=${XPUB}&index=0`, undefined, `200 {"address":"${ADDRESS}"}`)
    await expect("refuses a wrong key with the error's code", '/address?xpub=xpub1oops', undefined, '400 {"error":')
    await expect(
      'takes a good signature',
      '/verify',
      JSON.stringify({ ...signed, address: ADDRESS, payload: 'hello' }),
      '200 {"valid":true}'
    )
    await expect(
      'finds a bad one',
      '/verify',
      JSON.stringify({ ...signed, address: ADDRESS, payload: 'hullo' }),
      '200 {"valid":false}'
    )
    await expect('refuses what is not JSON', '/verify', '{', '400 ')
  } finally {
    server.end()
  }
}

async function browserWallet(root, folder, env, check) {
  const dist = join(root, 'dist')
  const warnings = await viteBuild(root, dist, 'index.html')
  check('is built by vite without a warning', warnings.length === 0, warnings.join('\n'))
  await fillHead(folder, env)
  const server = await servePage(dist, policyFor([env.nodeUrl, env.nodeUrl.replace(/^ws/, 'http')]))
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 960, height: 1000 } })
    page.setDefaultTimeout(20_000)
    const noise = []
    page.on('pageerror', (error) => noise.push(String(error)))
    page.on('console', (message) => noise.push(message.text()))
    await page.goto(`${server.url}/index.html`)
    await page.getByLabel('Recovery phrase').fill('not a phrase')
    await page.getByRole('button', { name: 'Restore' }).click()
    const said = await page.getByRole('alert').textContent()
    check('says what is wrong with a phrase', said.includes('12, 15, 18, 21 or 24 words'), said)
    await page.getByRole('button', { name: 'Make a new phrase' }).click()
    check(
      'makes a phrase of 24 words',
      (await page.getByLabel('Recovery phrase').inputValue()).split(' ').length === 24,
      'other'
    )
    await page.getByLabel('Recovery phrase').fill(WORDS.join(' '))
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.locator('#rows tr').nth(4).waitFor()
    check(
      'shows the addresses',
      (await page.locator('#rows').textContent()).includes(ADDRESS),
      await page.locator('#rows').textContent()
    )
    await page.getByRole('button', { name: 'Sign' }).click()
    await page.locator('#verified', { hasText: 'verified' }).waitFor()
    check('signs and verifies', (await page.locator('#verified').textContent()) === 'verified', 'not verified')
    await page.getByLabel('Head node').fill(env.nodeUrl)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.locator('#status', { hasText: 'connected, open' }).waitFor()
    await page.locator('#rows', { hasText: '50.000000 ada' }).waitFor()
    check('shows the balance in the head', true)
    check('prints nothing on the console', noise.length === 0, noise.join('\n'))
    if (process.env.LAYER_SDK_SCREENSHOT)
      await page.screenshot({ path: process.env.LAYER_SDK_SCREENSHOT, fullPage: true })
  } finally {
    await browser.close()
    await server.close()
  }
}
