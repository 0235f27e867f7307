/**
 * Callbacks through which a channel reports to the bridge. Each listener belongs to the one `open()` call that it was
 * passed to. The bridge ignores reports of a channel that it has replaced, so a connector need not keep track of older
 * channels.
 */
export interface ConnectorListener {
  /**
   * Called at most once, when the channel can carry messages.
   * @param details - `replay`: true when stored messages come first, up to Greetings; the bridge treats all messages
   * before Greetings as past
   */
  onOpen(details?: { readonly replay: boolean }): void
  /**
   * Called with each message of the node: its JSON text, or the value parsed from it (integers beyond 2^53 as bigint).
   * Bytes count as a violation of the protocol.
   */
  onMessage(message: unknown): void
  /** Called when data arrived that is not a message; the channel stays open. */
  onInvalid(error: Error): void
  /** Called on any other traffic that shows that the other side is alive, such as a ping or pong. */
  onActivity(): void
  /**
   * Called last, when the attempt failed or the channel ended. An error with `fatal: true` stops reconnecting. Not
   * called after `channel.close()`.
   */
  onClose(error: Error): void
}

/** One connection, from the attempt to its end. */
export interface ConnectorChannel {
  /** Sends one JSON text now. @throws when the channel is not open; no text is ever queued */
  send(text: string): void
  /**
   * Pings the other side; the pong arrives as `onActivity`. Returns false, or is absent, where the runtime cannot ping.
   */
  ping?(): boolean
  /** Requests all outputs again, which arrive as the message GatewaySnapshot. @throws when the channel is not open */
  resync?(): void
  /**
   * Stops reading until `resume()`, so that the other side has to wait. Returns false, or is absent, where the runtime
   * cannot pause. The channel may end while it is paused.
   * @throws no error
   */
  pause?(): boolean
  /** Continues reading after `pause()`. @throws no error */
  resume?(): void
  /**
   * Ends the channel in any state, without a further call to the listener. `graceful: false` skips the close handshake.
   * @throws no error: a channel that cannot be closed properly counts as closed
   */
  close(graceful: boolean): Promise<void>
}

/** Options of a new channel. */
export interface ConnectorOpenOptions {
  /**
   * True: the node's stored messages are replayed first. Left out: as the connector was configured. The bridge passes
   * `false` when it reconnects.
   */
  readonly history?: boolean
  /** True: UTxOs are left out of the messages of this channel. Left out: as the connector was configured. */
  readonly noSnapshotUtxo?: boolean
  /** True: the connector's address filter is not applied to this channel. */
  readonly unfiltered?: boolean
  /**
   * Newest snapshot whose outputs the bridge already has. The other side then sends only the later changes if it can,
   * and all outputs if it cannot.
   */
  readonly since?: SnapshotPosition | undefined
}

/** Position of a snapshot: its head and its number. */
export interface SnapshotPosition {
  /** Id of the head: hex. */
  readonly headId: string
  /** Number of the snapshot. */
  readonly number: number
}

/** A request to the node's HTTP routes. */
export interface ConnectorRequest {
  /** HTTP method. */
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The node's own route, e.g. `/snapshot/utxo`. */
  readonly path: string
  /** JSON text. */
  readonly body?: string
  /** Ends the request; always given by the bridge, with its deadline. */
  readonly signal: AbortSignal
}

/** Answer to a request, of any status. */
export interface ConnectorReply {
  /** HTTP status. */
  readonly status: number
  /** The body as text. */
  readonly text: string
  /** The header Retry-After as it came. */
  readonly retryAfter?: string | null
}

/** Abilities of a connector besides sending and receiving messages. */
export interface ConnectorCapabilities {
  /** True: `open({ history: true })` replays the node's stored messages, up to a Greetings message. */
  readonly history: boolean
  /**
   * True: `request` reaches every route of the node; liveness probes then use `GET /snapshot/last-seen`. DELETE may
   * still be refused with `BRIDGE_UNSUPPORTED_BY_CONNECTOR`, as in browsers; the bridge then sends the command Recover
   * instead.
   */
  readonly allRoutes: boolean
  /** True: snapshots that concern only other addresses are left out, so gaps in snapshot numbers are normal. */
  readonly partial: boolean
  /**
   * True: the other side sends outputs by itself, all of them after Greetings (GatewaySnapshot, or GatewayResumed where
   * it can continue), then their changes, and the outcomes of the client's own transactions. The bridge then requests
   * no outputs for its cache, and `channel.resync` must exist. @default false
   */
  readonly deltas?: boolean
  /**
   * True: `GET /history` reads a gateway's log of past messages, which replaces a replay by the node. @default false
   */
  readonly log?: boolean
}

/**
 * The transport between a bridge and a node: opens channels, each for a single connection, and sends HTTP requests. The
 * bridge does the reconnecting, deadlines, liveness probes and decoding; a connector neither retries nor buffers.
 *
 * @example
 * ```ts
 * import { LayerBridge, type Connector } from 'layer-sdk/bridge'
 *
 * const silent: Connector = {
 *   capabilities: { history: false, allRoutes: false, partial: false },
 *   open(listener) {
 *     queueMicrotask(() => listener.onOpen())
 *     return { send() {}, async close() {} }
 *   },
 *   async request() { return { status: 404, text: '' } }
 * }
 * const bridge = new LayerBridge({ connector: silent })
 * ```
 */
export interface Connector {
  /** Abilities of this connector. */
  readonly capabilities: ConnectorCapabilities
  /**
   * Scheme, host and port of the last attempt, which errors show; left out or undefined when not known. No path, query
   * or credentials.
   */
  readonly origin?: string | undefined
  /**
   * Addresses to which the connector is limited: only their outputs are sent. Left out: all. For any other address the
   * bridge throws an error instead of reporting that it has no outputs.
   */
  readonly addresses?: readonly string[] | undefined
  /**
   * Starts one attempt to connect.
   * @throws no error: failures go to `listener.onClose`, and the listener is called only after this has returned
   */
  open(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel
  /**
   * Sends one HTTP request; resolves with the answer whatever its status, and rejects when no answer came.
   * @throws {@link UnsupportedByConnectorError} (as a rejection) for a route it cannot reach
   */
  request(request: ConnectorRequest): Promise<ConnectorReply>
}
