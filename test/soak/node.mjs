// The head node of the soak, in a process of its own so that its memory is not counted, and the one that knows what
// really happened.
import { startDevNode } from 'layer-sdk/devnode'
import WebSocket from 'ws'

const genesis = JSON.parse(process.argv[2])
const node = await startDevNode({
  port: 0,
  genesis,
  historyLimit: 5_000,
  timings: { snapshotIntervalMs: 15, blockMs: 10, depositDelayMs: 10 }
})

/** How often each transaction was confirmed, by id. */
const confirmed = new Map()
// The observer's own line is never touched by a fault.
const observer = new WebSocket(`${node.url}/?history=no&snapshot-utxo=no`)
observer.on('message', (data) => {
  const message = JSON.parse(String(data))
  if (message.tag !== 'SnapshotConfirmed') return
  for (const { txId } of message.snapshot.confirmed) confirmed.set(txId, (confirmed.get(txId) ?? 0) + 1)
})
await new Promise((resolve) => observer.once('open', resolve))

process.on('message', async ({ id, ask, txId }) => {
  const answers = {
    confirmations: () => confirmed.get(txId) ?? 0,
    counters: () => ({
      newTx: node.counters.inputs.NewTx ?? 0,
      connections: node.counters.connections,
      confirmed: confirmed.size,
      twice: [...confirmed.values()].filter((times) => times > 1).length
    })
  }
  if (ask === 'stop') {
    observer.terminate()
    await node.stop()
    process.exit(0)
  }
  process.send({ id, answer: answers[ask]() })
})
const inputs = genesis
  .map(({ address }) => node.baseUtxos(address)[0].input)
  .map(({ txHash, index }) => `${txHash}#${index}`)
process.send({ url: node.url, port: node.port, inputs })
