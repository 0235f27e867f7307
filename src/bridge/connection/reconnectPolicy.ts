import type { SnapshotPosition } from './Connector.js'

/**
 * State of a bridge's connection.
 *
 * - `idle`: never connected
 * - `connecting`: `connect()` is under way
 * - `connected`
 * - `reconnecting`: lost, waiting for or making the next attempt
 * - `disconnected`: by `disconnect()`, or lost without `autoReconnect`
 * - `failed`: given up, for a fatal reason or after the last attempt; `connect()` tries again
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
  /** Called when a channel has opened; its messages follow. */
  onOpen(): void
  onMessage(message: unknown): void
  onInvalid(error: Error): void
  /** Returns true while messages that have arrived are being read: the other side then does not count as silent. */
  isReading(): boolean
  /** Called when the channel has ended by itself, so that messages which arrived before its end are still applied. */
  onClosing(): void
  onConnected(): void
  /**
   * Called when a connection or an attempt has ended, before the events about it. `next`: it is retried, it has failed
   * for good, or `disconnect()` was called.
   */
  onLost(next: 'retrying' | 'failed' | 'requested'): void
  onDisconnected(): void
  onConnectError(error: Error): void
  onReconnecting(attempt: { attempt: number; delayMs: number }): void
  /** Called when the state has changed. Must not call back into the connection. */
  onState(): void
  probe(signal: AbortSignal): Promise<number>
  /** Called when Greetings has not come. Resolves with an error if the server is not a head node, else with null. */
  identify(): Promise<Error | null>
  /** Returns the snapshot from which a new connection can continue. */
  since(): SnapshotPosition | undefined
  /** Returns true when waiting for the next attempt should keep a Node process alive. */
  keepAlive(): boolean
}
