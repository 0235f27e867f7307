import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { isKnownHost } from '../access/isKnownHost.js'
import type { HttpContext } from './HttpContext.js'
import type { HeadEdge } from '../edge/HeadEdge.js'
import type { Answer } from './answers.js'
import { failure } from './answers.js'
import { Pipeline } from './Pipeline.js'
import { bearerOf, readBody, readTarget, routeOf } from './readRequest.js'
import { readJson, ROUTES } from './routes.js'
import { limitWriteTime, writeAnswer } from './writeAnswer.js'

type Listener = (...args: unknown[]) => void

const SOCKETS_PATH = '/socket.io/'

/** Statuses of requests that were refused before they counted against the rate limit of a client. */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 404, 405])

/**
 * Checks hosts, origins, paths, methods and bodies of all requests to the port, then calls the routes or socket.io.
 */
export class HttpApi {
  readonly #context: HttpContext
  readonly #heads: readonly HeadEdge[]
  readonly #unreadyReasons: () => readonly string[]
  readonly #pipeline = new Pipeline()

  constructor(context: HttpContext, heads: readonly HeadEdge[], unreadyReasons: () => readonly string[]) {
    this.#context = context
    this.#heads = heads
    this.#unreadyReasons = unreadyReasons
  }

  /** Handles all requests first, and calls the listeners that Socket.IO has attached for its own requests only. */
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
      const onward = (): void => onRequest.forEach((listener) => listener.call(server, request, response))
      if (refused === null) return this.#pass(request, response, onward)
      const answerIt = async (): Promise<void> => {
        if (request.socket.destroyed) return
        const answer = refused === 'route' ? this.#withOrigin(request, await this.#answer(request)) : refused
        await this.#write(request, response, {
          answer,
          isCounted: refused === 'route' && !UNCOUNTED.has(answer.status)
        })
      }
      if (!this.#pipeline.add(request.socket, () => answerIt().catch(() => void response.destroy())))
        request.socket.destroy()
    })
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const refused = this.#refuseSocket(request)
      if (refused === null) return onUpgrade.forEach((listener) => listener.call(server, request, socket, head))
      socket.on('error', () => undefined)
      const { status } =
        this.#limited(this.#context.ipOf(request), refused === 'route' ? failure(404, '') : refused) ?? failure(429, '')
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    })
  }

  /**
   * Passes a request on to Socket.IO, with the headers that web pages need; polls of one session follow one another.
   */
  #pass(request: IncomingMessage, response: ServerResponse, onward: () => void): void {
    response.on('error', () => undefined)
    response.once('prefinish', () => limitWriteTime(response))
    for (const [name, value] of Object.entries(corsHeaders(request))) response.setHeader(name, value)
    if (request.method === 'OPTIONS') return void response.writeHead(204, preflightHeaders('GET, POST')).end()
    const sid = new URLSearchParams(request.url?.split('?')[1]).get('sid')
    if (request.method !== 'GET' || sid === null) return onward()
    if (!this.#context.polls.pass(sid, response, onward)) request.socket.destroy()
  }

  async #write(
    request: IncomingMessage,
    response: ServerResponse,
    { answer, isCounted }: { answer: Answer; isCounted: boolean }
  ): Promise<void> {
    const ip = this.#context.ipOf(request)
    const limited = isCounted ? answer : this.#limited(ip, answer)
    if (limited === null) return void response.destroy()
    if (this.#context.connections.isSpare(request.socket)) response.setHeader('Connection', 'close')
    await writeAnswer(response, ip, { answer: limited, room: this.#context.room })
  }

  /** Returns the refusal, or one for too many refusals of this address; null: the connection is to be closed. */
  #limited(ip: string, answer: Answer): Answer | null {
    const { limiter } = this.#context
    const counted = limiter.consume(`refused ${ip}`)
    if (counted === 'flood') return null
    if (counted === 'ok') return answer
    const limited = failure(429, 'too many requests were refused', { retryAfter: limiter.retryAfterSeconds })
    return { ...limited, headers: { ...answer.headers, ...limited.headers } }
  }

  /** Returns the refusal of a request; `route` for a path that is not that of Socket.IO, null: Socket.IO answers it. */
  #refuseSocket(request: IncomingMessage): Answer | 'route' | null {
    const { hosts, closing } = this.#context
    if (hosts !== null && !isKnownHost(request.headers.host, hosts)) return failure(403, 'this host is not known')
    const target = readTarget(request.url ?? '')
    if (typeof target === 'number')
      return failure(target, target === 400 ? 'no credentials in a query' : 'no such path')
    if (!this.#isAllowedOrigin(request)) return failure(403, 'this origin is not allowed')
    if (target.path !== SOCKETS_PATH) return 'route'
    return closing() && !target.query.has('sid') ? failure(503, 'the gateway is stopping') : null
  }

  #isAllowedOrigin({ headers: { origin } }: IncomingMessage): boolean {
    const { origins } = this.#context
    return origin === undefined || origins.includes('*') || origins.includes(origin)
  }

  #withOrigin(request: IncomingMessage, answer: Answer): Answer {
    return { ...answer, headers: { ...answer.headers, ...corsHeaders(request) } }
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const target = readTarget(request.url ?? '')
    if (typeof target === 'number') return failure(target, '')
    const { path, query } = target
    if (path === '/health/live') return word(200, 'live')
    if (path === '/health/ready') return readiness(this.#unreadyReasons())
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
    if (request.method !== route.method)
      return { ...failure(405, `expected ${route.method}`), headers: { Allow: route.method } }
    const token = bearerOf(request)
    const access = token === null ? 'unauthorized' : await context.authenticator.access(token)
    if (access === 'unauthorized') return unauthorized(typeof token === 'string')
    const isAllowed =
      access !== 'forbidden' &&
      access.scopes.has(route.scope) &&
      (access.heads === null || access.heads.includes(head.context.path))
    // It can still send a token.
    if (!isAllowed && token === undefined && context.hosts === null) return unauthorized(false)
    const ip = context.ipOf(request)
    const clientKey = access === 'forbidden' || access.subject === null ? ip : `subject ${access.subject}`
    if (context.limiter.consume(clientKey) !== 'ok')
      return failure(429, 'too many requests', { retryAfter: context.limiter.retryAfterSeconds })
    if (!isAllowed && context.hosts !== null) return failure(403, 'the gateway does not allow this')
    if (!isAllowed)
      return {
        ...failure(403, 'the token does not allow this'),
        headers: challenge(`error="insufficient_scope", scope="${route.scope}"`)
      }
    if (route.method === 'GET') return route.answer({ context, head, access, query, ip, body: undefined })
    if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? ''))
      return failure(415, 'expected application/json')
    const text = await readBody(request, context.limits.maxMessageBytes)
    if (typeof text === 'number')
      return {
        ...failure(text, text === 413 ? 'the body is too large' : 'the body cannot be read'),
        headers: { Connection: 'close' }
      }
    let body: unknown
    try {
      body = readJson(text)
    } catch {
      return failure(400, 'the body is not JSON within bounds')
    }
    return route.answer({ context, head, access, query, ip, body })
  }
}

/** Returns `ready`, or `unready` and below it a line for each reason. */
function readiness(reasons: readonly string[]): Answer {
  return reasons.length === 0 ? word(200, 'ready') : word(503, ['unready', ...reasons].join('\n'))
}

function word(status: number, text: string): Answer {
  return { status, body: text, headers: { 'Content-Type': 'text/plain' } }
}

function preflight(method: string): Answer {
  return { status: 204, body: '', headers: preflightHeaders(method) }
}

function preflightHeaders(methods: string): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'authorization, content-type',
    'Access-Control-Max-Age': '600'
  }
}

/** Returns the headers for a page of an allowed origin; requests of other origins have been refused before. */
function corsHeaders({ headers: { origin } }: IncomingMessage): Record<string, string> {
  return origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' }
}

/** Returns the answer of RFC 6750, 3: the scheme, and the error of a token that was sent. */
function unauthorized(wasSent: boolean): Answer {
  return {
    ...failure(401, 'a token is missing, or not valid'),
    headers: challenge(wasSent ? 'error="invalid_token"' : '')
  }
}

function challenge(attributes: string): Record<string, string> {
  return { 'WWW-Authenticate': `Bearer${attributes === '' ? '' : ` ${attributes}`}` }
}
