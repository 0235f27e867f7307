import { InvalidArgumentError } from '../../errors/input.js'
import { now, startTimer } from '../../net/timers.js'

/** Handles an event; a returned promise may reject, the error then goes to `onHandlerError`. */
export type EventHandler<Args extends readonly unknown[]> = (...args: Args) => unknown

/** What an {@link Emitter} reports about its consumers. */
export interface EmitterPorts {
  /** A handler threw or rejected. */
  onHandlerError(error: unknown, event: string): void
}

/** @throws {@link InvalidArgumentError} unless it can be called */
export function assertFunction(argument: string, value: unknown): void {
  if (typeof value !== 'function') throw new InvalidArgumentError(argument, 'a function', value)
}

interface Delivery {
  readonly events: readonly (readonly [name: string, ...args: unknown[]])[]
  readonly weight: number
}

/** Time that handlers may take before the socket is read again, ms. */
const SLICE_MS = 10
/** Most deliveries that wait for slow handlers. */
export const MAX_QUEUED = 4_096
/** Most weight (characters of message text) that waits for slow handlers. */
export const MAX_QUEUED_WEIGHT = 8_000_000

/**
 * Calls handlers in order, each shielded from the others. Delivery is immediate as long as handlers are quick; once they
 * have used a slice of time, the rest waits in a bounded queue while the socket goes on being read. When the queue is
 * full, `onSlowConsumer` is emitted once and the oldest deliveries that have a weight are dropped: messages, and the events that are as
 * frequent as messages (`onTxProgress`, `onProtocolError`, `onCommandRefused`). Events of weight 0 are never dropped.
 */
export class Emitter {
  readonly #handlers = new Map<string, Set<EventHandler<never>>>()
  readonly #ports: EmitterPorts
  #queue: Delivery[] = []
  #weight = 0
  #dropped = 0
  #deferred = false

  constructor(ports: EmitterPorts) {
    this.#ports = ports
  }

  on(name: string, handler: EventHandler<never>): () => void {
    assertFunction('handler', handler)
    let set = this.#handlers.get(name)
    if (set === undefined) this.#handlers.set(name, set = new Set())
    set.add(handler)
    return () => this.off(name, handler)
  }

  off(name: string, handler: EventHandler<never>): void {
    const set = this.#handlers.get(name)
    if (set?.delete(handler) === true && set.size === 0) this.#handlers.delete(name)
  }

  count(name: string): number {
    return this.#handlers.get(name)?.size ?? 0
  }

  get names(): Iterable<string> {
    return this.#handlers.keys()
  }

  /** Delivers one event, or several that belong together, now or after what already waits. */
  emit(events: Delivery['events'], weight = 0): void {
    if (!events.some(([name]) => this.#handlers.has(name))) return
    if (this.#deferred) return this.#enqueue({ events, weight })
    const start = now()
    this.#deliver(events)
    if (now() - start > SLICE_MS) this.#defer()
  }

  /** Runs a handler or callback; what it throws or rejects with goes no further than `onHandlerError`. */
  call(name: string, handler: () => unknown): void {
    try {
      const result: unknown = handler()
      if (result instanceof Promise) result.catch((error: unknown) => this.#ports.onHandlerError(error, name))
    } catch (error) {
      this.#ports.onHandlerError(error, name)
    }
  }

  /** Forgets what waits. */
  clear(): void {
    this.#queue = this.#queue.filter((delivery) => delivery.weight === 0)
    this.#weight = 0
  }

  #deliver(events: Delivery['events']): void {
    for (const [name, ...args] of events) {
      const set = this.#handlers.get(name)
      if (set === undefined) continue
      for (const handler of [...set]) if (set.has(handler)) this.call(name, () => handler(...args as never))
    }
  }

  #defer(): void {
    this.#deferred = true
    // A timer, not a microtask: the runtime reads its sockets in between.
    startTimer(1, () => this.#drain())
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
    const full = (): boolean => this.#queue.length > MAX_QUEUED || (this.#weight > MAX_QUEUED_WEIGHT && this.#queue.length > 1)
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
      const facts = { queued: this.#queue.length, dropped: this.#dropped }
      this.#queue.unshift({ events: [['onSlowConsumer', facts]], weight: 0 })
    }
  }
}
