import type { NodeClock } from './NodeClock.js'

/** The timers of one node: all end with it. */
export class Timers {
  readonly #clock: NodeClock
  readonly #cancels = new Set<() => void>()
  #stopped = false

  constructor(clock: NodeClock) {
    this.#clock = clock
  }

  /** True when the node has been stopped. */
  get stopped(): boolean {
    return this.#stopped
  }

  /** Runs `callback` after `delayMs` unless the node has been stopped; the returned function cancels it. */
  later(delayMs: number, callback: () => void): () => void {
    return this.#start('after', delayMs, callback)
  }

  /** As {@link later}, for a callback that polls for a change. */
  poll(delayMs: number, callback: () => void): () => void {
    return this.#start('poll', delayMs, callback)
  }

  #start(kind: 'after' | 'poll', delayMs: number, callback: () => void): () => void {
    if (this.#stopped) return () => {}
    const cancel = this.#clock[kind](delayMs, () => {
      this.#cancels.delete(stop)
      callback()
    })
    const stop = (): void => {
      this.#cancels.delete(stop)
      cancel()
    }
    this.#cancels.add(stop)
    return stop
  }

  /** Cancels every timer; timers started later never run. */
  stop(): void {
    this.#stopped = true
    for (const cancel of [...this.#cancels]) cancel()
  }
}
