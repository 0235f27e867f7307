// Pages of others in Chromium: one joins a gateway of another origin by an unmodified client of socket.io, one handles
// messages in a hidden tab.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import { WebSocketServer } from 'ws'
import { ROOT } from '../../../scripts/entries.mjs'
import { startDevNode } from '../../../dist/devnode.js'
import { createGateway } from '../../../dist/gateway.js'
import { launchChromium } from '../lib/chromium.mjs'

const MESSAGES = 1_000
const HANDLER_MS = 12
const HEAD_ID = 'ab'.repeat(28)

/** A script of a page, with what it imports. */
async function bundle(contents) {
  const stdin = { contents, resolveDir: ROOT, loader: 'js' }
  const { outputFiles } = await build({ stdin, bundle: true, format: 'iife', write: false, logLevel: 'error' })
  return outputFiles[0].text
}

/** Serves a page with one script on an origin of its own. */
async function servePage(script) {
  const server = createServer((request, response) =>
    request.url === '/page.js'
      ? response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script)
      : response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><script src="/page.js"></script>')
  )
  const origin = await listen(server)
  return { origin, close: () => close(server) }
}

async function listen(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${server.address().port}`
}

function close(server) {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}

/** Waits until the script of a page has run. */
async function loaded(tab) {
  while (!(await tab.evaluate("document.readyState === 'complete'")))
    await new Promise((resolve) => setTimeout(resolve, 20))
}

/** `join(url)`: what an unmodified client receives, polling first. */
const JOINING = `
  import { io } from 'socket.io-client'
  window.join = (url) => new Promise((resolve) => {
    const socket = io(url, { reconnection: false })
    const first = socket.io.engine.transport.name
    socket.once('hydra', ({ data }) => resolve({ first, tag: data.tag }))
    socket.once('connect_error', ({ message }) => resolve({ first, error: message }))
  })`

/** `listen(url)`: counts the messages that a slow handler has had. */
const LISTENING = `
  import { LayerBridge } from ${JSON.stringify(join(ROOT, 'dist', 'bridge.js'))}
  window.seen = 0
  window.dropped = 0
  window.listen = async (url) => {
    const bridge = new LayerBridge({ url })
    bridge.events.on('onSlowConsumer', ({ dropped }) => (window.dropped += dropped))
    bridge.events.on('onMessage', ({ tag }) => {
      if (tag !== 'PeerConnected') return
      const until = performance.now() + ${HANDLER_MS}
      while (performance.now() < until);
      window.seen++
    })
    await bridge.connect()
  }`

/** A node that says nothing before `send`. */
async function quietNode() {
  const server = createServer((_, response) => response.writeHead(404).end())
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) =>
    socket.send(
      JSON.stringify({
        tag: 'Greetings',
        me: { vkey: 'cd'.repeat(32) },
        headStatus: 'Open',
        hydraHeadId: HEAD_ID,
        snapshotUtxo: {},
        hydraNodeVersion: '2.4.1-test'
      })
    )
  )
  const origin = await listen(server)
  return {
    url: origin.replace('http', 'ws'),
    send(count) {
      for (const socket of sockets.clients)
        for (let seq = 0; seq < count; seq++) socket.send(JSON.stringify({ tag: 'PeerConnected', peer: `peer ${seq}` }))
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      await close(server)
    }
  }
}

async function otherOrigins(check, chromium) {
  const script = await bundle(JOINING)
  const [listed, unlisted] = [await servePage(script), await servePage(script)]
  const node = await startDevNode({ port: 0, open: true })
  const gateway = await createGateway({
    port: 0,
    heads: [{ path: '/', upstream: node.url }],
    origins: [listed.origin]
  })
  try {
    const joined = async (page) => {
      const tab = await chromium.open(page.origin)
      await loaded(tab)
      const result = await tab.evaluate(`window.join(${JSON.stringify(`${gateway.url}/hydra`)})`)
      await tab.close()
      return result
    }
    await check('a page of a listed origin joins a gateway by an unmodified client, polling first', async () => {
      assert.deepEqual(await joined(listed), { first: 'polling', tag: 'Greetings' })
    })
    await check('a page of an origin that is not listed is refused', async () => {
      assert.deepEqual(await joined(unlisted), { first: 'polling', error: 'xhr poll error' })
    })
  } finally {
    await gateway.stop()
    await node.stop()
    await listed.close()
    await unlisted.close()
  }
}

async function hiddenTab(check, chromium) {
  const page = await servePage(await bundle(LISTENING))
  const node = await quietNode()
  try {
    await check(`a hidden tab handles ${MESSAGES} messages of ${HANDLER_MS} ms each, and drops none`, async () => {
      const tab = await chromium.open(page.origin)
      await loaded(tab)
      await tab.evaluate(`window.listen(${JSON.stringify(node.url)})`)
      // A tab in front of it hides it.
      await chromium.open('about:blank')
      assert.equal(await tab.evaluate('document.visibilityState'), 'hidden')
      node.send(MESSAGES)
      const until = Date.now() + 5 * MESSAGES * HANDLER_MS
      let seen = 0
      while (seen < MESSAGES && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        seen = await tab.evaluate('window.seen')
      }
      assert.deepEqual({ seen, dropped: await tab.evaluate('window.dropped') }, { seen: MESSAGES, dropped: 0 })
      assert.equal(await tab.evaluate('document.visibilityState'), 'hidden')
    })
  } finally {
    await node.close()
    await page.close()
  }
}

export async function pages(check) {
  const chromium = await launchChromium()
  try {
    await otherOrigins(check, chromium)
    await hiddenTab(check, chromium)
  } finally {
    await chromium.close()
  }
}
