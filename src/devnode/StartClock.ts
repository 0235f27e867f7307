import type { Clock, ManualClock } from './clock.js'
import { manualClock } from './clock.js'

interface PendingTimer {
  readonly dueMs: number
  readonly callback: () => void
  cancel: () => void
}

/**
 * The clock of a node that has a past when it starts: time begins earlier, passes at once while the past is made, and is the other clock's from
 * {@link finish} on. Timers that are still pending then go on there.
 */
export class StartClock implements Clock {
  readonly #clock: Clock
  #past: ManualClock | null
  readonly #timers = new Set<PendingTimer>()

  /** `leadMs`: how long before now the past begins. */
  constructor(clock: Clock, leadMs: number) {
    this.#clock = clock
    this.#past = manualClock(clock.now() - leadMs)
  }

  now(): number {
    return (this.#past ?? this.#clock).now()
  }

  after(delayMs: number, callback: () => void): () => void {
    const clock = this.#past
    if (clock === null) return this.#clock.after(delayMs, callback)
    const timer: PendingTimer = { dueMs: clock.now() + Math.max(0, delayMs), callback, cancel: () => {} }
    timer.cancel = clock.after(delayMs, () => {
      this.#timers.delete(timer)
      callback()
    })
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
      timer.cancel()
    }
  }

  /** Moves the past on. */
  advance(ms: number): void {
    this.#past?.advance(ms)
  }

  /** Runs what falls due until now; from here on time is the other clock's. */
  finish(): void {
    const past = this.#past
    if (past === null) return
    past.advance(Math.max(0, this.#clock.now() - past.now()))
    this.#past = null
    for (const timer of this.#timers) {
      timer.cancel()
      timer.cancel = this.#clock.after(Math.max(0, timer.dueMs - this.#clock.now()), () => {
        this.#timers.delete(timer)
        timer.callback()
      })
    }
  }
}
