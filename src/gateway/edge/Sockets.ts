import type { Server as SocketServer, Socket } from 'socket.io'
import type { Server as HttpServer } from 'node:http'
import { startTimer } from '../../net/timers.js'
import type { Access } from '../access/types.js'
import { Connections } from '../access/Connections.js'
import { loadPackage } from '../../net/loadPackage.js'
import { CONNECT_TIMEOUT_MS, MAX_NAMESPACES } from '../limits.js'
import { namespacesOf } from '../protocol/headPath.js'
import { PacketDecoder, PacketEncoder } from '../protocol/packets.js'
import { readJoinRequest } from '../protocol/joinRequest.js'
import type { JoinRequest } from '../protocol/joinRequest.js'
import { Client } from './Client.js'
import { handleCommand } from './commands.js'
import type { EdgeContext } from './EdgeContext.js'
import type { HeadEdge } from './HeadEdge.js'
import type { EngineSession } from './Sessions.js'
import { Sessions } from './Sessions.js'

/** Reason of a refused join. */
type JoinRefusal = 'unauthorized' | 'forbidden' | 'bad request' | 'too many connections'

interface Admitted {
  readonly access: Access
  readonly request: JoinRequest
  readonly who: string
  /** Stops counting the client. */
  readonly end: () => void
}

/** The socket.io side of the gateway. */
export class Sockets {
  readonly #context: EdgeContext
  #io: SocketServer | null = null
  /** Clients that have joined, or are about to. */
  readonly #joined: Connections
  /** Clients that receive whole snapshots and have joined, or are about to, by head. */
  readonly #whole = new Map<HeadEdge, Connections>()
  readonly #sessions: Sessions
  /** Sockets that were admitted, from the check until they join. */
  readonly #admitted = new WeakMap<Socket, Admitted>()

  constructor(context: EdgeContext) {
    this.#context = context
    this.#sessions = new Sessions(context)
    const { connections, connectionsPerIp, connectionsPerSubject } = context.limits
    this.#joined = new Connections(connections, (clientKey) =>
      clientKey.startsWith('ip ') ? connectionsPerIp : connectionsPerSubject
    )
  }

  /** Clients that have joined. */
  get count(): number {
    return this.#joined.count
  }

  /** @throws {@link PackageMissingError} without `socket.io` */
  async attach(http: HttpServer, heads: readonly HeadEdge[]): Promise<void> {
    const { Server } = await loadPackage('socket.io', () => import('socket.io'))
    const { limits } = this.#context
    const io = new Server(http, {
      parser: { Encoder: PacketEncoder, Decoder: PacketDecoder },
      serveClient: false,
      perMessageDeflate: false,
      httpCompression: false,
      allowEIO3: false,
      cookie: false,
      connectTimeout: CONNECT_TIMEOUT_MS,
      maxHttpBufferSize: limits.maxMessageBytes
    })
    this.#io = io
    io.engine.on('connection', (connection: EngineSession) => this.#sessions.open(connection))
    // It always exists; no client joins it.
    io.of('/').use((_socket, next) => next(new Error('forbidden')))
    for (const head of heads) {
      for (const name of namespacesOf(head.context.path)) {
        const namespace = io.of(name)
        namespace.use((socket, next) => {
          this.#admit(head, socket).then(
            (refusal) => next(refusal === null ? undefined : new Error(refusal)),
            () => next(new Error('unauthorized'))
          )
        })
        namespace.on('connection', (socket) => this.#join(head, socket))
      }
    }
  }

  /** Closes the clients one by one, spread over the given time, ms. */
  async drain(heads: readonly HeadEdge[], overMs: number): Promise<void> {
    const clients = heads.flatMap(({ fanout }) => [...fanout.rooms.all])
    const pauseMs = Math.min(5, overMs / Math.max(1, clients.length))
    for (const client of clients) {
      client.close()
      if (pauseMs >= 1) await new Promise<void>((resolve) => startTimer(pauseMs, resolve))
    }
  }

  async close(): Promise<void> {
    await this.#io?.close()
  }

  /** Admits a client: returns the reason of a refusal, else null. */
  async #admit(head: HeadEdge, socket: Socket): Promise<JoinRefusal | null> {
    const { authenticator, limits, limiter, ipOf, metrics, closing } = this.#context
    const refuse = (refusal: JoinRefusal): JoinRefusal => {
      metrics.refusals++
      if (limiter.consume(`joins of ${ipOf(socket.request)}`) === 'flood') socket.conn.close(true)
      return refusal
    }
    if (closing()) return refuse('too many connections')
    const request = readJoinRequest(socket.handshake.auth, limits.addresses)
    if (request === null) return refuse('bad request')
    const access = await authenticator.access(request.token)
    if (typeof access === 'string') return refuse(access)
    if (!mayJoin(access, request, head.context.path)) return refuse('forbidden')
    const who = access.subject === null ? ipOf(socket.request) : `subject ${access.subject}`
    const end = this.#count(head, who, isWhole(request))
    if (end === null || this.#sessions.isExcess(socket.conn)) {
      end?.()
      return refuse('too many connections')
    }
    this.#admitted.set(socket, { access, request, who, end })
    // For a connection that closes before it has joined.
    socket.conn.once('close', end)
    return null
  }

  /** Counts a client before it has joined. Returns the function that stops counting it; null: there are too many. */
  #count(head: HeadEdge, clientKey: string, whole: boolean): (() => void) | null {
    const end = this.#joined.open(clientKey)
    if (end === null || !whole) return end
    const { fullClients } = this.#context.limits
    let wholeOfHead = this.#whole.get(head)
    if (wholeOfHead === undefined)
      this.#whole.set(head, (wholeOfHead = new Connections(fullClients, () => fullClients)))
    const endWhole = wholeOfHead.open('')
    if (endWhole === null) {
      end()
      return null
    }
    return () => {
      end()
      endWhole()
    }
  }

  #join(head: HeadEdge, socket: Socket): void {
    const { access, request, who, end } = this.#admitted.get(socket)!
    const client = new Client(socket, access, request, { who, polls: this.#context.polls })
    const connection = socket.conn as unknown as EngineSession
    this.#sessions.join(connection, access.subject !== null)
    if (access.subject !== null) this.#context.connections.leaveAddress(socket.request.socket)
    const untilExpiry = access.expiresAt === null ? null : access.expiresAt * 1000 - Date.now()
    const stopTimer = untilExpiry === null ? () => undefined : startTimer(untilExpiry, () => client.close(), true)
    // Without a listener the library prints to the console.
    socket.on('error', () => undefined)
    socket.on('hydra', (event: unknown, acknowledge?: unknown) =>
      handleCommand({ context: this.#context, head, client }, event, acknowledge)
    )
    socket.on('disconnect', () => {
      stopTimer()
      head.fanout.remove(client)
      client.abandon()
      end()
      if (socket.conn.readyState === 'open' && namespacesJoined(socket) === 0) this.#sessions.leave(connection)
    })
    if (namespacesJoined(socket) > MAX_NAMESPACES) return client.close()
    head.join(client)
  }
}

function isWhole({ mode }: JoinRequest): boolean {
  return mode === 'plain' || mode === 'full'
}

function mayJoin({ scopes, heads, addresses }: Access, request: JoinRequest, path: string): boolean {
  if (!scopes.has('read') || (heads !== null && !heads.includes(path))) return false
  // A token of some addresses shows no others.
  return (
    addresses === null ||
    (request.mode === 'address' && [...request.addresses].every((address) => addresses.has(address)))
  )
}

function namespacesJoined(socket: Socket): number {
  return (socket as unknown as { client: { sockets: ReadonlyMap<string, unknown> } }).client.sockets.size
}
