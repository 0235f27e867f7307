import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DevNode } from '../DevNode.js'
import type { Listening } from './server.js'
import { http, listen } from './server.js'

/** Most bytes of a request: a transaction has at most 16 KiB, further outputs for an evaluation more. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Most connections at a time. */
const MAX_CONNECTIONS = 512

/** Serves the base ledger on one port: Ogmios' JSON-RPC, Blockfrost's and Kupo's HTTP API. */
export function serveBase(node: DevNode, port: number, host: string): Promise<Listening> {
  const server = http().createServer((request, response) => void answer(node, request, response))
  server.maxConnections = MAX_CONNECTIONS
  return listen(server, port, host)
}

async function answer(node: DevNode, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('Access-Control-Allow-Origin', '*')
  if (request.method === 'OPTIONS') {
    const { 'access-control-request-headers': wanted } = request.headers
    const allowed = { 'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE', 'Access-Control-Max-Age': '600' }
    response.writeHead(204, wanted === undefined ? allowed : { ...allowed, 'Access-Control-Allow-Headers': wanted })
    response.end()
    return
  }
  const body = await readBody(request)
  if (body === null || response.destroyed) return
  if (body === 'too large') {
    // What is still on its way is of no use to anybody.
    response.writeHead(413, { 'Content-Type': 'text/plain', Connection: 'close' })
    response.end(`The body has more than ${MAX_BODY_BYTES} bytes.\n`)
    return
  }
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
  const reply = await node.baseRequest({ method: request.method ?? 'GET', path: request.url ?? '/', headers, body })
  if (response.destroyed) return
  const { contentType = 'application/json' } = reply
  response.writeHead(reply.status, { ...(contentType === null ? {} : { 'Content-Type': contentType }), ...reply.headers })
  response.end(request.method === 'HEAD' ? undefined : reply.body)
}

/** The whole body; null when the client has gone away. */
function readBody(request: IncomingMessage): Promise<Uint8Array | 'too large' | null> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size > MAX_BODY_BYTES) {
        request.pause()
        resolve('too large')
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => resolve(null))
    request.on('close', () => resolve(null))
  })
}
