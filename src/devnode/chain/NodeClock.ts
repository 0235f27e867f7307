import type { Clock } from '../settings/clock.js'

interface PendingTimer {
  dueMs: number
  /** Timers that fall due at one time run in the order in which they were started. */
  readonly order: number
  readonly callback: () => void
  /** Started by a callback that looks again and again: during an advance it waits for its end. */
  readonly polls: boolean
  cancel: () => void
}

/** The longest that timers of every runtime can wait. */
const MAX_DELAY_MS = 0x7fff_ffff

/**
 * The clock of one node: another clock, and an offset that {@link step} moves on. Timers that fall due on the way run
 * in order, each at its own time; so a node can also have a past when it starts, by a negative offset.
 */
export class NodeClock implements Clock {
  readonly #clock: Clock
  #offsetMs: number
  /** While time is moved on: when it is, and until when. */
  #advance: { atMs: number; readonly endMs: number; readonly firstOrder: number } | null = null
  readonly #timers = new Set<PendingTimer>()
  #started = 0

  constructor(clock: Clock, offsetMs = 0) {
    this.#clock = clock
    this.#offsetMs = offsetMs
  }

  /** Lead of this clock over the other one, ms. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  now(): number {
    return this.#advance?.atMs ?? this.#clock.now() + this.#offsetMs
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#start(delayMs, callback, false)
  }

  /** As {@link after}, for a callback that starts itself again until a change: an advance runs it once. */
  poll(delayMs: number, callback: () => void): () => void {
    return this.#start(delayMs, callback, true)
  }

  /** Begins to move time on by `ms`; {@link step} runs the timers that fall due, {@link endAdvance} ends it. */
  beginAdvance(ms: number): void {
    const nowMs = this.now()
    this.#advance = { atMs: nowMs, endMs: nowMs + ms, firstOrder: this.#started }
  }

  /** Runs the next timer that falls due during the advance; false when there is none. */
  step(): boolean {
    const advance = this.#advance
    if (advance === null) return false
    const next = this.#nextDue(advance.endMs, advance.firstOrder)
    if (next === undefined) return false
    this.#timers.delete(next)
    next.cancel()
    advance.atMs = Math.max(advance.atMs, next.dueMs)
    next.callback()
    return true
  }

  /** Time goes on as the other clock's from the end of the advance. */
  endAdvance(): void {
    const advance = this.#advance
    if (advance === null) return
    this.#advance = null
    this.setOffset(advance.endMs - this.#clock.now())
  }

  /** Moves time on at once. */
  advance(ms: number): void {
    this.beginAdvance(ms)
    while (this.step());
    this.endAdvance()
  }

  /** Sets how far this clock is ahead; timers keep the time at which they fall due. */
  setOffset(offsetMs: number): void {
    this.#offsetMs = offsetMs
    for (const timer of this.#timers) {
      timer.cancel()
      this.#arm(timer)
    }
  }

  #start(delayMs: number, callback: () => void, polls: boolean): () => void {
    const timer: PendingTimer = {
      dueMs: this.now() + Math.max(0, delayMs),
      order: this.#started++,
      callback,
      polls,
      cancel: () => {}
    }
    this.#timers.add(timer)
    this.#arm(timer)
    return () => {
      this.#timers.delete(timer)
      timer.cancel()
    }
  }

  #arm(timer: PendingTimer): void {
    const delayMs = Math.max(0, timer.dueMs - this.#offsetMs - this.#clock.now())
    timer.cancel = this.#clock.after(Math.min(delayMs, MAX_DELAY_MS), () => {
      // While time is moved on by hand, the timer runs in its turn or is armed again at the end.
      if (this.#advance !== null) return
      if (delayMs > MAX_DELAY_MS) return this.#arm(timer)
      this.#timers.delete(timer)
      timer.callback()
    })
  }

  #nextDue(endMs: number, firstOrder: number): PendingTimer | undefined {
    let next: PendingTimer | undefined
    for (const timer of this.#timers) {
      if (timer.dueMs > endMs || (timer.polls && timer.order >= firstOrder)) continue
      if (next === undefined || timer.dueMs < next.dueMs || (timer.dueMs === next.dueMs && timer.order < next.order))
        next = timer
    }
    return next
  }
}
