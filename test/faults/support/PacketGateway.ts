import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { greetings } from '../../support/scriptedNode'

/** Namespace of every case. */
export const NAMESPACE = '/base/hydra'
const SEPARATOR = '\x1e'
const EVENT = `42${NAMESPACE},`

/**
 * When the first connection of a case is spoiled: instead of nothing before the open packet, before the answer to
 * CONNECT, after the client's first command, or as the answer to the probe of an upgrade.
 */
export type Moment = 'before open' | 'before CONNECT' | 'in session' | 'probe'

/** A request of the first connection that is answered with a redirect. */
export type RedirectedRequest = 'handshake' | 'poll' | 'post' | 'upgrade'

/** What goes wrong on the first connection of a case; every later one is healthy. */
export interface Spoiled {
  readonly moment?: Moment
  readonly frame?: string | Buffer
  /** The frame is the whole body of an answer to a poll. */
  readonly body?: boolean
  /** The frame stands for the open packet, which is left out. */
  readonly instead?: boolean
  readonly redirect?: {
    readonly request: RedirectedRequest
    readonly status: number
    readonly location: string | undefined
  }
}

interface Outgoing {
  readonly frame: string | Buffer
  readonly body: boolean
}

/** One engine.io session: the packets that wait for its client, and the way they leave. */
class Session {
  readonly #queue: Outgoing[] = []
  socket: WebSocket | null = null
  poll: ServerResponse | null = null
  redirectNext: (() => void) | null = null

  constructor(
    readonly sid: string,
    readonly first: boolean
  ) {}

  write(frame: string | Buffer, body = false): void {
    this.#queue.push({ frame, body })
    this.flush()
  }

  flush(): void {
    if (this.socket !== null) {
      for (const { frame } of this.#queue.splice(0)) this.socket.send(frame)
    } else if (this.poll !== null && this.#queue.length > 0) {
      const whole = this.#queue[0]!.body
      const next = this.#queue.findIndex(({ body }) => body)
      const sent = this.#queue.splice(0, whole ? 1 : next < 0 ? this.#queue.length : next)
      const body = whole
        ? sent[0]!.frame
        : sent.map(({ frame }) => (typeof frame === 'string' ? frame : `b${frame.toString('base64')}`)).join(SEPARATOR)
      const poll = this.poll
      this.poll = null
      poll.writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8' }).end(body)
    }
  }
}

interface Case {
  readonly spoiled: Spoiled
  attempts: number
  commands: number
  readonly sessions: Map<string, Session>
}

/**
 * A gateway that writes engine.io 4 and socket.io 5 packets by hand, over WebSockets and polling, and spoils the first
 * connection of each case.
 */
export class PacketGateway {
  readonly #http: Server = createServer((request, response) => this.#request(request, response))
  readonly #sockets = new WebSocketServer({ noServer: true })
  readonly #cases = new Map<string, Case>()
  /** Requests that only a followed redirect can have made. */
  strays = 0

  constructor() {
    this.#http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head)
    )
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    return this
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  add(name: string, spoiled: Spoiled): void {
    this.#cases.set(name, { spoiled, attempts: 0, commands: 0, sessions: new Map() })
  }

  /** Sessions that a case has begun, and commands that reached it. */
  counts(name: string): { attempts: number; commands: number } {
    const { attempts, commands } = this.#cases.get(name)!
    return { attempts, commands }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#http.closeAllConnections()
    await new Promise<void>((resolve) => this.#http.close(() => resolve()))
  }

  #find(request: IncomingMessage): { found: Case | undefined; query: URLSearchParams } {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://gateway')
    const found = this.#cases.get(pathname.split('/')[1] ?? '')
    // The routes for requests are no part of a case.
    if ((found === undefined && !pathname.startsWith(NAMESPACE)) || searchParams.has('redirected')) this.strays++
    return { found, query: searchParams }
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    const { found, query } = this.#find(request)
    const sid = query.get('sid')
    const session = sid === null ? undefined : found?.sessions.get(sid)
    if (found === undefined || (sid !== null && session === undefined)) return void response.writeHead(404).end()
    if (request.method === 'POST') return this.#post(found, session!, request, response)
    if (session === undefined) return this.#open(found, request, response)
    session.poll = response
    session.redirectNext?.()
    session.flush()
  }

  #open(found: Case, request: IncomingMessage, response: ServerResponse): void {
    const session = this.#begin(found)
    if (session.first && found.spoiled.redirect?.request === 'handshake')
      return this.#redirect(found, request, response)
    // The poll is handed over afterwards, so that what is written now leaves as one payload.
    this.#greet(found, session)
    session.poll = response
    session.flush()
  }

  #post(found: Case, session: Session, request: IncomingMessage, response: ServerResponse): void {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const packets = body.split(SEPARATOR)
      const spoiled =
        session.first &&
        found.spoiled.redirect?.request === 'post' &&
        packets.some((packet) => packet.startsWith(EVENT))
      if (spoiled) return this.#redirect(found, request, response)
      response.writeHead(200).end('ok')
      for (const packet of packets) this.#take(found, session, packet)
    })
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { found, query } = this.#find(request)
    const sid = query.get('sid')
    if (found === undefined) return void socket.destroy()
    socket.on('error', () => undefined)
    const session = sid === null ? this.#begin(found) : found.sessions.get(sid)
    if (session === undefined) return void socket.destroy()
    const { redirect } = found.spoiled
    if (session.first && redirect?.request === 'upgrade') {
      const location =
        redirect.location === undefined ? '' : `Location: ${this.#location(redirect.location, request)}\r\n`
      return void socket.end(
        `HTTP/1.1 ${redirect.status} Elsewhere\r\n${location}Content-Length: 0\r\nConnection: close\r\n\r\n`
      )
    }
    this.#sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.on('message', (data) => {
        const packet = String(data)
        if (sid === null) return this.#take(found, session, packet)
        if (packet === '2probe')
          ws.send(session.first && found.spoiled.moment === 'probe' ? found.spoiled.frame! : '3probe')
        else if (packet === '5') {
          session.poll?.writeHead(200).end('6')
          session.poll = null
          session.socket = ws
          session.flush()
        } else this.#take(found, session, packet)
        // The poll that waits is ended with a noop, so that the client can pause it.
        if (packet === '2probe') session.write('6')
      })
      if (sid !== null) return
      session.socket = ws
      this.#greet(found, session)
    })
  }

  #begin(found: Case): Session {
    found.attempts++
    const session = new Session(`s${found.attempts}`, found.attempts === 1)
    found.sessions.set(session.sid, session)
    return session
  }

  #greet({ spoiled }: Case, session: Session): void {
    this.#spoil(spoiled, session, 'before open')
    if (session.first && spoiled.instead === true) return
    const upgrades = spoiled.moment === 'probe' || session.socket === null ? ['websocket'] : []
    session.write(
      `0${JSON.stringify({ sid: session.sid, upgrades, pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 1_000_000 })}`
    )
  }

  #take(found: Case, session: Session, packet: string): void {
    if (packet.startsWith('40')) {
      this.#spoil(found.spoiled, session, 'before CONNECT')
      session.write(`40${NAMESPACE},{"sid":"${session.sid}"}`)
      session.write(eventOf(greetings({ snapshotUtxo: {} })))
    } else if (packet.startsWith(EVENT)) {
      found.commands++
      this.#spoil(found.spoiled, session, 'in session')
      if (session.first && found.spoiled.redirect?.request === 'poll') {
        session.redirectNext = () => {
          const poll = session.poll
          session.poll = null
          if (poll !== null) this.#redirect(found, poll.req, poll)
        }
        session.redirectNext()
      } else session.write(eventOf({ tag: 'Marker' }))
    }
  }

  #spoil({ moment, frame, body }: Spoiled, session: Session, now: Moment): void {
    if (session.first && moment === now) session.write(frame!, body)
  }

  #redirect(found: Case, request: IncomingMessage, response: ServerResponse): void {
    const { status, location } = found.spoiled.redirect!
    response.writeHead(status, location === undefined ? {} : { Location: this.#location(location, request) }).end()
  }

  #location(location: string, request: IncomingMessage): string {
    return location === 'own' ? `${request.url ?? ''}&redirected=1` : location
  }
}

function eventOf(data: object): string {
  return `${EVENT}${JSON.stringify(['hydra', { status: 'success', data }])}`
}
