// A head node that greets and sends the texts of files, one for each word from its parent.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { HEAD_ID } from './head.mjs'

const greetings = JSON.stringify({
  tag: 'Greetings',
  me: { vkey: '00'.repeat(32) },
  headStatus: 'Open',
  hydraHeadId: HEAD_ID,
  hydraNodeVersion: '2.3.0'
})
const texts = new Map()
let socket
const http = createServer((_, response) => {
  response.statusCode = 404
  response.setHeader('content-type', 'application/json')
  response.end('""')
})
new WebSocketServer({ server: http }).on('connection', (connection) => {
  socket = connection
  socket.send(greetings)
})
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }))
process.on('message', (file) => {
  if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8'))
  socket.send(texts.get(file))
})
process.on('disconnect', () => process.exit(0))
