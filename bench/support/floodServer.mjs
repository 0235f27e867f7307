// A head node that greets, swallows what it is sent, and floods each client with 10,000 messages a second.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

const PER_TICK = 100
const TICK_MS = 10
const HEAD_ID = 'ab'.repeat(28)
const clock = () => performance.timeOrigin + performance.now()
const greetings = JSON.stringify({
  tag: 'Greetings',
  me: { vkey: '00'.repeat(32) },
  headStatus: 'Open',
  hydraHeadId: HEAD_ID,
  snapshotUtxo: {},
  hydraNodeVersion: '2.3.0'
})
const snapshot = JSON.stringify({
  tag: 'ConfirmedSnapshot',
  snapshot: {
    headId: HEAD_ID,
    version: 0,
    number: 1,
    confirmed: [],
    utxo: {},
    utxoToCommit: null,
    utxoToDecommit: null
  },
  signatures: { multiSignature: [] }
})

const http = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(request.url.startsWith('/snapshot/utxo') ? '{}' : request.url.startsWith('/snapshot') ? snapshot : '{}')
})
new WebSocketServer({ server: http }).on('connection', (socket) => {
  socket.send(greetings)
  let seq = 0
  let timer
  socket.on('message', () => {
    // The client's last submit has arrived: the flood begins.
    if (++seq !== 1_000) return
    const started = clock()
    let sent = 0
    timer = setInterval(() => {
      const due = Math.floor((clock() - started) / TICK_MS) * PER_TICK
      for (; sent < due; sent++) {
        const id = sent.toString(16).padStart(64, '0')
        socket.send(
          JSON.stringify({
            tag: 'TxValid',
            headId: HEAD_ID,
            transactionId: id,
            seq: sent + 1,
            timestamp: new Date().toISOString(),
            sentAt: clock()
          })
        )
      }
    }, TICK_MS)
  })
  socket.on('close', () => clearInterval(timer))
})
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }))
process.on('disconnect', () => process.exit(0))
