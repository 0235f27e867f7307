import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EdgeContext } from '../edge/EdgeContext.js'
import type { HeadEdge } from '../edge/HeadEdge.js'
import type { Answer } from './answers.js'
import { failure } from './answers.js'
import { bearerOf, readBody, readTarget, routeOf } from './readRequest.js'
import { readJson, ROUTES } from './routes.js'

type Listener = (...args: unknown[]) => void

const SOCKETS_PATH = '/socket.io/'

/** What stands before everything that the port gets: origins, paths, methods, bodies; then the routes, and socket.io. */
export class HttpFace {
  readonly #context: EdgeContext
  readonly #heads: readonly HeadEdge[]
  readonly #isReady: () => boolean

  constructor(context: EdgeContext, heads: readonly HeadEdge[], isReady: () => boolean) {
    this.#context = context
    this.#heads = heads
    this.#isReady = isReady
  }

  /** Puts itself before the listeners that socket.io has attached. */
  wrap(server: Server): void {
    const inner = (event: string): Listener[] => {
      const listeners = server.listeners(event) as Listener[]
      server.removeAllListeners(event)
      return listeners
    }
    const onRequest = inner('request')
    const onUpgrade = inner('upgrade')
    server.on('request', (request, response) => {
      const refused = this.#refuseSocket(request)
      if (refused === null) for (const listener of onRequest) listener.call(server, request, response)
      else if (refused !== 'route') writeAnswer(response, refused)
      else
        this.#answer(request).then(
          (answer) => writeAnswer(response, this.#withOrigin(request, answer)),
          () => response.destroy()
        )
    })
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const refused = this.#refuseSocket(request)
      if (refused === null) return onUpgrade.forEach((listener) => listener.call(server, request, socket, head))
      socket.on('error', () => undefined)
      const { status } = refused === 'route' ? failure(404, '') : refused
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    })
  }

  /** Null: socket.io takes it. */
  #refuseSocket(request: IncomingMessage): Answer | 'route' | null {
    const target = readTarget(request.url ?? '')
    if (typeof target === 'number') return failure(target, target === 400 ? 'no credentials in a query' : 'no such path')
    if (!this.#isAllowedOrigin(request)) return failure(403, 'this origin is not allowed')
    if (target.path !== SOCKETS_PATH) return 'route'
    return this.#context.closing() && !target.query.has('sid') ? failure(503, 'the gateway is stopping') : null
  }

  #isAllowedOrigin({ headers: { origin } }: IncomingMessage): boolean {
    const { origins } = this.#context
    return origin === undefined || origins.includes('*') || origins.includes(origin)
  }

  #withOrigin({ headers: { origin } }: IncomingMessage, answer: Answer): Answer {
    if (origin === undefined) return answer
    return { ...answer, headers: { ...answer.headers, 'Access-Control-Allow-Origin': origin, Vary: 'Origin' } }
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const target = readTarget(request.url ?? '')
    if (typeof target === 'number') return failure(target, '')
    const { path, query } = target
    if (path === '/health/live') return word(200, 'live')
    if (path === '/health/ready') return this.#isReady() ? word(200, 'ready') : word(503, 'unready')
    for (const head of this.#heads) {
      const name = routeOf(path, head.context.path)
      if (name !== null) return this.#answerRoute(request, head, name, query)
    }
    return failure(404, 'no such path')
  }

  async #answerRoute(request: IncomingMessage, head: HeadEdge, name: string, query: URLSearchParams): Promise<Answer> {
    const context = this.#context
    const route = ROUTES.get(name)
    if (route === undefined || route.isServed?.(context) === false) return failure(404, 'no such route')
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined) return preflight(route.method)
    if (request.method !== route.method) return { ...failure(405, `expected ${route.method}`), headers: { Allow: route.method } }
    const token = bearerOf(request)
    const access = token === null ? 'unauthorized' : await context.authenticator.access(token)
    if (access === 'unauthorized') return failure(401, 'a token is missing, or not valid')
    if (access === 'forbidden' || !access.scopes.has(route.scope) || (access.heads !== null && !access.heads.includes(head.context.path)))
      return failure(403, 'the token does not allow this')
    const ip = context.ipOf(request)
    const who = access.subject === null ? ip : `subject ${access.subject}`
    if (context.limiter.take(who) !== 'ok') return failure(429, 'too many requests', { retryAfter: context.limiter.retryAfterSeconds })
    if (route.method === 'GET') return route.answer({ context, head, access, query, ip, body: undefined })
    if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) return failure(415, 'expected application/json')
    const text = await readBody(request, context.limits.maxMessageBytes)
    if (typeof text === 'number')
      return { ...failure(text, text === 413 ? 'the body is too large' : 'the body cannot be read'), headers: { Connection: 'close' } }
    let body: unknown
    try {
      body = readJson(text)
    } catch {
      return failure(400, 'the body is not JSON within bounds')
    }
    return route.answer({ context, head, access, query, ip, body })
  }
}

function word(status: number, text: string): Answer {
  return { status, body: text, headers: { 'Content-Type': 'text/plain' } }
}

function preflight(method: string): Answer {
  const headers = { 'Access-Control-Allow-Methods': method, 'Access-Control-Allow-Headers': 'authorization, content-type', 'Access-Control-Max-Age': '600' }
  return { status: 204, body: '', headers }
}

function writeAnswer(response: ServerResponse, { status, body, headers }: Answer): void {
  response.on('error', () => undefined)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...(status === 204 ? {} : { 'Content-Length': Buffer.byteLength(body) })
  })
  response.end(body)
}
