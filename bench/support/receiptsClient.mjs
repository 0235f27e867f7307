// One program beside a stream of payments: it follows the receipts of a shop, or has the plain bridge and counts the
// transactions. Arguments: 'receipts' or 'bridge', the node's URL, the shop's address, the number of payments, and of
// those among them before which its code is being compiled. Messages: 'ready', then, when all have come, the processor
// time since.
import { LayerBridge } from 'layer-sdk/bridge'
import { createHeadClient } from 'layer-sdk/client'

const [kind, url, shop] = process.argv.slice(2)
const [payments, cold] = process.argv.slice(5).map(Number)
const LIMIT_MS = 120_000
let [count, before] = [0, null]

/** Counts payments; true with the last one. */
function add(more) {
  count += more
  if (before === null && count >= cold) before = process.cpuUsage()
  return count >= payments
}

async function readReceipts() {
  const head = createHeadClient({ url })
  await head.connect()
  const receipts = head.receipts({ address: shop, signal: AbortSignal.timeout(LIMIT_MS) })
  const first = receipts.next()
  // It has read the past by then.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return async () => {
    for (let each = await first; each.done !== true; each = await receipts.next()) if (add(1)) return
  }
}

async function readMessages() {
  const bridge = new LayerBridge({ url })
  await bridge.connect()
  const ended = new Promise((resolve) => {
    bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
      // One of each snapshot but the first is the shop's own.
      if (add(snapshot.confirmed.length - (snapshot.number === 1 ? 0 : 1))) resolve()
    })
  })
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return () => ended
}

const ended = await (kind === 'receipts' ? readReceipts() : readMessages())
process.once('message', async () => {
  globalThis.gc()
  await ended()
  const lastAt = performance.timeOrigin + performance.now()
  const { user, system } = process.cpuUsage(before)
  process.send({ cpuMs: (user + system) / 1_000, count, lastAt })
})
process.on('disconnect', () => process.exit(0))
process.send('ready')
