import type { Clock } from './clock.js'

/** The timers of one node: all end with it. */
export class Timers {
  readonly #clock: Clock
  readonly #cancels = new Set<() => void>()
  #stopped = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether the node has been stopped. */
  get stopped(): boolean {
    return this.#stopped
  }

  /** Runs `callback` after `delayMs` unless the node has been stopped; the returned function cancels it. */
  later(delayMs: number, callback: () => void): () => void {
    if (this.#stopped) return () => {}
    const cancel = this.#clock.after(delayMs, () => {
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

  /** Cancels every timer; later ones never run. */
  stop(): void {
    this.#stopped = true
    for (const cancel of [...this.#cancels]) cancel()
  }
}
