import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import { DevNodePortError } from '../../../errors/devnode.js'
import { RuntimeUnsupportedError } from '../../../errors/input.js'
import type { Client, ClientSink } from '../../party/clientHub.js'
import type { DevNodeFaults } from '../../settings/faults.js'
import type { ResolvedTimings } from '../../settings/timings.js'
import { collectBody } from './collectBody.js'
import type { DevNodeReply, DevNodeRequest } from './DevNodeReply.js'
import { consumeFault } from '../../settings/faults.js'

/** A port that is being listened on. */
export interface Listening {
  /** The port. */
  readonly port: number
  /** Stops listening and ends all connections. */
  close(): Promise<void>
}

const MAX_PAYLOAD_BYTES = 128 * 1024 * 1024
/** Most bytes of a request, a bound of the local head alone: a snapshot of 200,000 outputs is smaller. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Returns `node:http`, which is not imported: bundlers for browsers follow lazy imports and know no `node:` module. */
export function http(): typeof import('node:http') {
  const found = (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.('node:http')
  // For browsers, and for jest with jsdom, `ws` resolves to a file without a server.
  if (found === undefined || typeof (WebSocketServer as unknown) !== 'function')
    throw new RuntimeUnsupportedError('server sockets', 'new DevNode() and its connector()')
  return found
}

/** The node, or another party, behind a port. */
export interface ServedNode {
  readonly faults: DevNodeFaults
  readonly timings: ResolvedTimings
  /** True where a query that cannot be decoded is ignored instead of ending the connection. */
  readonly toleratesMalformedQueries: boolean
  open(query: string, sink: ClientSink): Client
  leave(client: Client): void
  receive(client: Client, message: string | Uint8Array): void
  request(request: DevNodeRequest): Promise<DevNodeReply>
}

/** Serves the node's WebSocket and HTTP API on one port, as the real node does. */
export function serveNode(node: ServedNode, port: number, host: string): Promise<Listening> {
  const { createServer } = http()
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_PAYLOAD_BYTES,
    autoPong: false
  })
  const server = createServer((request, response) => void answer(node, request, response))
  server.on('upgrade', (request, socket, head) => upgrade(node, sockets, request, socket, head))
  return listen(server, port, host, () => sockets.clients.forEach((client) => client.terminate()))
}

/**
 * Starts to listen; closing the result ends all open connections.
 *
 * @throws {@link DevNodePortError} (as a rejection)
 */
export function listen(server: Server, port: number, host: string, onClose: () => void = () => {}): Promise<Listening> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      onClose()
      for (const socket of open) socket.destroy()
    })
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new DevNodePortError(host, port, error.code ?? 'unknown', error))
    )
    server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port, close }))
  })
}

function upgrade(
  node: ServedNode,
  sockets: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer
): void {
  // A client may go away meanwhile.
  socket.on('error', () => {})
  const { refuseUpgrades } = node.faults
  if (refuseUpgrades > 0) {
    socket.end(`HTTP/1.1 ${refuseUpgrades} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    return
  }
  // Up to 2.3.0 a query that cannot be decoded ends the connection.
  if (!queryIsWellFormed(request) && !node.toleratesMalformedQueries) {
    socket.destroy()
    return
  }
  // Any path is accepted: only the query counts.
  sockets.handleUpgrade(request, socket, head, (client) => serveClient(node, client, request))
}

function serveClient(node: ServedNode, socket: WebSocket, request: IncomingMessage): void {
  const ping = setInterval(() => {
    if (!node.faults.muteSockets) socket.ping()
  }, node.timings.pingMs)
  const client = node.open(queryOf(request), {
    send: (message) => socket.send(message),
    close: (code) => (code === undefined ? socket.terminate() : socket.close(code))
  })
  socket.on('message', (data: Buffer) => node.receive(client, data))
  // By hand, so that a mute node does not answer pings either.
  socket.on('ping', (data: Buffer) => {
    if (!node.faults.muteSockets) socket.pong(data)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearInterval(ping)
    node.leave(client)
  })
}

function queryOf({ url = '' }: IncomingMessage): string {
  return url.split('?').slice(1).join('?')
}

function queryIsWellFormed(request: IncomingMessage): boolean {
  try {
    decodeURIComponent(queryOf(request))
    return true
  } catch {
    return false
  }
}

async function answer(node: ServedNode, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await collectBody(request, MAX_BODY_BYTES)
  if (bytes === null || node.faults.muteHttp) return
  if (bytes === 'too large') {
    // The rest of the request is of no use.
    response.writeHead(413, { 'Content-Type': 'text/plain', Connection: 'close' })
    response.end(`The body has more than ${MAX_BODY_BYTES} bytes.\n`)
    return
  }
  const early = preflight(request)
  const { method = 'GET', url = '/', headers } = request
  const { accept, 'content-type': type } = headers
  const reply =
    early ?? (await node.request({ method, path: url, body: textOf(bytes), bytes, accept, contentType: type }))
  if (response.destroyed) return
  if (consumeFault(node.faults, 'dropReplies')) {
    request.socket.resetAndDestroy()
    return
  }
  // wai-cors `simpleCors`: any origin, no credentials.
  const { stripCors } = node.faults
  const hasCors = request.headers.origin !== undefined && early === null && !stripCors
  const cors = hasCors ? { 'Access-Control-Allow-Origin': '*' } : {}
  const { contentType = 'application/json' } = reply
  response.writeHead(reply.status, {
    ...(contentType === null ? {} : { 'Content-Type': contentType }),
    ...cors,
    ...(stripCors && early !== null ? {} : reply.headers)
  })
  response.end(reply.bytes ?? reply.body)
}

const SIMPLE_METHODS = ['GET', 'HEAD', 'POST']
/** Content-Type is not among them: when it is requested, it is not one of the simple values. */
const SIMPLE_HEADERS = ['Accept', 'Accept-Language', 'Content-Language']

/**
 * `simpleCors` answers every OPTIONS that names an origin, and accepts simple methods and headers only. @see wai-cors,
 * Network.Wai.Middleware.Cors
 */
function preflight({ method, headers }: IncomingMessage): DevNodeReply | null {
  if (method !== 'OPTIONS' || headers.origin === undefined) return null
  const requestedMethod = headers['access-control-request-method']
  if (requestedMethod === undefined)
    return refusal('Access-Control-Request-Method header is missing in CORS preflight request')
  if (!SIMPLE_METHODS.includes(requestedMethod)) {
    const problem = 'Method requested in Access-Control-Request-Method of CORS request is not supported'
    return refusal(`${problem}; requested: ${requestedMethod}; supported are ${SIMPLE_METHODS.join(', ')}.`)
  }
  const allowed = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': SIMPLE_METHODS.join(', ') }
  const requested = headers['access-control-request-headers']
  if (requested === undefined) return { status: 200, body: '', contentType: null, headers: allowed }
  const names = requested
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const simpleNames = SIMPLE_HEADERS.map((name) => name.toLowerCase())
  if (!names.every((name) => simpleNames.includes(name.toLowerCase()))) {
    const problem = 'HTTP header requested in Access-Control-Request-Headers of CORS request is not supported'
    return refusal(`${problem}; requested: ${names.join(', ')}; supported are ${SIMPLE_HEADERS.join(', ')}.`)
  }
  return {
    status: 200,
    body: '',
    contentType: null,
    headers: { ...allowed, 'Access-Control-Allow-Headers': SIMPLE_HEADERS.join(', ') }
  }
}

/** Without any CORS header, as the middleware writes it. */
function refusal(body: string): DevNodeReply {
  return { status: 400, body, contentType: 'text/html; charset=utf-8' }
}

/**
 * A byte order mark is content, as for the node. Made when it is needed: jsdom as jest sets it up has no TextDecoder.
 */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
