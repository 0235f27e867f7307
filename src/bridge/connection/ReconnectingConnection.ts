import {
  BridgeConnectError,
  ConnectAbortedError,
  ConnectTimeoutError,
  NotConnectedError,
  ReconnectExhaustedError
} from '../../errors/bridge.js'
import type { Connector, ConnectorChannel, ConnectorListener } from './Connector.js'
import { locateError } from './locateError.js'
import { watchLiveness } from './liveness.js'
import type { LivenessWatch } from './liveness.js'
import type { ConnectionHandlers, ConnectionPolicy, ConnectionState } from './reconnectPolicy.js'
import { createWaiter } from './Waiter.js'
import type { Waiter } from './Waiter.js'
import { now, startTimer } from '../../net/timers.js'
import type { StopTimer } from '../../net/timers.js'

/** Time that an open socket waits for Greetings, ms: hubs and gateways may send none. */
const GREETINGS_GRACE_MS = 1_000
/** A connection that lasts this long counts as a success, after which attempts are counted from 0 again, ms. */
const STABLE_MS = 5_000
/** All outputs are requested again when they have not come for this long, ms. */
const RESYNC_INTERVAL_MS = 10_000

/** Connects and reconnects by opening one channel after another: one state, one channel, one attempt at a time. */
export class Connection {
  readonly #connector: Connector
  readonly #policy: ConnectionPolicy
  readonly #handlers: ConnectionHandlers
  #state: ConnectionState = 'idle'
  // Channels and timers belong to the generation they were made in; those of an older one are ignored.
  #generation = 0
  #attempt = 0
  // Stored messages are requested until a connection has been made.
  #requestHistory = true
  // Stored messages are arriving: everything before Greetings is past.
  #replaying = false
  #channel: ConnectorChannel | null = null
  #waiter: Waiter | null = null
  #liveness: LivenessWatch | null = null
  /** Time of the last request of all outputs; a new connection sends them by itself. */
  #resyncedAt = 0
  readonly #timers = new Set<StopTimer>()

  constructor(connector: Connector, policy: ConnectionPolicy, handlers: ConnectionHandlers) {
    this.#connector = connector
    this.#policy = policy
    this.#handlers = handlers
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** True while stored messages are being replayed: all messages before Greetings are past ones. */
  get replaying(): boolean {
    return this.#replaying
  }

  connect(): Promise<boolean> {
    if (this.#state === 'connected') return Promise.resolve(true)
    if (this.#waiter !== null) return this.#waiter.promise
    const waiter = (this.#waiter = createWaiter())
    // While an automatic attempt is under way its result is the answer; while waiting for one, it starts now.
    if (this.#state !== 'reconnecting') {
      this.#attempt = 0
      this.#requestHistory = true
      this.#setState('connecting')
      this.#open()
    } else if (this.#channel === null) this.#open()
    return waiter.promise
  }

  async disconnect(): Promise<boolean> {
    const was = this.#state
    const closing = this.#drop(true)
    this.#setState(was === 'idle' ? 'idle' : 'disconnected')
    this.#settle(new ConnectAbortedError())
    this.#handlers.onLost('requested')
    if (was === 'connected') this.#handlers.onDisconnected()
    await closing
    return true
  }

  /** Sends a text now. @throws {@link NotConnectedError}; no input is queued */
  send(text: string, what: string): void {
    if (this.#state !== 'connected' || this.#channel === null) throw new NotConnectedError(what)
    try {
      this.#channel.send(text)
    } catch {
      throw new NotConnectedError(what)
    }
  }

  /**
   * Requests all outputs again. `isUrgent: false`: not if the last request is so recent that its answer may still come.
   */
  resync(isUrgent: boolean): void {
    if (this.#state !== 'connected' || (!isUrgent && now() - this.#resyncedAt < RESYNC_INTERVAL_MS)) return
    this.#resyncedAt = now()
    try {
      this.#channel?.resync?.()
    } catch {
      /* it has ended: the next connection brings them */
    }
  }

  /** Changes the state to `connected`, e.g. when Greetings has been applied. */
  markConnected(): void {
    if (this.#channel === null || (this.#state !== 'connecting' && this.#state !== 'reconnecting')) return
    const generation = this.#generation
    this.#stopTimers()
    this.#requestHistory = this.#replaying = false
    this.#setState('connected')
    this.#later(Math.max(STABLE_MS, this.#policy.reconnectInterval), () => {
      this.#attempt = 0
    })
    this.#settle(null)
    if (generation === this.#generation) this.#handlers.onConnected()
  }

  #open(): void {
    this.#stopTimers()
    const generation = ++this.#generation
    const current = (): boolean => generation === this.#generation
    this.#limitSilence()
    const listener: ConnectorListener = {
      onOpen: (details) => {
        if (current()) this.#opened(details?.replay === true)
      },
      onMessage: (message) => {
        if (!current()) return
        this.#liveness?.touch()
        if (this.#replaying) this.#limitSilence()
        this.#handlers.onMessage(message)
      },
      onInvalid: (error) => {
        if (current()) this.#handlers.onInvalid(error)
      },
      onActivity: () => {
        if (current()) this.#liveness?.touch()
      },
      onClose: (error) => {
        if (!current()) return
        this.#handlers.onClosing()
        // A handler may have disconnected.
        if (!current()) return
        this.#channel = null
        this.#failed(error)
      }
    }
    try {
      const since = this.#handlers.since()
      const channel = this.#connector.open(listener, {
        ...(this.#requestHistory ? {} : { history: false }),
        ...(since && { since })
      })
      // It may have failed within open(): then it is not the current one.
      if (current()) this.#channel = channel
      else void close(channel, false)
    } catch (error) {
      // A connector must report through its listener; one that throws counts as a failed attempt, after connect()
      // returned.
      void Promise.resolve().then(() => listener.onClose(error as Error))
    }
  }

  // The limit of an attempt, which restarts with each message of a replay: a replay may be long, silence may not.
  #limitSilence(): void {
    this.#stopTimers()
    const { connectTimeout } = this.#policy
    // Not a background timer: a caller awaits connect().
    const end = (): void => {
      if (this.#handlers.isReading()) this.#limitSilence()
      else this.#failed(new ConnectTimeoutError(connectTimeout, this.#connector.origin))
    }
    this.#later(connectTimeout, end, false)
  }

  #awaitGreetings(): void {
    const end = (): void => (this.#handlers.isReading() ? this.#awaitGreetings() : void this.#identify())
    this.#later(GREETINGS_GRACE_MS, end, false)
  }

  async #identify(): Promise<void> {
    const generation = this.#generation
    const error = await this.#handlers.identify().catch(() => null)
    // Greetings may have come meanwhile, or the connection may have ended.
    if (generation !== this.#generation || this.#state === 'connected') return
    if (error === null) this.markConnected()
    else this.#failed(error)
  }

  #opened(replay: boolean): void {
    this.#replaying = replay
    this.#resyncedAt = now()
    this.#stopTimers()
    // Replayed messages are past ones: only Greetings ends the replay.
    if (replay) this.#limitSilence()
    else this.#awaitGreetings()
    this.#liveness = watchLiveness({
      timeoutMs: this.#policy.livenessTimeout,
      ping: () => this.#channel?.ping?.() ?? false,
      probe: (signal) => this.#handlers.probe(signal),
      onDead: () =>
        this.#failed(
          new BridgeConnectError('The connection has gone silent.', {
            expected: `traffic within ${this.#policy.livenessTimeout} ms`,
            got: 'none'
          })
        )
    })
    this.#handlers.onOpen()
  }

  #failed(reason: Error): void {
    const lost = this.#state === 'connected'
    const error = locateError(reason, this.#connector.origin, lost)
    void this.#drop(false)
    const generation = this.#generation
    const { autoReconnect, maxReconnectAttempts } = this.#policy
    const fatal = (error as { fatal?: unknown }).fatal === true
    const exhausted = autoReconnect && maxReconnectAttempts > 0 && this.#attempt >= maxReconnectAttempts
    const isRetrying = autoReconnect && !fatal && !exhausted
    this.#setState(isRetrying ? 'reconnecting' : lost && !fatal && !exhausted ? 'disconnected' : 'failed')
    const plan = isRetrying ? this.#plan() : null
    const reported = exhausted && !fatal ? new ReconnectExhaustedError(this.#attempt, error) : error
    // Each of these may call back into connect() or disconnect(); a new generation continues from there.
    const steps = [
      () => this.#settle(reported),
      () => this.#handlers.onLost(isRetrying ? 'retrying' : 'failed'),
      () => {
        if (lost) this.#handlers.onDisconnected()
      },
      () => {
        if (!lost || fatal || exhausted) this.#handlers.onConnectError(reported)
      },
      () => {
        if (plan !== null) this.#handlers.onReconnecting(plan)
      }
    ]
    for (const step of steps) if (generation === this.#generation) step()
  }

  #plan(): { attempt: number; delayMs: number } {
    const { reconnectInterval, reconnectJitter } = this.#policy
    const delayMs = Math.round(reconnectInterval * (1 + reconnectJitter * (2 * Math.random() - 1)))
    this.#attempt += 1
    this.#later(delayMs, () => this.#open(), !this.#handlers.keepAlive())
    return { attempt: this.#attempt, delayMs }
  }

  #drop(graceful: boolean): Promise<void> {
    this.#generation += 1
    this.#replaying = false
    this.#stopTimers()
    this.#liveness?.stop()
    this.#liveness = null
    const channel = this.#channel
    this.#channel = null
    return close(channel, graceful)
  }

  #settle(error: Error | null): void {
    const waiter = this.#waiter
    this.#waiter = null
    if (error === null) waiter?.resolve(true)
    else waiter?.reject(error)
  }

  #setState(state: ConnectionState): void {
    if (state === this.#state) return
    this.#state = state
    this.#handlers.onState()
  }

  #later(ms: number, action: () => void, background = true): void {
    this.#timers.add(startTimer(ms, action, background))
  }

  #stopTimers(): void {
    for (const stop of this.#timers) stop()
    this.#timers.clear()
  }
}

// Errors of a replaced channel are ignored, those of closing it included.
async function close(channel: ConnectorChannel | null, graceful: boolean): Promise<void> {
  try {
    await channel?.close(graceful)
  } catch {
    /* it has ended either way */
  }
}
