import { fork } from 'node:child_process'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LayerBridge } from 'layer-sdk/bridge'
import { TxBuilder } from 'layer-sdk/tx'
import { AppWallet } from 'layer-sdk/wallet'
import { FaultProxy, ownerOf } from '../faults/support/FaultProxy'

const MINUTES = Number(process.argv[2])
const CLIENTS = 4
const LANES = 8
const LANE_LOVELACE = 10_000_000n
const SUBMIT_TIMEOUT_MS = 10_000
/** Mean time between two faults of one client: four clients make more than two disconnects a second. */
const FAULT_EVERY_MS = 1_400
/** Heap growth that is allowed from second 30 on. */
const HEAP_LIMIT_BYTES = (MINUTES <= 2 ? 3 : 10) * 1024 * 1024
const WARM_UP_MS = Math.min(30_000, (MINUTES * 60_000) / 4)
const LEAST_PER_MINUTE = { transactions: 5_000, drops: 120 }

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const stats = {
  submitted: 0,
  confirmed: 0,
  unknown: 0,
  unknownButConfirmed: 0,
  notSent: 0,
  rejected: 0,
  falseVerdicts: 0,
  late: 0,
  faults: {}
}
let running = true

/** Four wallets, each with its funds on the base ledger of a node in another process. */
async function start() {
  const wallets = Array.from(
    { length: CLIENTS },
    () => new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: AppWallet.brew(128).split(' ') } })
  )
  const genesis = wallets.map((wallet) => ({
    address: wallet.getEnterpriseAddress(),
    lovelace: Number(LANE_LOVELACE) * LANES
  }))
  const child = fork(join(dirname(fileURLToPath(import.meta.url)), 'node.mjs'), [JSON.stringify(genesis)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  const waiting = new Map()
  let nextId = 0
  const started = new Promise((resolve) => child.once('message', resolve))
  const node = await started
  child.on('message', ({ id, answer }) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  const ask = (question, txId) =>
    new Promise((resolve) => {
      waiting.set(++nextId, resolve)
      child.send({ id: nextId, ask: question, txId })
    })
  return { wallets, node, child, ask }
}

/** Opens the head and brings every wallet's funds in, before any fault. */
async function fund({ wallets, node }) {
  const bridge = new LayerBridge({ url: node.url })
  await bridge.connect()
  await bridge.commands.initSync()
  for (const [index, wallet] of wallets.entries()) {
    const address = wallet.getEnterpriseAddress()
    const draft = await bridge.commit({
      [node.inputs[index]]: { address, value: { lovelace: LANE_LOVELACE * BigInt(LANES) } }
    })
    const finalized = bridge.waitFor('CommitFinalized', { timeout: 20_000 })
    await bridge.submitCardanoTransaction({ cborHex: await wallet.signTx(draft.cborHex, true), description: '' })
    await finalized
  }
  await bridge.disconnect()
}

/** One client: a proxy of its own, a bridge through it, lanes that pay themselves. */
async function createClient({ wallet, node, ask }) {
  const proxy = await FaultProxy.start(node.port)
  const bridge = new LayerBridge({
    url: proxy.url,
    autoReconnect: true,
    reconnectInterval: 60,
    connectTimeout: 2_000,
    livenessTimeout: 1_500,
    requestTimeout: 2_000,
    logger: { debug() {}, info() {}, warn() {}, error() {} }
  })
  bridge.events.on('onLateConfirmation', () => stats.late++)
  await bridge.connect()
  const address = wallet.getEnterpriseAddress()
  const lanes = await openLanes({ bridge, wallet, address })
  const runs = lanes.map((utxo) => runLane({ bridge, wallet, address, ask }, utxo))
  return { proxy, bridge, runs }
}

async function openLanes({ bridge, wallet, address }) {
  const utxos = await bridge.queryAddressUTxO(address)
  const builder = new TxBuilder().spend(utxos).changeTo(address)
  for (let lane = 0; lane < LANES; lane++) builder.pay(address, LANE_LOVELACE)
  const built = builder.build()
  await bridge.submitTxSync(await sign(wallet, built))
  return built.outputs.map((output, index) => ({ input: { txHash: built.txId, index }, output }))
}

const sign = async (wallet, { cborHex, txId }) => ({
  type: 'Witnessed Tx ConwayEra',
  description: '',
  cborHex: await wallet.signTx(cborHex),
  txId
})

/** Pays its output to itself for ever, and checks each verdict against what the node knows. */
async function runLane({ bridge, wallet, address, ask }, utxo) {
  let slot = 1_000_000_000
  while (running) {
    // The validity makes each try a transaction of its own: nothing is ever submitted twice.
    const built = new TxBuilder().spend([utxo]).changeTo(address).validUntil(slot++).build()
    const transaction = await sign(wallet, built)
    const outcome = await submit(bridge, transaction)
    if (outcome === 'not sent') {
      stats.notSent++
      await sleep(20)
      continue
    }
    stats.submitted++
    stats[outcome]++
    const confirmations = await truth(ask, built.txId, outcome)
    if (outcome === 'confirmed' ? confirmations !== 1 : outcome === 'rejected' ? confirmations !== 0 : false) {
      stats.falseVerdicts++
      console.error(`false verdict: ${outcome} for ${built.txId}, confirmed ${confirmations} times`)
    }
    if (outcome === 'unknown' && confirmations > 0) stats.unknownButConfirmed++
    if (confirmations > 0) utxo = { input: { txHash: built.txId, index: 0 }, output: built.outputs[0] }
  }
}

async function submit(bridge, transaction) {
  try {
    const { isConfirmed } = await bridge.submitTxSync(transaction, { timeout: SUBMIT_TIMEOUT_MS })
    return isConfirmed ? 'confirmed' : 'unknown'
  } catch (error) {
    if (error.tag === 'NotConnected') return 'not sent'
    if (error.outcome !== 'none' && error.outcome !== 'unknown') throw error
    return error.outcome === 'none' ? 'rejected' : 'unknown'
  }
}

/** The node's own count; its observer may be a moment behind a bridge that is told first. */
async function truth(ask, txId, outcome) {
  for (let turn = 0; ; turn++) {
    const confirmations = await ask('confirmations', txId)
    if (confirmations > 0 || outcome !== 'confirmed' || turn === 50) return confirmations
    await sleep(10)
  }
}

const FAULTS = {
  reset: async (proxy) => proxy.reset(),
  'reset and refuse': async (proxy) => {
    proxy.toxics.refuse = true
    proxy.reset()
    await sleep(50 + Math.random() * 200)
  },
  stall: async (proxy) => {
    proxy.toxics.blackhole = true
    await sleep(100 + Math.random() * 300)
    proxy.reset()
  },
  slice: async (proxy) => {
    proxy.toxics.sliceBytes = 200
    await sleep(100)
    proxy.reset()
  },
  delay: async (proxy) => {
    Object.assign(proxy.toxics, { latencyMs: 20, jitter: 0.9 })
    await sleep(150)
    proxy.reset()
  },
  'cut in a frame': async (proxy) => {
    proxy.toxics.limitBytes = 2_000 + Math.floor(Math.random() * 20_000)
    await sleep(100)
    proxy.reset()
  }
}

function describeSocket(socket) {
  const { localPort, remotePort, destroyed, connecting, writableEnded } = socket
  const owner =
    ownerOf(socket) ??
    (remotePort === context.node.port
      ? 'connected to the node'
      : socket.server
        ? 'accepted by a server of this process'
        : 'made by a bridge or fetch')
  return {
    owner,
    localPort,
    remotePort,
    destroyed,
    connecting,
    writableEnded,
    listeners: socket.eventNames().map(String)
  }
}

async function disturb(proxy) {
  const names = Object.keys(FAULTS)
  while (running) {
    await sleep(FAULT_EVERY_MS * (0.5 + Math.random()))
    if (!running) return
    const name = names[Math.floor(Math.random() * names.length)]
    stats.faults[name] = (stats.faults[name] ?? 0) + 1
    await FAULTS[name](proxy)
    proxy.heal()
  }
}

function heapBytes() {
  for (let i = 0; i < 3; i++) globalThis.gc()
  return process.memoryUsage().heapUsed
}

const context = await start()
await fund(context)
const clients = []
for (const wallet of context.wallets) clients.push(await createClient({ ...context, wallet }))
const started = performance.now()
const faults = clients.map(({ proxy }) => disturb(proxy))

await sleep(WARM_UP_MS)
const before = heapBytes()
while (performance.now() - started < MINUTES * 60_000) {
  await sleep(Math.min(10_000, MINUTES * 60_000 - (performance.now() - started)))
  console.log(
    `${((performance.now() - started) / 1000).toFixed(0)} s: ${stats.confirmed} confirmed, ${stats.unknown} unknown, ${stats.rejected} rejected, ${clients.reduce((sum, { proxy }) => sum + proxy.counters.resets, 0)} resets`
  )
}
const growth = heapBytes() - before
running = false
await Promise.all(faults)
for (const { proxy } of clients) proxy.heal()
await Promise.all(clients.flatMap(({ runs }) => runs))

await Promise.all(clients.map(({ bridge }) => bridge.disconnect()))
const counters = await context.ask('counters')
for (const { proxy } of clients) await proxy.stop()
const drops = clients.reduce((sum, { proxy }) => sum + proxy.counters.resets, 0)
context.child.send({ ask: 'stop' })
await new Promise((resolve) => context.child.once('exit', resolve))
await sleep(50)
const left = process.getActiveResourcesInfo().filter((name) => /^(Timeout|TCP)/.test(name))
// Whose they are: a proxy's own sockets are known; any other is the package's or that of the runtime's fetch.
const owners = process
  ._getActiveHandles()
  .filter((handle) => handle instanceof Socket && handle !== process.stdout && handle !== process.stderr)
  .map(describeSocket)

const sent = stats.submitted + CLIENTS
const checks = {
  'no verdict is false': stats.falseVerdicts === 0,
  'no transaction is confirmed twice': counters.twice === 0,
  'nothing is sent twice': counters.newTx <= sent,
  'no confirmed transaction is called unknown': stats.unknownButConfirmed === 0,
  [`at least ${LEAST_PER_MINUTE.transactions * MINUTES} transactions`]:
    stats.confirmed >= LEAST_PER_MINUTE.transactions * MINUTES,
  [`at least ${LEAST_PER_MINUTE.drops * MINUTES} disconnects`]: drops >= LEAST_PER_MINUTE.drops * MINUTES,
  [`heap grows by at most ${HEAP_LIMIT_BYTES / 1024 / 1024} MB`]: growth <= HEAP_LIMIT_BYTES,
  'no timer and no socket is left': left.length === 0
}
console.log(
  JSON.stringify({
    minutes: MINUTES,
    ...stats,
    drops,
    counters,
    heapGrowthBytes: growth,
    left,
    ...(left.length === 0 ? {} : { owners })
  })
)
for (const [what, holds] of Object.entries(checks)) console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
process.exit(Object.values(checks).every(Boolean) ? 0 : 1)
