/**
 * Reports of a channel. Every call belongs to the one `open()` it was handed to; the bridge ignores later reports of a
 * replaced channel, so a connector needs no bookkeeping about older ones.
 */
export interface ConnectorListener {
  /**
   * The channel can carry messages. At most once.
   * @param details - `replay`: stored messages come first, up to Greetings; the bridge treats everything before it as
   * past
   */
  onOpen(details?: { readonly replay: boolean }): void
  /**
   * One message of the node: its JSON text, or the value parsed from it (integers beyond 2^53 as bigint).
   * Bytes count as a violation of the protocol.
   */
  onMessage(message: unknown): void
  /** Something came that is no message; the channel goes on. */
  onInvalid(error: Error): void
  /** Any other traffic that shows the other side is alive, such as a ping or pong. */
  onActivity(): void
  /**
   * The attempt failed or the channel ended; the last call. An error with `fatal: true` stops reconnecting.
   * Not called after `channel.close()`.
   */
  onClose(error: Error): void
}

/** One connection, from the attempt to its end. */
export interface ConnectorChannel {
  /** Sends one JSON text now. @throws when the channel is not open; no text is ever queued */
  send(text: string): void
  /** Pings the other side; the pong arrives as `onActivity`. False or absent where the runtime cannot. */
  ping?(): boolean
  /** Requests all outputs again, as the message GatewaySnapshot. @throws when the channel is not open */
  resync?(): void
  /**
   * Stops reading until `resume()`: the other side waits. False or absent where the runtime cannot. The channel may end
   * meanwhile.
   * @throws no error
   */
  pause?(): boolean
  /** Reads on after `pause()`. @throws no error */
  resume?(): void
  /**
   * Ends the channel in any state, without a further call to the listener. `graceful: false` skips the close handshake.
   * @throws no error: a channel that cannot be closed properly counts as closed
   */
  close(graceful: boolean): Promise<void>
}

/** Options of a new channel. */
export interface ConnectorOpenOptions {
  /** Replay the past first. Left out: as the connector was set up; the bridge passes `false` when it reconnects. */
  readonly history?: boolean
  /** Leave UTxOs out of the messages of this channel. Left out: as the connector was set up. */
  readonly noSnapshotUtxo?: boolean
  /** Without the connector's address filter. */
  readonly unfiltered?: boolean
  /**
   * Snapshot up to which the bridge has the outputs: where the other side can, it sends the later changes, and else all
   * outputs.
   */
  readonly since?: SnapshotPosition | undefined
}

/** Which snapshot. */
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
  /** `open({ history: true })` replays the past up to a Greetings message. */
  readonly history: boolean
  /**
   * `request` reaches every route of the node; probes then use `GET /snapshot/last-seen`. DELETE may still be refused
   * with `BRIDGE_UNSUPPORTED_BY_CONNECTOR`, as in browsers: the bridge then sends the input Recover.
   */
  readonly allRoutes: boolean
  /** Snapshots of other addresses are left out, so gaps in their numbers are normal. */
  readonly partial: boolean
  /**
   * The other side sends all outputs after Greetings (GatewaySnapshot, or GatewayResumed), then their changes,
   * verdicts on the client's own transactions included: the bridge requests none for its cache. `channel.resync` is
   * there. @default false
   */
  readonly deltas?: boolean
  /** `GET /history` reads the log of a gateway, in the place of a replay. @default false */
  readonly log?: boolean
}

/**
 * The way to a node: opens single-shot channels and carries HTTP requests. Reconnecting, deadlines, probing and
 * decoding are the bridge's; a connector neither retries nor buffers.
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
   * Addresses whose outputs alone are sent; left out: all. Of others the bridge makes no statement, instead of "no
   * outputs".
   */
  readonly addresses?: readonly string[] | undefined
  /**
   * Starts one attempt.
   * @throws no error: failures go to `listener.onClose`, and the listener is called only after this has returned
   */
  open(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel
  /**
   * Carries one request; resolves with the answer at any status, rejects when none came.
   * @throws {@link UnsupportedByConnectorError} (as a rejection) for a route it cannot reach
   */
  request(request: ConnectorRequest): Promise<ConnectorReply>
}
