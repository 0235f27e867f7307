import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback } from '../../../net/loopback.js'
import { controlFailure } from '../control/answerControl.js'
import type { ControllableNode, ControlReply } from '../control/answerControl.js'
import { answerControl } from '../control/answerControl.js'
import { collectBody } from './collectBody.js'

/** Most bytes of a request, and below of a state. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
const MAX_STATE_BYTES = 512 * 1024 * 1024
const PREFIX = '/devnode'

/** True when a request is one to the control. */
export function isControlPath(url = ''): boolean {
  const [path = ''] = url.split('?')
  return path === PREFIX || path.startsWith(`${PREFIX}/`)
}

/**
 * Answers requests of local programs and pages to the control. Any other client that reaches the port, such as a page
 * by DNS rebinding, is rejected.
 */
export async function serveControl(
  node: ControllableNode,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const { host, origin } = request.headers
  // Before the body is read: who has no business here sends none.
  if (!isLocalHost(host) || (origin !== undefined && !isLocalOrigin(origin))) {
    const elsewhere = isLocalHost(host) ? 'pages of this machine' : 'a Host of this machine, as localhost is'
    return send(response, {
      ...controlFailure(403, 'FORBIDDEN', `The control of the node answers ${elsewhere} only.`),
      headers: { Connection: 'close' }
    })
  }
  if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Vary', 'Origin')
  if (request.method === 'OPTIONS') return preflight(request, response)
  const [path = ''] = (request.url ?? '').split('?')
  const maxBytes = path === `${PREFIX}/state` ? MAX_STATE_BYTES : MAX_BODY_BYTES
  const body = await collectBody(request, maxBytes)
  if (body === null || response.destroyed) return
  if (body === 'too large') {
    return send(response, {
      ...controlFailure(413, 'TOO_LARGE', `The body has more than ${maxBytes} bytes.`),
      headers: { Connection: 'close' }
    })
  }
  const text = new TextDecoder().decode(body)
  const reply = await answerControl(
    { method: request.method ?? 'GET', path: path.slice(PREFIX.length), body: text },
    node
  )
  if (!response.destroyed) send(response, reply)
}

function send(response: ServerResponse, { status, body, headers }: ControlReply): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers })
  response.end(body)
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  const requestedHeaders = request.headers['access-control-request-headers']
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH',
    'Access-Control-Max-Age': '600',
    ...(requestedHeaders === undefined ? {} : { 'Access-Control-Allow-Headers': requestedHeaders })
  })
  response.end()
}

function isLocalHost(host: string | undefined): boolean {
  const match = /^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i.exec(host ?? '')
  return match !== null && isLoopback(match[1]!.toLowerCase())
}

function isLocalOrigin(origin: string): boolean {
  const match = /^https?:\/\/([^/]+)$/i.exec(origin)
  return match !== null && isLocalHost(match[1])
}
