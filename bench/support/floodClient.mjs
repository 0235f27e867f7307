// One client in the flood: submits 1,000 transactions that stay pending, measures the lag of each message, disconnects.
import { TxBuilder } from 'layer-sdk/tx'

const [library, url, seconds] = process.argv.slice(2)
const PENDING = 1_000
const clock = () => performance.timeOrigin + performance.now()
const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'

// Node 20 has no WebSocket of its own, and the rival brings none.
globalThis.WebSocket ??= (await import('ws')).default
const module = await import(library)
const Bridge = module.LayerBridge ?? module.HydraBridge
const bridge = new Bridge({ url })
const lags = []
let lastSeq = 0
let lost = 0
const connected = new Promise((resolve) => bridge.events.on('onConnected', () => resolve()))
bridge.events.on('onMessage', (payload) => {
  if (payload.sentAt === undefined) return
  lags.push(clock() - payload.sentAt)
  lost += payload.seq - lastSeq - 1
  lastSeq = payload.seq
})
bridge.connect()
await connected
const utxo = (i) => ({
  input: { txHash: i.toString(16).padStart(64, '0'), index: 0 },
  output: { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }
})
const submittedBy = clock() + 1_000
for (let i = 0; i < PENDING; i++) {
  const { cborHex, txId } = new TxBuilder()
    .spend([utxo(i)])
    .changeTo(address)
    .build()
  bridge.submitTx(
    { type: 'Witnessed Tx ConwayEra', description: '', cborHex, txId },
    (error) => error && clock() < submittedBy && console.error(error),
    {
      timeout: 30_000
    }
  )
}
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000))
lags.sort((a, b) => a - b)
const disconnectedAt = clock()
console.log(JSON.stringify({ p99: lags[Math.floor(lags.length * 0.99)], messages: lags.length, lost, disconnectedAt }))
await bridge.disconnect()
