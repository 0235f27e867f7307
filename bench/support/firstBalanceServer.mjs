// A head node with so many outputs (argument of the process), and the same node 20 ms away: a relay that holds back each
// byte for 10 ms in either direction, and a new connection for one round trip. Sends its two ports to its parent, and an address.
import { createServer } from 'node:http'
import { connect, createServer as createRelay } from 'node:net'
import { WebSocketServer } from 'ws'
import { HEAD_ID, makeHead, snapshotText } from './head.mjs'

const ONE_WAY_MS = 10
const { addresses, outputs } = makeHead(Number(process.argv[2]))
const { snapshot } = JSON.parse(snapshotText(1, outputs))
const answer = Buffer.from(JSON.stringify({ tag: 'ConfirmedSnapshot', snapshot, signatures: { multiSignature: [] } }))
const greetings = JSON.stringify({
  tag: 'Greetings',
  me: { vkey: '00'.repeat(32) },
  headStatus: 'Open',
  hydraHeadId: HEAD_ID,
  hydraNodeVersion: '2.3.0'
})

const http = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.url === '/snapshot') return response.end(answer)
  response.statusCode = 404
  response.end('""')
})
new WebSocketServer({ server: http, perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('error', () => undefined)
  socket.send(greetings)
})

/** Hands on what comes from one side, each part after its time on the way, in its order. */
function handOn(from, to, heldUntil) {
  from.on('data', (data) => {
    const wait = Math.max(ONE_WAY_MS, heldUntil + ONE_WAY_MS - performance.now())
    setTimeout(() => to.writable && to.write(data), wait)
  })
  from.on('close', () => setTimeout(() => to.destroy(), ONE_WAY_MS))
  from.on('error', () => undefined)
}

const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
const port = await listen(http)
const away = await listen(
  createRelay({ noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    // A connection is made in one round trip before its first byte can go.
    const madeAt = performance.now() + 2 * ONE_WAY_MS
    handOn(near, far, madeAt)
    handOn(far, near, 0)
  })
)
process.on('disconnect', () => process.exit(0))
process.send({ port, away, address: addresses[0], text: answer.length })
