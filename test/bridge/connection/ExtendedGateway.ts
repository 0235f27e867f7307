import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { parseJson, stringifyJson } from '../../../src/codec/json'
import { greetings } from '../../support/scriptedNode'

const NAMESPACE = '/hydra'

/** A client that has joined. */
export interface Client {
  /** What CONNECT carried. */
  readonly auth: Record<string, any>
  /** Events of the client but those of engine.io. */
  readonly events: any[]
  /** Sends a message of the node or the gateway. */
  say(message: unknown): void
  /** Ends the connection without a word. */
  drop(): void
}

export interface HttpCall {
  readonly method: string
  readonly url: string
  readonly body: string
}

/** A gateway that speaks engine.io 4 and socket.io 5 in packets written by hand, and says what a test makes it say. */
export class ExtendedGateway {
  readonly clients: Client[] = []
  readonly calls: HttpCall[] = []
  /** Answers by `'GET /hydra/snapshot'`, the query left out. */
  routes: Record<string, { status?: number; body: unknown }> = {}
  /** What a client gets after CONNECT; by default Greetings of an open head. */
  onJoin: (client: Client) => void = (client) => client.say(extendedGreetings())
  onEvent: (event: any, client: Client) => void = () => undefined
  /** Text of CONNECT_ERROR. */
  refuse: string | null = null
  readonly #http: Server = createServer((request, response) => this.#answer(request, response))
  readonly #sockets = new WebSocketServer({ server: this.#http, path: '/socket.io/' })

  constructor() {
    this.#sockets.on('connection', (socket: WebSocket) => this.#serve(socket))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  get last(): Client {
    return this.clients.at(-1)!
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    return this
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#http.closeAllConnections()
    await new Promise<void>((resolve) => this.#http.close(() => resolve()))
  }

  #serve(socket: WebSocket): void {
    let client: Client | null = null
    socket.send(
      `0${stringifyJson({ sid: `s${this.clients.length}`, upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 1e8 })}`
    )
    socket.on('message', (data) => {
      const packet = String(data)
      const connect = new RegExp(`^40${NAMESPACE},?(.*)$`).exec(packet)
      const event = new RegExp(`^42${NAMESPACE},(.*)$`).exec(packet)
      if (connect !== null) {
        if (this.refuse !== null) return socket.send(`44${NAMESPACE},${stringifyJson({ message: this.refuse })}`)
        const auth = connect[1] === '' ? {} : (parseJson(connect[1]!) as Record<string, unknown>)
        client = {
          auth,
          events: [],
          say: (message) =>
            socket.send(`42${NAMESPACE},${stringifyJson(['hydra', { status: 'success', data: message }])}`),
          drop: () => socket.terminate()
        }
        this.clients.push(client)
        socket.send(`40${NAMESPACE},{"sid":"c${this.clients.length}"}`)
        this.onJoin(client)
      } else if (event !== null && client !== null) {
        const [, value] = parseJson(event[1]!) as [string, unknown]
        client.events.push(value)
        this.onEvent(value, client)
      }
    })
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const [method, url] = [request.method!, request.url!]
      this.calls.push({ method, url, body })
      const route = this.routes[`${method} ${url.split('?')[0]!}`]
      response.writeHead(route?.status ?? (route === undefined ? 404 : 200), { 'Content-Type': 'application/json' })
      response.end(route === undefined ? '' : stringifyJson(route.body))
    })
  }
}

/** Greetings without outputs, as extended clients get it. */
export function extendedGreetings(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const { snapshotUtxo: _, ...rest } = greetings(fields)
  return rest
}
