import type { SnapshotPosition } from './Connector.js'

/**
 * - `idle`: never connected
 * - `connecting`: `connect()` is under way
 * - `connected`
 * - `reconnecting`: lost, waiting for or making the next attempt
 * - `disconnected`: by `disconnect()`, or lost without `autoReconnect`
 * - `failed`: given up, for a fatal reason or after the last attempt; `connect()` starts anew
 */
export type ConnectionState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'disconnected' | 'failed'

/** Options of connections and reconnects. */
export interface ConnectionPolicy {
  readonly autoReconnect: boolean
  readonly reconnectInterval: number
  readonly reconnectJitter: number
  readonly maxReconnectAttempts: number
  readonly connectTimeout: number
  readonly livenessTimeout: number
}

/** Handlers of a {@link Connection}. Its state is already set when they are called. */
export interface ConnectionHandlers {
  /** A channel has opened; its messages follow. */
  onOpen(): void
  onMessage(message: unknown): void
  onInvalid(error: Error): void
  /** True while messages that have arrived are being read: then the other side is not silent. */
  isReading(): boolean
  /** The channel has ended by itself; messages that arrived before count. */
  onClosing(): void
  onConnected(): void
  /**
   * A connection or attempt has ended: it is retried, it has failed for good, or `disconnect()` was called. Before the
   * events about it.
   */
  onLost(next: 'retrying' | 'failed' | 'requested'): void
  onDisconnected(): void
  onConnectError(error: Error): void
  onReconnecting(attempt: { attempt: number; delayMs: number }): void
  /** The state has changed. Must not call back into the connection. */
  onState(): void
  probe(signal: AbortSignal): Promise<number>
  /** Greetings has not come: the error of a server that is no head node, or null. */
  identify(): Promise<Error | null>
  /** Snapshot that a new connection can go on from. */
  since(): SnapshotPosition | undefined
  /** True when waiting for the next attempt should keep a Node process alive. */
  keepAlive(): boolean
}
