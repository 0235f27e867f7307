import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

/** A server in front of a node that relays all but what its `lie` changes. */
export interface Relay {
  readonly url: string
  /** Changes the body of an answer; the same text leaves it as it is. */
  lie: (route: string, body: string) => string
  /** Answers in place of the node, when it returns something. */
  instead: (route: string) => { status: number; body: string } | undefined
  stop(): Promise<void>
}

/** Starts a relay on a free port. `upstream`: `ws://host:port` of the node. */
export async function startRelay(upstream: string): Promise<Relay> {
  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const route = `${request.method} ${request.url}`
      const own = relay.instead(route)
      if (own !== undefined) return void response.writeHead(own.status).end(own.body)
      const body = request.method === 'GET' ? {} : { body: Buffer.concat(chunks) }
      void fetch(upstream.replace('ws', 'http') + request.url, { method: request.method!, ...body }).then(
        async (reply) =>
          response
            .writeHead(reply.status, { 'content-type': 'application/json' })
            .end(relay.lie(route, await reply.text()))
      )
    })
  })
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (client, request) => {
    const node = new WebSocket(upstream + (request.url ?? ''))
    const early: string[] = []
    client.on('message', (data) =>
      node.readyState === WebSocket.OPEN ? node.send(String(data)) : early.push(String(data))
    )
    node.on('open', () => early.splice(0).forEach((text) => node.send(text)))
    node.on('message', (data) => client.send(String(data)))
    node.on('close', () => client.close())
    node.on('error', () => client.close())
    client.on('close', () => node.close())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const relay: Relay = {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`,
    lie: (_route, body) => body,
    instead: () => undefined,
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    }
  }
  return relay
}
