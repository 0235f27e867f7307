import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { parseJson, stringifyJson } from 'layer-sdk/bridge'
import type { DevNode } from '../../src/devnode/index.js'

/** A gateway's names of the node's routes. */
const ROUTES: Readonly<Record<string, string>> = {
  'GET protocol-parameters': '/protocol-parameters',
  'GET snapshot/utxo': '/snapshot/utxo',
  'GET head': '/head',
  'POST commit': '/commit',
  'POST cardano-transaction': '/cardano-transaction',
  'POST submit-tx': '/transaction'
}

/** A socket.io gateway in front of a local node: events both ways, some routes, a token. */
export async function startGateway(node: DevNode, token: string): Promise<{ url: string; stop(): Promise<void> }> {
  const http = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const path = ROUTES[`${request.method} ${(request.url ?? '').replace('/hydra/', '')}`]
      if (request.headers.authorization !== `Bearer ${token}` || path === undefined)
        return void response.writeHead(404).end()
      const body = path === '/commit' ? stringifyJson((parseJson(text) as { data: { utxo: unknown } }).data.utxo) : text
      void node
        .request({ method: request.method!, path, body })
        .then((reply) => response.writeHead(reply.status).end(reply.body))
    })
  })
  const io = new Server(http)
  const namespace = io.of('/hydra')
  namespace.use((socket, next) =>
    next(socket.handshake.auth['token'] === token ? undefined : new Error('authentication failed'))
  )
  namespace.on('connection', (socket) => {
    const client = node.open('history=no', {
      // Plain JSON, as gateways relay it: integers beyond 2^53 do not occur here.
      send: (message) => void socket.emit('hydra', { status: 'success', data: JSON.parse(String(message)) }),
      close: () => void socket.disconnect(true)
    })
    socket.on('hydra', ({ command, data }) => command === 'send_command' && node.receive(client, JSON.stringify(data)))
    socket.on('disconnect', () => node.leave(client))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async stop() {
      await io.close()
      http.closeAllConnections()
    }
  }
}
