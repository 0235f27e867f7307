import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import type { ControllableNode } from '../control/answerControl.js'
import type { BaseRequest, BaseRpcConnection } from './baseApi.js'
import { collectBody } from './collectBody.js'
import { isDashboardPath } from './dashboardPath.js'
import type { DevNodeReply } from './DevNodeReply.js'
import type { Listening } from './server.js'
import { http, listen } from './server.js'
import { isControlPath, serveControl } from './serveControl.js'

/** A node whose base ledger is served. */
export interface BaseNode extends ControllableNode {
  /** Calls `listener` when the state of the node has been replaced. */
  onReplaced(listener: () => void): void
  baseRequest(request: BaseRequest): Promise<DevNodeReply>
  openBaseRpc(): Promise<BaseRpcConnection>
  dashboard(method: string): Promise<DevNodeReply>
}

/** Most bytes of a request: a transaction has at most 16 KiB, further outputs for an evaluation more. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Most requests of one WebSocket that wait for their answers. */
const MAX_WAITING = 1000
/** Close code for a restart, of IANA's registry. */
const SERVICE_RESTART = 1012
/** Most connections at a time. */
const MAX_CONNECTIONS = 512

/**
 * Serves the base ledger on one port: Ogmios' JSON-RPC, Blockfrost's and Kupo's HTTP API; the dashboard's page; and, if
 * `control` is true, the control of the node.
 */
export function serveBase(node: BaseNode, port: number, host: string, control: boolean): Promise<Listening> {
  const server = http().createServer((request, response) => {
    void (control && isControlPath(request.url) ? serveControl : answer)(node, request, response)
  })
  server.maxConnections = MAX_CONNECTIONS
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_BODY_BYTES })
  server.on('upgrade', (request, socket: Duplex, head) => {
    // A client may go away meanwhile.
    socket.on('error', () => {})
    sockets.handleUpgrade(request, socket, head, (client) => void serveSocket(node, client))
  })
  // As a restart would end them.
  node.onReplaced(() => sockets.clients.forEach((client) => client.close(SERVICE_RESTART)))
  return listen(server, port, host, () => sockets.clients.forEach((client) => client.terminate()))
}

/** Answers the requests of a WebSocket one after the other, in their order. */
async function serveSocket(node: BaseNode, socket: WebSocket): Promise<void> {
  // A frame that breaks the protocol: ws closes with the code for it.
  socket.on('error', () => {})
  const waiting: string[] = []
  let busy = false
  const connecting = node.openBaseRpc()
  const work = async (): Promise<void> => {
    busy = true
    const connection = await connecting
    for (let text = waiting.shift(); text !== undefined && socket.readyState === socket.OPEN; text = waiting.shift()) {
      const answer = await connection.answer(text)
      if (answer === null || socket.readyState !== socket.OPEN) continue
      // The next answer waits until this one has left: who never reads holds one answer only.
      await new Promise<void>((resolve) => socket.send(answer, () => resolve()))
    }
    busy = false
  }
  socket.on('message', (data: Buffer) => {
    // RFC 6455, 7.4.1: 1008, a policy is violated.
    if (waiting.length >= MAX_WAITING) return socket.close(1008, `at most ${MAX_WAITING} requests at a time`)
    waiting.push(data.toString('utf8'))
    if (!busy) void work()
  })
  await work()
}

async function answer(node: BaseNode, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('Access-Control-Allow-Origin', '*')
  if (request.method === 'OPTIONS') {
    const { 'access-control-request-headers': wanted } = request.headers
    const allowed = {
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Max-Age': '600'
    }
    response.writeHead(204, wanted === undefined ? allowed : { ...allowed, 'Access-Control-Allow-Headers': wanted })
    response.end()
    return
  }
  const body = await collectBody(request, MAX_BODY_BYTES)
  if (body === null || response.destroyed) return
  if (body === 'too large') {
    // The rest of the request is of no use.
    response.writeHead(413, { 'Content-Type': 'text/plain', Connection: 'close' })
    response.end(`The body has more than ${MAX_BODY_BYTES} bytes.\n`)
    return
  }
  if (isDashboardPath(request.url)) return send(response, request.method, await node.dashboard(request.method ?? 'GET'))
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  )
  send(
    response,
    request.method,
    await node.baseRequest({ method: request.method ?? 'GET', path: request.url ?? '/', headers, body })
  )
}

function send(
  response: ServerResponse,
  method: string | undefined,
  { status, body, contentType = 'application/json', headers }: DevNodeReply
): void {
  if (response.destroyed) return
  response.writeHead(status, { ...(contentType === null ? {} : { 'Content-Type': contentType }), ...headers })
  response.end(method === 'HEAD' ? undefined : body)
}
