import type { Socket } from 'socket.io'
import { now } from '../../net/timers.js'
import type { Access } from '../access/types.js'
import { invalidInput } from '../protocol/clientCommand.js'
import type { ClientMode, JoinRequest } from '../protocol/joinRequest.js'
import { Outgoing } from './Outgoing.js'

/** What engine.io shows of a connection. */
interface EngineConnection {
  readonly readyState: string
  readonly transport: { readonly writable: boolean; readonly socket?: { readonly bufferedAmount?: number } }
  write(data: string, options: object): void
  close(discard?: boolean): void
  on(event: 'flush', listener: () => void): void
}

/** Transactions of its own that a client is remembered for. */
const MAX_OWN = 1_000

/** One client: what it wants, and what waits for it. */
export class Client {
  readonly socket: Socket
  readonly access: Access
  readonly mode: ClientMode
  readonly tags: ReadonlySet<string> | null
  /** Whom limits count: the subject, or the IP address. */
  readonly who: string
  addresses: ReadonlySet<string>
  /** The snapshot that it came with; null once it has been welcomed. */
  since: JoinRequest['since']
  /** Transactions that it sent. */
  readonly own: Set<string> = new Set()
  /** Since when it has been too slow, monotonic ms; null: it keeps up. */
  behindSince: number | null = null
  #queuedBytes = 0
  readonly #connection: EngineConnection

  constructor(socket: Socket, access: Access, request: JoinRequest, who: string) {
    this.socket = socket
    this.access = access
    this.mode = request.mode
    this.tags = request.tags
    this.addresses = request.addresses
    this.since = request.since
    this.who = who
    this.#connection = socket.conn as unknown as EngineConnection
    // What engine.io held back has gone to the transport.
    this.#connection.on('flush', () => (this.#queuedBytes = 0))
  }

  get extended(): boolean {
    return this.mode !== 'plain'
  }

  /** Whether it gets whole snapshots. */
  get wholeSnapshots(): boolean {
    return this.mode === 'plain' || this.mode === 'full'
  }

  /** Bytes that wait for the client. */
  get unsentBytes(): number {
    return this.#queuedBytes + (this.#connection.transport.socket?.bufferedAmount ?? 0)
  }

  /** Notes a transaction as its own. */
  addOwn(txId: string): void {
    this.own.add(txId)
    for (const oldest of this.own) {
      if (this.own.size <= MAX_OWN) break
      this.own.delete(oldest)
    }
  }

  /** Sends an event, whatever waits already; returns its bytes. */
  send(outgoing: Outgoing): number {
    if (this.#connection.readyState !== 'open') return 0
    const { text, frame, bytes } = outgoing.packet(this.socket.nsp.name)
    if (!this.#connection.transport.writable) this.#queuedBytes += bytes
    this.#connection.write(text, { compress: false, wsPreEncodedFrame: frame })
    return bytes
  }

  /** Refuses a command of its own. `unsent`: the transaction that was not sent to the node, where that is certain. */
  refuse(reason: string, unsent: string | null = null): void {
    this.send(new Outgoing(invalidInput(reason, unsent), 'fail'))
  }

  /** Notes that it is too slow. */
  fallBehind(): void {
    this.behindSince ??= now()
  }

  /** Ends its connection. */
  close(): void {
    this.#connection.close(true)
  }
}
