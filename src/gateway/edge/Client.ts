import type { Socket } from 'socket.io'
import { now } from '../../net/timers.js'
import type { Access } from '../access/types.js'
import type { ClientMode, JoinRequest } from '../protocol/joinRequest.js'
import type { Outgoing } from './Outgoing.js'
import type { Polls } from './Polls.js'

/** The parts of a connection of engine.io that are used. */
interface EngineConnection {
  readonly id: string
  readonly readyState: string
  readonly transport: {
    readonly name?: string
    readonly writable: boolean
    readonly socket?: { readonly bufferedAmount?: number; terminate?(): void }
  }
  write(data: string, options: object, onSent?: () => void): void
  close(discard?: boolean): void
  on(event: 'flush', listener: () => void): void
}

const POLLING_COPIES = 3
/** Transactions of its own that a client is remembered for. */
const MAX_OWN = 1_000

/** One client: its request to join, and the bytes that wait for it. */
export class Client {
  readonly socket: Socket
  readonly access: Access
  readonly mode: ClientMode
  readonly tags: ReadonlySet<string> | null
  /** Key that limits count by: the subject, or the IP address. */
  readonly who: string
  addresses: ReadonlySet<string>
  /** Snapshot that the client had when it joined; null once it has been welcomed. */
  since: JoinRequest['since']
  /** Transactions that it sent: ids that were computed here, from their bytes. */
  readonly own: Set<string> = new Set()
  /**
   * Deposits whose recovery the client requested, by the id that it named. The id proves no ownership, so the client
   * receives only answers that show no more than this id.
   */
  readonly recovering: Set<string> = new Set()
  /** Time since which the client has been too slow, monotonic ms; null: it keeps up. */
  behindSince: number | null = null
  /** Head and its status in the last Greetings that this client was sent; null: none was sent. */
  greeted: string | null = null
  /** Bytes that engine.io holds back, and those of the last poll that was answered. */
  #queuedBytes = 0
  #polledBytes = 0
  readonly #connection: EngineConnection
  readonly #polls: Polls | null

  /** `polls`: answers to polls that have not been read; null where there is no polling. */
  constructor(
    socket: Socket,
    access: Access,
    request: JoinRequest,
    { who, polls = null }: { readonly who: string; readonly polls?: Polls | null }
  ) {
    this.socket = socket
    this.access = access
    this.mode = request.mode
    this.tags = request.tags
    this.addresses = request.addresses
    this.since = request.since
    this.who = who
    this.#polls = polls
    this.#connection = socket.conn as unknown as EngineConnection
    // The bytes that engine.io held back have gone to the transport.
    this.#connection.on('flush', () => {
      if (this.#queuedBytes > 0) this.#polledBytes = this.#queuedBytes
      this.#queuedBytes = 0
    })
  }

  get extended(): boolean {
    return this.mode !== 'plain'
  }

  /** True when it receives whole snapshots. */
  get wholeSnapshots(): boolean {
    return this.mode === 'plain' || this.mode === 'full'
  }

  /** Bytes that wait for the client. */
  get unsentBytes(): number {
    const { id, transport } = this.#connection
    const polled = this.#polls?.isUnread(id) === true ? this.#polledBytes : 0
    return this.#queuedBytes + polled + (transport.socket?.bufferedAmount ?? 0)
  }

  /** Notes a transaction as its own. `txId`: computed from its bytes. */
  addOwn(txId: string): void {
    addBounded(this.own, txId)
  }

  /** Notes a deposit whose recovery it requested. */
  addRecovering(txId: string): void {
    addBounded(this.recovering, txId)
  }

  /**
   * Sends an event without checking how much waits already, which {@link Outbox} does. Returns the number of bytes.
   * `onSent`: called when they have left this process.
   */
  send(outgoing: Outgoing, onSent?: () => void): number {
    const { readyState, transport } = this.#connection
    if (readyState !== 'open') return 0
    const packet = outgoing.packet(this.socket.nsp.name)
    const { bytes } = packet
    if (!transport.writable) this.#queuedBytes += bytes
    else this.#polledBytes = bytes
    if (transport.name === 'websocket')
      this.#connection.write('', { compress: false, wsPreEncodedFrame: packet.frame }, onSent)
    else this.#connection.write(packet.text(), { compress: false }, onSent)
    return bytes
  }

  /** Bytes of an event as this client receives it. */
  sizeOf(outgoing: Outgoing): number {
    return outgoing.packet(this.socket.nsp.name).bytes
  }

  /**
   * Returns the memory that an unread event costs, and the identity of that memory. Polling copies the event for each
   * client, as text, as payload and as bytes.
   */
  costOf(outgoing: Outgoing): { readonly key: object; readonly bytes: number } {
    const bytes = this.memoryOf(this.sizeOf(outgoing))
    return { key: this.#isPolling ? {} : outgoing.key, bytes }
  }

  /** Returns the memory that so many unread bytes of one event cost, bytes. */
  memoryOf(bytes: number): number {
    return this.#isPolling ? POLLING_COPIES * bytes : bytes
  }

  get #isPolling(): boolean {
    return this.#connection.transport.name === 'polling'
  }

  /** Notes that the client is too slow. */
  fallBehind(): void {
    this.behindSince ??= now()
  }

  /** Closes the connection of the client, at once if bytes wait that the client may never read. */
  close(): void {
    const { transport } = this.#connection
    if (this.unsentBytes > 0) this.abandon()
    this.#connection.close(true)
    if ((transport.socket?.bufferedAmount ?? 0) > 0) transport.socket?.terminate?.()
  }

  /** Drops the bytes that wait for a client whose connection has ended. */
  abandon(): void {
    const { id, transport } = this.#connection
    this.#polls?.end(id)
    if ((transport.socket?.bufferedAmount ?? 0) > 0) transport.socket?.terminate?.()
  }
}

function addBounded(ids: Set<string>, id: string): void {
  ids.add(id)
  for (const oldest of ids) {
    if (ids.size <= MAX_OWN) break
    ids.delete(oldest)
  }
}
