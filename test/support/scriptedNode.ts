import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'

/** What an HTTP route of the scripted node answers. */
export type RouteReply =
  { status?: number; body?: unknown; text?: string; headers?: Record<string, string> } | 'hang' | 'reset'
export type Route = RouteReply | ((request: IncomingMessage, body: string) => RouteReply | Promise<RouteReply>)

export interface ScriptedRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export const PARTY = { vkey: 'b37aabd81024c043f53a069c91e51a5b52e4ea399ae17ee1fe3cb9c44db707eb' }
export const HEAD_ID = '8cf1da6ffb742b44a7d4b6f4b3f0c3d2fd0e7c1f5d0b1d9e8c7b6a59'

export function greetings(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    tag: 'Greetings',
    me: PARTY,
    headStatus: 'Open',
    hydraHeadId: HEAD_ID,
    snapshotUtxo: {},
    hydraNodeVersion: '2.3.0-abc',
    ...fields
  }
}

export function output(address: string, lovelace: number): Record<string, unknown> {
  return {
    address,
    value: { lovelace },
    datum: null,
    datumhash: null,
    inlineDatum: null,
    inlineDatumRaw: null,
    referenceScript: null
  }
}

export function snapshotConfirmed(
  number: number,
  fields: { confirmed?: unknown[]; utxo?: unknown; utxoToCommit?: unknown; headId?: string; seq?: number } = {}
): Record<string, unknown> {
  const { confirmed = [], utxo = {}, utxoToCommit = null, headId = HEAD_ID, seq = 100 + number } = fields
  return {
    tag: 'SnapshotConfirmed',
    headId,
    seq,
    timestamp: '2026-01-01T00:00:00.123456789Z',
    signatures: { multiSignature: [] },
    snapshot: { headId, version: 0, number, confirmed, utxo, utxoToCommit, utxoToDecommit: null }
  }
}

export function confirmedSnapshot(
  number: number,
  fields: Parameters<typeof snapshotConfirmed>[1] = {}
): Record<string, unknown> {
  const { snapshot, signatures } = snapshotConfirmed(number, fields) as { snapshot: unknown; signatures: unknown }
  return { tag: 'ConfirmedSnapshot', snapshot, signatures }
}

/** A node that says exactly what a test tells it to, over a real WebSocket and HTTP server on one port. */
export class ScriptedNode {
  readonly sockets = new Set<WebSocket>()
  readonly requests: ScriptedRequest[] = []
  /** Query of each WebSocket connection. */
  readonly queries: string[] = []
  readonly upgrades: IncomingMessage[] = []
  /** Inputs received, parsed. */
  readonly inputs: any[] = []
  /** Answers by `'GET /snapshot'`. */
  routes: Record<string, Route> = {}
  /** What each connection is told first. */
  onConnection: (socket: WebSocket, query: string) => void = (socket) => send(socket, greetings())
  onInput: (input: any, socket: WebSocket, text: string) => void = () => undefined
  /** Refuses upgrades with this status. */
  refuseUpgrade: number | null = null
  #server: Server | null = null
  #wss: WebSocketServer | null = null
  #waiters: (() => void)[] = []
  port = 0

  async start(port = 0): Promise<this> {
    const server = (this.#server = createServer((request, response) => {
      void this.#serve(request, response)
    }))
    const wss = (this.#wss = new WebSocketServer({ noServer: true }))
    server.on('upgrade', (request, socket, head) => {
      this.upgrades.push(request)
      if (this.refuseUpgrade !== null) {
        socket.end(`HTTP/1.1 ${this.refuseUpgrade} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
        this.#wake()
        return
      }
      wss.handleUpgrade(request, socket, head, (ws) => {
        const query = request.url ?? ''
        this.queries.push(query)
        this.sockets.add(ws)
        ws.on('close', () => {
          this.sockets.delete(ws)
          this.#wake()
        })
        ws.on('error', () => undefined)
        ws.on('message', (data) => {
          const text = String(data)
          let input: unknown = text
          try {
            input = JSON.parse(text)
          } catch {
            /* kept as text */
          }
          this.inputs.push(input)
          this.onInput(input, ws, text)
          this.#wake()
        })
        this.onConnection(ws, query)
        this.#wake()
      })
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
    return this
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`
  }

  /** Sends a message, or raw text, to every client. */
  send(...messages: unknown[]): void {
    for (const socket of this.sockets) for (const message of messages) send(socket, message)
  }

  /** Cuts every connection without a close handshake. */
  cut(): void {
    for (const socket of this.sockets) socket.terminate()
  }

  /** Resolves once `condition` holds; checked after whatever happens at this node. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  async stop(): Promise<void> {
    this.cut()
    this.#wss?.close()
    const server = this.#server
    this.#server = null
    if (server === null) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const url = request.url ?? ''
    const method = request.method ?? ''
    this.requests.push({ method, url, headers: request.headers, body })
    this.#wake()
    const route = this.routes[`${method} ${url.split('?')[0]}`]
    const reply =
      typeof route === 'function' ? await route(request, body) : (route ?? { status: 400, body: 'Resource not found' })
    if (reply === 'hang') return
    if (reply === 'reset') return void request.socket.resetAndDestroy()
    response.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers })
    response.end(reply.text ?? JSON.stringify(reply.body ?? ''))
  }

  #wake(): void {
    for (const waiter of this.#waiters.splice(0)) waiter()
  }
}

export function send(socket: WebSocket, message: unknown): void {
  socket.send(typeof message === 'string' ? message : JSON.stringify(message))
}

/** Resolves with the arguments of the next event. */
export function once<T extends { events: { on: any } }>(bridge: T, name: string): Promise<any[]> {
  return new Promise((resolve) => {
    const off = bridge.events.on(name, (...args: any[]) => {
      off()
      resolve(args)
    })
  })
}
