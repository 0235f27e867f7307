import { InvalidArgumentError } from '../../errors/input.js'
import { nextTask } from '../../net/nextTask.js'
import { now } from '../../net/timers.js'
import { createMitt } from './createMitt.js'

/** Handles an event; a returned promise may reject, the error then goes to `onHandlerError`. */
export type EventHandler<Args extends readonly unknown[]> = (...args: Args) => unknown

/** Receives the error that a handler threw or rejected with. */
export type HandlerErrorListener = (error: unknown, event: string) => void

/** Checks an argument. @throws {@link InvalidArgumentError} unless `value` is a function */
export function assertFunction(argument: string, value: unknown): void {
  if (typeof value !== 'function') throw new InvalidArgumentError(argument, 'a function', value)
}

interface Delivery {
  readonly events: readonly (readonly [name: string, ...args: unknown[]])[]
  readonly weight: number
}

/** Time that handlers may use before the socket is read again, ms. */
const SLICE_MS = 10
/** Maximum number of deliveries that wait for slow handlers. */
export const MAX_QUEUED = 4_096
/** Maximum weight (characters of message text) that waits for slow handlers. */
export const MAX_QUEUED_WEIGHT = 8_000_000

/**
 * Calls the handlers that mitt holds, in order, each shielded from the others. Delivery is immediate as long as
 * handlers are quick; once they have used a slice of time, the rest waits in a bounded queue while the socket goes on
 * being read. When the queue is full, `onSlowConsumer` is emitted once and the oldest deliveries that have a weight are
 * dropped: messages, and the events that are as frequent as messages (`onTxProgress`, `onProtocolError`,
 * `onCommandRefused`). Events of weight 0 are never dropped.
 */
export class Emitter {
  // Without its emit(), which shields no handler from another and knows the wildcard '*', which a node could choose as
  // a tag.
  readonly #handlers = createMitt()
  readonly #onHandlerError: HandlerErrorListener
  #queue: Delivery[] = []
  #weight = 0
  #dropped = 0
  #deferred = false
  /** Grows with every unsubscription: a handler that is removed during a delivery is not called. */
  #removals = 0

  constructor(onHandlerError: HandlerErrorListener) {
    this.#onHandlerError = onHandlerError
  }

  on(name: string, handler: EventHandler<never>): () => void {
    assertFunction('handler', handler)
    if (!this.#handlersOf(name).includes(handler)) this.#handlers.on(name, handler as (event: unknown) => void)
    return () => this.off(name, handler)
  }

  once(name: string, handler: EventHandler<never>): () => void {
    assertFunction('handler', handler)
    const stop = this.on(name, (...args) => {
      stop()
      return handler(...args)
    })
    return stop
  }

  off(name: string, handler: EventHandler<never>): void {
    // mitt would read a missing handler as all of them.
    if (!this.#handlersOf(name).includes(handler)) return
    this.#handlers.off(name, handler as (event: unknown) => void)
    this.#removals += 1
    if (this.count(name) === 0) this.#handlers.all.delete(name)
  }

  count(name: string): number {
    return this.#handlersOf(name).length
  }

  get names(): Iterable<string> {
    return this.#handlers.all.keys()
  }

  /** Delivers one event, or several that belong together, now or after those that already wait. */
  emit(events: Delivery['events'], weight = 0): void {
    if (!events.some(([name]) => this.#handlers.all.has(name))) return
    if (this.#deferred) return this.#enqueue({ events, weight })
    const start = now()
    this.#deliver(events)
    if (now() - start > SLICE_MS) this.#defer()
  }

  /** Runs a handler or callback; its error or rejection goes no further than `onHandlerError`. */
  invokeSafely(name: string, handler: () => unknown): void {
    try {
      const result: unknown = handler()
      if (result instanceof Promise) result.catch((error: unknown) => this.#onHandlerError(error, name))
    } catch (error) {
      this.#onHandlerError(error, name)
    }
  }

  /** Drops the deliveries that wait, except events of weight 0. */
  clear(): void {
    this.#queue = this.#queue.filter((delivery) => delivery.weight === 0)
    this.#weight = 0
  }

  #deliver(events: Delivery['events']): void {
    for (const [name, ...args] of events) {
      const removals = this.#removals
      for (const handler of [...this.#handlersOf(name)]) {
        if (removals === this.#removals || this.#handlersOf(name).includes(handler))
          this.invokeSafely(name, () => handler(...(args as never)))
      }
    }
  }

  #handlersOf(name: string): readonly EventHandler<never>[] {
    return (this.#handlers.all.get(name) ?? []) as readonly EventHandler<never>[]
  }

  #defer(): void {
    this.#deferred = true
    // A task, not a microtask: the runtime reads its sockets in between. Not a timer: hidden pages run those once a
    // second.
    nextTask(() => this.#drain())
  }

  #drain(): void {
    const sliceEnd = now() + SLICE_MS
    // The queue is looked up again each time: a handler may disconnect(), which clears it.
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      this.#weight -= next.weight
      this.#deliver(next.events)
      if (now() >= sliceEnd) break
    }
    if (this.#queue.length > 0) return this.#defer()
    this.#deferred = false
    this.#dropped = 0
  }

  #enqueue(delivery: Delivery): void {
    this.#queue.push(delivery)
    this.#weight += delivery.weight
    const full = (): boolean =>
      this.#queue.length > MAX_QUEUED || (this.#weight > MAX_QUEUED_WEIGHT && this.#queue.length > 1)
    if (!full()) return
    const first = this.#dropped === 0
    while (full()) {
      const at = this.#queue.findIndex(({ weight }) => weight > 0)
      if (at < 0 || at === this.#queue.length - 1) break
      this.#weight -= (this.#queue.splice(at, 1)[0] as Delivery).weight
      this.#dropped += 1
    }
    // First in the queue, once until it has emptied.
    if (first && this.#dropped > 0) {
      const backlog = { queued: this.#queue.length, dropped: this.#dropped }
      this.#queue.unshift({ events: [['onSlowConsumer', backlog]], weight: 0 })
    }
  }
}
