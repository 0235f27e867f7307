import { BridgeTimeoutError } from '../../errors/bridge.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { startTimer } from '../../net/timers.js'
import type { LayerPayload } from '../protocol/messages.js'

interface Subscriber {
  readonly background?: boolean | undefined
  onPayload(payload: LayerPayload, weight: number): void
  onEnd(error: Error | null): void
}

/** Passes every applied message to its subscribers synchronously, before the events; it drops none. */
export class MessageDispatcher {
  readonly #subscribers = new Set<Subscriber>()

  /** Number of subscribers that wait for messages. */
  get size(): number {
    let count = 0
    for (const { background } of this.#subscribers) if (background !== true) count++
    return count
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber)
    return () => {
      this.#subscribers.delete(subscriber)
    }
  }

  deliver(payload: LayerPayload, weight: number): void {
    for (const subscriber of [...this.#subscribers]) subscriber.onPayload(payload, weight)
  }

  /**
   * Ends all waits, because no further message will come. `error`: the reason of the loss; null after `disconnect()`.
   */
  end(error: Error | null): void {
    for (const subscriber of [...this.#subscribers]) subscriber.onEnd(error)
  }
}

/** Returns a caller's signal, or undefined for null. @throws {@link InvalidArgumentError} */
export function assertSignal(signal: AbortSignal | null | undefined): AbortSignal | undefined {
  if (signal === null || signal === undefined) return undefined
  if (typeof signal.addEventListener !== 'function') throw new InvalidArgumentError('signal', 'an AbortSignal', signal)
  return signal
}

/** Limits of the wait for a message. */
export interface WaitForMessageOptions {
  /** Name of the awaited message, for the error. */
  readonly what: string
  /** Returns the error for a wait that `disconnect()` cut off. */
  readonly ended: () => Error
  /** Time limit, ms; left out: none. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Runs once the wait has begun, e.g. sends the input that the message answers. */
  readonly start?: () => void
}

/**
 * Waits until `match` returns a value for a message; `match` rejects the wait by throwing.
 * @throws {@link BridgeTimeoutError}, the signal's reason, or the error of `ended`
 */
export function waitForMessage<T>(
  dispatcher: MessageDispatcher,
  options: WaitForMessageOptions,
  match: (payload: LayerPayload) => T | undefined
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const signal = assertSignal(options.signal)
    const timeoutMs = options.timeoutMs ?? Infinity
    if (!(timeoutMs >= 0)) throw new InvalidArgumentError('timeout', 'a number', timeoutMs)
    if (signal?.aborted === true) return reject(signal.reason as Error)
    const finish = (settle: () => void): void => {
      unsubscribe()
      stopTimer?.()
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const fail = (error: unknown): void => finish(() => reject(error as Error))
    const abort = (): void => fail(signal?.reason)
    const attempt = (action: () => void): void => {
      try {
        action()
      } catch (error) {
        fail(error)
      }
    }
    const unsubscribe = dispatcher.subscribe({
      onPayload: (payload) =>
        attempt(() => {
          const matched = match(payload)
          if (matched !== undefined) finish(() => resolve(matched))
        }),
      onEnd: (error) => fail(error ?? options.ended())
    })
    const stopTimer =
      timeoutMs === Infinity
        ? undefined
        : startTimer(timeoutMs, () => fail(new BridgeTimeoutError(options.what, timeoutMs)))
    signal?.addEventListener('abort', abort, { once: true })
    if (options.start !== undefined) attempt(options.start)
  })
}
