// Many clients in one process, as cheap as they can be: what is measured is the other side. First message of the
// parent: { url, mode, count, first, addresses }, mode 'direct', 'delta' or 'address'; 'count' asks for what came
// since.
import WebSocket from 'ws'
import { ADDRESSES, touches } from './gatewayLoad.mjs'

const AT_ONCE = 50
const clock = () => performance.timeOrigin + performance.now()
let lags = []
let bytes = 0
let missed = 0
let repeated = 0
let clients = []

/** Number and time of a snapshot, from the beginning of a text: the rest of a large one is not looked at. */
function note(client, data) {
  const text = data.toString('latin1', 0, 320)
  if (!text.includes('"SnapshotConfirmed"')) return
  // A gateway hands on what it knows of a message to who has a right to it, so the time is the node's own member.
  const sentAt = /"timestamp":"([^"]+)"/.exec(text)?.[1]
  const number = Number(/"seq":(\d+)/.exec(text)?.[1])
  if (sentAt === undefined || Number.isNaN(number)) return
  bytes += data.length
  lags.push(clock() - Date.parse(sentAt))
  if (client.seen.has(number)) repeated++
  client.seen.add(number)
}

function openDirect(url, client) {
  return new Promise((resolve, reject) => {
    const socket = (client.socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true }))
    socket.once('open', resolve)
    socket.on('error', reject)
    socket.on('message', (data) => note(client, data))
  })
}

/** Engine.IO 4 and the packets of socket.io, by hand. */
function openGateway(url, client, auth) {
  return new Promise((resolve, reject) => {
    const address = `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
    const socket = (client.socket = new WebSocket(address, { perMessageDeflate: false, skipUTF8Validation: true }))
    socket.on('error', reject)
    socket.on('message', (data) => {
      if (data.length === 1 && data[0] === 0x32) return socket.send('3')
      const head = data.toString('latin1', 0, 2)
      if (head[0] === '0') return socket.send(`40/hydra,${JSON.stringify(auth)}`)
      if (head === '44') return reject(new Error(data.toString()))
      if (head === '42' && data.toString('latin1', 0, 80).includes('GatewaySnapshot')) resolve()
      note(client, data)
    })
  })
}

async function open({ url, mode, count, first, addresses }) {
  for (let from = 0; from < count; from += AT_ONCE) {
    const opening = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => {
      const index = (first + from + i) % ADDRESSES
      const client = { index, seen: new Set(), socket: null }
      clients.push(client)
      if (mode === 'direct') return openDirect(url, client)
      return openGateway(url, client, mode === 'delta' ? { mode } : { mode, addresses: [addresses[index]] })
    })
    await Promise.all(opening)
  }
}

process.on('message', async (message) => {
  if (message.url !== undefined) {
    await open(message)
    return void process.send({ opened: clients.length })
  }
  const { from, to, mode } = message
  for (const { index, seen } of clients)
    for (let number = from; number <= to; number++)
      if ((mode !== 'address' || touches(number, index)) && !seen.has(number)) missed++
  process.send({ lags, bytes, missed, repeated })
})
process.on('disconnect', () => process.exit(0))
