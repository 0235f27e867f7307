// A local head node for one run of the scenario, and the way for the runtime under test to have something done to it.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WORDS } from '../scenario.mjs'

/** @returns {Promise<{ env: object, close: () => Promise<void> }>} */
export async function startHeadNode(folder) {
  const load = loader(folder)
  const [{ startDevNode }, { AppWallet }] = [await load('devnode'), await load('wallet')]
  const owner = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: WORDS } }).getPaymentAddress()
  let aheadMs = 0
  const node = await startDevNode({
    port: 0,
    seed: 'test-env',
    // As a real node signs them: the scenario verifies its snapshots.
    accumulator: 'real',
    genesis: [50_000_000n, 20_000_000n].map((lovelace) => ({ address: owner, lovelace })),
    clock: {
      now: () => Date.now() + aheadMs,
      after(delayMs, callback) {
        const timer = setTimeout(callback, delayMs)
        return () => clearTimeout(timer)
      }
    }
  })
  const actions = {
    drop: () => node.dropConnections(),
    hold: () => {
      node.faults.holdSnapshots = true
    },
    // Past the deadline after which a deposit can be recovered.
    expire: () => {
      aheadMs = 4 * node.timings.depositPeriodMs
    }
  }
  const control = createServer((request, response) => {
    const action = actions[request.url.slice(1)]
    // The page under test comes from another origin.
    response.setHeader('Access-Control-Allow-Origin', '*')
    Promise.resolve(action?.()).then(
      () => response.writeHead(action ? 204 : 404).end(),
      (error) => response.writeHead(500).end(String(error))
    )
  })
  const controlPort = await listen(control)
  // Hangs up at once. A port where nobody listens would do too, but may be given to the next server.
  const closed = createServer().on('connection', (socket) => socket.destroy())
  const closedPort = await listen(closed)
  return {
    env: {
      nodeUrl: node.url,
      rpcUrl: node.rpcUrl,
      controlUrl: `http://127.0.0.1:${controlPort}`,
      closedUrl: `ws://127.0.0.1:${closedPort}`
    },
    close: () => Promise.all([node.stop(), close(control), close(closed)])
  }
}

/** Opens the head and brings the first output of the scenario's wallet in. */
export async function fillHead(folder, { nodeUrl, rpcUrl }) {
  const load = loader(folder)
  const [{ LayerBridge, utxoToJson }, { RpcProvider }, { AppWallet }] = [
    await load('bridge'),
    await load('providers'),
    await load('wallet')
  ]
  const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: WORDS } })
  const bridge = new LayerBridge({ url: nodeUrl })
  await bridge.connect()
  await bridge.commands.initSync()
  const [utxo] = await new RpcProvider({ apiEndpoint: rpcUrl, network: 'preprod' }).fetcher.fetchAddressUTxOs(
    wallet.getPaymentAddress()
  )
  const finalized = bridge.waitFor('CommitFinalized', { timeout: 10_000 })
  const draft = await bridge.commit(utxoToJson([utxo]))
  await bridge.submitCardanoTransaction({ ...draft, cborHex: await wallet.signTx(draft.cborHex, true) })
  await finalized
  await bridge.disconnect()
}

const loader = (folder) => (name) =>
  import(pathToFileURL(join(folder, 'node_modules/layer-sdk/dist', `${name}.js`)).href)

export const listen = (server) =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server.address().port))
  })

export const close = (server) =>
  new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections?.()
  })
