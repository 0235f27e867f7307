import { parseJson } from '../../codec/json.js'
import type { ConnectorChannel, ConnectorReply, WireRecord } from '../../bridge/inner.js'
import { WebsocketConnector, isRecord } from '../../bridge/inner.js'
import { clampMs, startTimer } from '../../net/timers.js'
import type { StopTimer } from '../../net/timers.js'
import type { RecordPosition } from '../records.js'
import { readPast } from './readPast.js'

/** Receives the node's messages. */
export interface UpstreamListener {
  /** A connection has opened; its Greetings comes next. */
  onOpen(): void
  onMessage(message: WireRecord): void
  /** The connection was lost, or an attempt to open it has failed; the next attempt follows. */
  onLost(error: unknown): void
}

const FIRST_RETRY_MS = 250
const MAX_RETRY_MS = 5_000
const PING_MS = 5_000
const REQUEST_MS = 30_000

/** The one connection to the node, opened again whenever it ends. */
export class Upstream {
  readonly #connector: WebsocketConnector
  readonly #listener: UpstreamListener
  readonly #over = new AbortController()
  /** Ends the current connection as lost. */
  #end: (error: unknown) => void = () => undefined
  #channel: ConnectorChannel | null = null
  #open = false
  #stopTimer: StopTimer = () => undefined
  #retryMs = FIRST_RETRY_MS
  #heard = true

  /**
   * `url`: given by the operator, who is trusted with the network between gateway and node, so unencrypted URLs are
   * allowed.
   */
  constructor(url: string, listener: UpstreamListener) {
    this.#connector = new WebsocketConnector({ websocketUrl: url, history: false, allowInsecure: true, browser: false })
    this.#listener = listener
  }

  start(): void {
    this.#connect()
  }

  /** Sends an input now; false when there is no connection. */
  send(text: string): boolean {
    if (!this.#open || this.#channel === null) return false
    try {
      this.#channel.send(text)
      return true
    } catch {
      return false
    }
  }

  /** Sends a request to the HTTP interface of the node. */
  async request(method: 'GET' | 'POST', path: string, body?: string): Promise<ConnectorReply> {
    const signal = AbortSignal.any([this.#over.signal, AbortSignal.timeout(REQUEST_MS)])
    return this.#connector.request({ method, path, signal, ...(body === undefined ? {} : { body }) })
  }

  /**
   * Returns the messages after a snapshot that change the ledger, from the node's history; null where it does not reach
   * back.
   */
  past(position: RecordPosition): Promise<readonly WireRecord[] | null> {
    return readPast(this.#connector, position, this.#over.signal)
  }

  /** Ends the connection and opens the next one. */
  restart(error: unknown): void {
    const channel = this.#channel
    if (channel === null) return
    void channel.close(false)
    this.#end(error)
  }

  async stop(): Promise<void> {
    this.#over.abort()
    this.#stopTimer()
    this.#open = false
    const channel = this.#channel
    this.#channel = null
    await channel?.close(false)
  }

  #connect(): void {
    if (this.#over.signal.aborted) return
    let current = true
    const lost = (error: unknown): void => {
      if (!current) return
      current = false
      this.#lost(error)
    }
    this.#end = lost
    const channel = this.#connector.open(
      {
        onOpen: () => {
          if (!current) return
          this.#open = true
          this.#retryMs = FIRST_RETRY_MS
          this.#listener.onOpen()
          this.#watch(() => {
            void channel.close(false)
            lost(new Error('it is silent'))
          })
        },
        onMessage: (message) => {
          this.#heard = true
          if (current) this.#receive(message)
        },
        onInvalid: () => undefined,
        onActivity: () => void (this.#heard = true),
        onClose: lost
      },
      {}
    )
    this.#channel = channel
  }

  #receive(text: unknown): void {
    let message: unknown
    try {
      message = typeof text === 'string' ? parseJson(text, 'A message of the node') : null
    } catch {
      return
    }
    if (isRecord(message)) this.#listener.onMessage(message)
  }

  /** Pings the node at intervals, and calls `onSilence` when no message or answer has come since the last ping. */
  #watch(onSilence: () => void): void {
    this.#heard = true
    const check = (): void => {
      if (!this.#heard) return onSilence()
      this.#heard = false
      this.#channel?.ping?.()
      this.#stopTimer = startTimer(PING_MS, check)
    }
    check()
  }

  #lost(error: unknown): void {
    this.#stopTimer()
    this.#open = false
    this.#channel = null
    if (this.#over.signal.aborted) return
    this.#listener.onLost(error)
    this.#stopTimer = startTimer(clampMs(this.#retryMs * (0.5 + Math.random())), () => this.#connect())
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
  }
}
