// Chromium: a page that a bundler made, served under a strict Content-Security-Policy from another origin than the
// node's.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { chromium } from 'playwright-core'
import { close, listen } from './headNode.mjs'
import { within } from './processes.mjs'
import { programs } from './runtimes.mjs'

const LIMIT_MS = 60_000
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml'
}

export const launchChromium = () =>
  chromium.launch({ executablePath: programs.chromium, headless: true, args: FLAGS, timeout: 60_000 })

/** Scripts come from the page's own files alone, and none is made of text; connections go to `connectTo`. */
export const policyFor = (connectTo) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; worker-src 'self'; ` +
  `connect-src 'self' ${connectTo.join(' ')}`

/** Serves a folder with a policy. `dynamic` answers first. */
export async function servePage(dir, policy, dynamic = () => undefined) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://page').pathname)
    const answer = await dynamic(request, path)
    if (answer !== undefined) return response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
    const file = join(dir, path)
    if (!file.startsWith(dir) || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end()
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': policy
    })
    createReadStream(file).pipe(response)
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) }
}

/** Runs the scenario in a page, or in a dedicated worker that the page starts. */
export async function runPage(browser, dir, page, env) {
  let done
  const result = new Promise((resolve) => {
    done = resolve
  })
  const ws = env.nodeUrl
  const policy = policyFor([ws, ws.replace(/^ws/, 'http'), env.rpcUrl, env.controlUrl, env.closedUrl])
  const server = await servePage(dir, policy, async (request, path) => {
    if (path === '/env.json') return JSON.stringify(env)
    if (path !== '/result') return undefined
    let body = ''
    for await (const chunk of request) body += chunk
    done(JSON.parse(body))
    return '{}'
  })
  const context = await browser.newContext()
  const noise = []
  try {
    const tab = await context.newPage()
    tab.on('pageerror', (error) => noise.push(String(error)))
    tab.on('console', (message) => {
      if (!isExpected(message, env)) noise.push(`${message.text()} ${message.location().url}`)
    })
    await tab.goto(`${server.url}/${page}`)
    const { checks, values, violations = [] } = await within(LIMIT_MS, 'the page', result)
    checks.push({
      name: 'keeps the Content-Security-Policy',
      ok: violations.length === 0,
      error: violations.join('\n')
    })
    checks.push({ name: 'prints no warning', ok: noise.length === 0, error: noise.join('\n') })
    return { checks, values }
  } catch (error) {
    throw new Error(`${error.message}\n${noise.join('\n')}`)
  } finally {
    await context.close()
    await server.close()
  }
}

/** What Chromium itself reports of failures that the scenario asks for: sockets and a transaction that are refused. */
function isExpected(message, { closedUrl, nodeUrl }) {
  if (message.type() !== 'error') return false
  const { url } = message.location()
  if (url === `${nodeUrl.replace(/^ws/, 'http')}/transaction`) return message.text().includes('status of 400')
  return [closedUrl, nodeUrl].some((socketUrl) => message.text().includes(`'${socketUrl}/`))
}
