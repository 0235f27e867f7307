// A local head node for one run of the scenario, and the way for the runtime under test to have something done to it.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WORDS } from '../scenario.mjs'

const DEPOSIT_PERIOD_MS = 400
/** A deposit can be recovered three periods after it was drafted, at full seconds. */
const DEADLINE_MS = 3 * DEPOSIT_PERIOD_MS + 1000

/** @returns {Promise<{ env: object, close: () => Promise<void> }>} */
export async function startHeadNode(folder) {
  const load = (name) => import(pathToFileURL(join(folder, 'node_modules/layer-sdk/dist', `${name}.js`)).href)
  const [{ startDevNode }, { AppWallet }] = [await load('devnode'), await load('wallet')]
  const owner = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: WORDS } }).getPaymentAddress()
  const node = await startDevNode({
    port: 0,
    rpcPort: null,
    seed: 'test-env',
    genesis: [{ address: owner, lovelace: 50_000_000n }, { address: owner, lovelace: 20_000_000n }],
    timings: { depositPeriodMs: DEPOSIT_PERIOD_MS }
  })
  const actions = {
    drop: () => node.dropConnections(),
    hold: () => { node.faults.holdSnapshots = true },
    expire: () => new Promise((resolve) => setTimeout(resolve, DEADLINE_MS))
  }
  const control = createServer((request, response) => {
    const action = actions[request.url.slice(1)]
    // The page under test comes from another origin.
    response.setHeader('Access-Control-Allow-Origin', '*')
    Promise.resolve(action?.()).then(() => response.writeHead(action ? 204 : 404).end(), (error) => response.writeHead(500).end(String(error)))
  })
  const controlPort = await listen(control)
  const closed = createServer()
  const closedPort = await listen(closed)
  await close(closed)
  return {
    env: {
      nodeUrl: node.url,
      controlUrl: `http://127.0.0.1:${controlPort}`,
      closedUrl: `ws://127.0.0.1:${closedPort}`,
      deposits: depositsOf(node, owner)
    },
    close: () => Promise.all([node.close(), close(control)])
  }
}

export const listen = (server) => new Promise((resolve, reject) => {
  server.once('error', reject)
  server.listen(0, '127.0.0.1', () => resolve(server.address().port))
})

export const close = (server) => new Promise((resolve) => {
  server.close(resolve)
  server.closeAllConnections?.()
})
