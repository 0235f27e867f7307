// A head node for the gateway's bench: snapshots of 106 KB five times a second, ten payments in each, to whoever is
// connected. Messages of the parent: 'start', 'stop' (answered with the number of the last snapshot).
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { TxBuilder } from '../../dist/tx.js'
import { HEAD_ID, hex, makeHead } from './head.mjs'
import { ADDRESSES, TXS } from './gatewayLoad.mjs'

const EVERY_MS = 200

const { addresses, outputs: made } = makeHead(ADDRESSES * 20)
const asset = { [hex(28)]: { [hex(6)]: 1_000, [hex(8)]: 2_000 } }
// One output to an address: it is spent again and again.
const slots = [...made].slice(0, ADDRESSES).map(([key, output], i) => ({
  key,
  output: { ...output, address: addresses[i], value: { lovelace: 5_000_000, ...asset } }
}))
let number = 1
let confirmed = []

const snapshot = () => ({
  headId: HEAD_ID,
  version: 1,
  number,
  confirmed,
  utxo: Object.fromEntries(slots.map(({ key, output }) => [key, output])),
  utxoToCommit: null,
  utxoToDecommit: null
})
const signatures = { multiSignature: [hex(64), hex(64), hex(64)] }
const greetings = JSON.stringify({
  tag: 'Greetings',
  me: { vkey: '00'.repeat(32) },
  headStatus: 'Open',
  hydraHeadId: HEAD_ID,
  hydraNodeVersion: '2.3.0'
})

/** Spends the outputs whose turn it is, each to its own address. */
function step() {
  number++
  confirmed = Array.from({ length: TXS }, (_, i) => {
    const slot = slots[(number * TXS + i) % ADDRESSES]
    const [txHash, index] = slot.key.split('#')
    const { lovelace, ...tokens } = slot.output.value
    const amount = [
      { unit: 'lovelace', quantity: String(lovelace) },
      ...Object.entries(tokens).flatMap(([policy, names]) =>
        Object.entries(names).map(([name, count]) => ({ unit: policy + name, quantity: String(count) }))
      )
    ]
    const { address } = slot.output
    const { cborHex, txId } = new TxBuilder()
      .spend([{ input: { txHash, index: Number(index) }, output: { address, amount } }])
      .changeTo(address)
      .build()
    slot.key = `${txId}#0`
    return { type: 'Tx ConwayEra', description: '', cborHex, txId }
  })
}

const http = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(
    request.url.startsWith('/snapshot')
      ? JSON.stringify({ tag: 'ConfirmedSnapshot', snapshot: snapshot(), signatures })
      : '{}'
  )
})
const server = new WebSocketServer({ server: http, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.on('error', () => undefined)
  socket.send(greetings)
})

function send() {
  step()
  const message = {
    tag: 'SnapshotConfirmed',
    headId: HEAD_ID,
    seq: number,
    timestamp: new Date().toISOString(),
    signatures,
    snapshot: snapshot()
  }
  const text = Buffer.from(JSON.stringify(message))
  process.send({ number, bytes: text.length })
  for (const client of server.clients) client.send(text, { binary: false })
}

let timer
process.on('message', (message) => {
  if (message === 'start') timer = setInterval(send, EVERY_MS)
  else clearInterval(timer)
})
process.on('disconnect', () => process.exit(0))
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port, addresses: addresses.slice(0, ADDRESSES) }))
