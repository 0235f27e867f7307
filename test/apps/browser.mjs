// Chromium on a page of this machine, and what it reports.
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const LIMIT_MS = 30_000

/** @returns null where there is no Chromium */
export async function launch() {
  const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => {
    try {
      return path && readFileSync(path).length > 0
    } catch {
      return false
    }
  })
  if (executablePath === undefined) return null
  return chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'], timeout: LIMIT_MS })
}

/** Opens a page. `noise`: its errors and what it prints; `sockets`: how many WebSockets it has opened to `nodeUrl`. */
export async function openPage(browser, url, nodeUrl) {
  const page = await browser.newPage()
  page.setDefaultTimeout(LIMIT_MS)
  const seen = {
    page,
    noise: [],
    sockets: 0,
    /** Loads the page anew, and counts from there. */
    async reload() {
      seen.noise.length = 0
      seen.sockets = 0
      await page.reload()
    },
    /** Waits for something on the page; a failure shows the page as it is. */
    async waitFor(locator) {
      try {
        await locator.waitFor()
      } catch (error) {
        throw new Error(
          `${error.message}\nThe page: ${await page.locator('body').innerText()}\n${seen.noise.join('\n')}`,
          { cause: error }
        )
      }
    }
  }
  page.on('pageerror', (error) => seen.noise.push(String(error)))
  page.on('console', (message) => {
    if (!/React DevTools|^\[vite\] connect/.test(message.text())) seen.noise.push(message.text())
  })
  page.on('websocket', (socket) => {
    if (socket.url().startsWith(nodeUrl)) seen.sockets++
  })
  await page.goto(url)
  return seen
}
