import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** A WebSocket frame of a client: masked with zeros. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255])
  return Buffer.concat([head, Buffer.alloc(4), payload])
}

/** A connection that sends and never reads. */
export function unreadSocket(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket))
    socket.on('error', () => undefined)
    socket.pause()
  })
}

/** A client of socket.io that joins, and reads nothing. */
export async function unreadClient(port: number, auth: object): Promise<{ send(event: object): void; socket: Socket }> {
  const socket = await unreadSocket(port)
  socket.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
  )
  // Its session begins before it joins: what comes earlier is lost.
  let received = ''
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => (received += String(chunk)).includes('"sid"') && resolve())
    socket.on('close', resolve).resume()
  })
  socket.removeAllListeners('data')
  socket.pause()
  socket.write(clientFrame(`40/hydra,${JSON.stringify(auth)}`))
  return {
    socket,
    send: (event) => void (socket.writable && socket.write(clientFrame(`42/hydra,${JSON.stringify(['hydra', event])}`)))
  }
}
