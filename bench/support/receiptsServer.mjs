// A head node whose snapshots pay a shop so many times a second. Snapshots are made before they are needed: a payment
// with a note by each of PAYERS wallets, and one transaction of the shop that joins what came before. Arguments: rate,
// seconds. Messages: { url, shop }; for each 'start' one stream, then { endedAt }.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { toUtxos, TxBuilder } from 'layer-sdk/tx'
import { Metadatum } from 'layer-sdk/utils'
import { ChainCliWallet } from 'layer-sdk/wallet'
import { HEAD_ID, snapshotText } from './head.mjs'

const [rate, seconds] = process.argv.slice(2).map(Number)
const PAYERS = 50
const INTERVAL_MS = (PAYERS / rate) * 1_000
const clock = () => performance.timeOrigin + performance.now()

const walletOf = (index) =>
  new ChainCliWallet({
    networkId: 0,
    skey: {
      type: 'PaymentSigningKeyShelley_ed25519',
      description: '',
      cborHex: `5820${(index + 1).toString(16).padStart(64, '0')}`
    }
  })
const shop = walletOf(0)
const payers = Array.from({ length: PAYERS }, (_, index) => walletOf(index + 1))
const to = shop.getAddressBech32()
const utxoOf = (txHash, index, address, quantity) => ({
  input: { txHash, index, outputIndex: index },
  output: { address, amount: [{ unit: 'lovelace', quantity: String(quantity) }] }
})
const refOf = ({ input }) => `${input.txHash}#${input.index}`
const json = ({ output }) => ({
  address: output.address,
  datum: null,
  datumhash: null,
  inlineDatum: null,
  inlineDatumRaw: null,
  referenceScript: null,
  value: { lovelace: Number(output.amount[0].quantity) }
})

const head = new Map()
const confirmed = []
/** Makes a transaction, and changes the head by it. @returns its outputs */
async function apply(wallet, inputs, builder) {
  const built = builder.build()
  const cborHex = await wallet.signTx(built.cborHex)
  for (const input of inputs) head.delete(refOf(input))
  const made = toUtxos(built)
  for (const utxo of made) head.set(refOf(utxo), utxo)
  confirmed.push({ type: 'Witnessed Tx ConwayEra', description: '', cborHex, txId: built.txId })
  return made
}

const first = payers.map((payer, index) =>
  utxoOf(index.toString(16).padStart(64, '0'), 0, payer.getAddressBech32(), 1_000_000_000_000)
)
for (const utxo of first) head.set(refOf(utxo), utxo)
const opened = JSON.stringify({
  tag: 'HeadIsOpen',
  headId: HEAD_ID,
  utxo: Object.fromEntries(first.map((utxo) => [refOf(utxo), json(utxo)])),
  parties: [],
  seq: 0,
  timestamp: '2026-01-01T00:00:00Z'
})
const snapshots = []
let [change, sales, order] = [first, [], 0]
for (let number = 1; number <= (rate * seconds) / PAYERS; number++) {
  confirmed.length = 0
  if (sales.length > 0) await apply(shop, sales, new TxBuilder().spend(sales).changeTo(to))
  sales = []
  for (const [index, payer] of payers.entries()) {
    const own = payer.getAddressBech32()
    const builder = new TxBuilder()
      .spend([change[index]])
      .pay(to, 2_000_000n)
      .metadata({ 674: Metadatum.from({ msg: [`Order ${order++}`] }) })
      .changeTo(own)
    const outputs = await apply(payer, [change[index]], builder)
    sales.push(outputs.find(({ output }) => output.address === to))
    change[index] = outputs.find(({ output }) => output.address === own)
  }
  const outputs = new Map([...head].map(([ref, utxo]) => [ref, json(utxo)]))
  snapshots.push({
    valid: confirmed.map(({ txId }) =>
      JSON.stringify({ tag: 'TxValid', headId: HEAD_ID, transactionId: txId, timestamp: '2026-01-01T00:00:00Z' })
    ),
    text: snapshotText(number, outputs, [...confirmed])
  })
}

const greetings = JSON.stringify({
  tag: 'Greetings',
  me: { vkey: '00'.repeat(32) },
  headStatus: 'Open',
  hydraHeadId: HEAD_ID,
  hydraNodeVersion: '2.3.0'
})
const live = new Set()
const http = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.url === '/snapshot/utxo') return response.end(JSON.stringify(JSON.parse(opened).utxo))
  response.statusCode = 404
  response.end('""')
})
new WebSocketServer({ server: http }).on('connection', (socket, request) => {
  if (request.url.includes('history=yes')) socket.send(opened)
  else live.add(socket)
  socket.send(greetings)
  socket.on('close', () => live.delete(socket))
})

process.on('message', async () => {
  const started = clock()
  for (const [index, { valid, text }] of snapshots.entries()) {
    const wait = started + index * INTERVAL_MS - clock()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    for (const socket of live) {
      for (const each of valid) socket.send(each)
      socket.send(text)
    }
  }
  process.send({ endedAt: clock() })
})
process.on('disconnect', () => process.exit(0))
http.listen(0, '127.0.0.1', () => process.send({ url: `ws://127.0.0.1:${http.address().port}`, shop: to }))
