// Chromium with the dashboard in it, and everything that a page could complain about.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const PROGRAM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path && existsSync(path)
)
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]

/** What Chromium itself says of a connection that was lost on purpose. */
const EXPECTED = [/WebSocket connection to .* failed/, /ERR_CONNECTION_REFUSED/]

export async function launch() {
  if (PROGRAM === undefined)
    throw new Error('Chromium is missing: install it with `apt-get install chromium`, or set CHROMIUM_PATH.')
  return chromium.launch({ executablePath: PROGRAM, headless: true, args: FLAGS, timeout: 120_000 })
}

/**
 * Opens a page.
 * @returns {Promise<{ page: import('playwright-core').Page, noise: string[], close: () => Promise<void> }>} `noise`:
 * errors and warnings of the console, errors of the page, and what its policy kept out.
 */
export async function openPage(browser, url, { width = 1440, height = 900, colorScheme = 'light', ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    ...options
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const noise = []
  page.on('pageerror', (error) => noise.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !EXPECTED.some((each) => each.test(message.text())))
      noise.push(`${message.text()} ${message.location().url}`)
  })
  await page.goto(url)
  return { page, noise, close: () => context.close() }
}
