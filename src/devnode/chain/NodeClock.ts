import type { Clock } from '../settings/clock.js'

interface PendingTimer {
  dueMs: number
  /** Timers that fall due at one time run in the order in which they were started. */
  readonly order: number
  readonly callback: () => void
  /** True for a timer of a callback that polls; one started during an advance runs only after the advance. */
  readonly polls: boolean
  cancel: () => void
}

/** The longest that timers of every runtime can wait. */
const MAX_DELAY_MS = 0x7fff_ffff

/**
 * The clock of one node: the time of an underlying clock plus an offset. An advance ({@link beginAdvance},
 * {@link step}, {@link endAdvance}) increases the offset and runs the timers that fall due, in order and each at its
 * own time. With a negative offset a node can have a past when it starts.
 */
export class NodeClock implements Clock {
  readonly #clock: Clock
  #offsetMs: number
  /** While an advance is under way: its present time, its end, and the order of the first timer started in it. */
  #advance: { atMs: number; readonly endMs: number; readonly firstOrder: number } | null = null
  readonly #timers = new Set<PendingTimer>()
  #started = 0

  constructor(clock: Clock, offsetMs = 0) {
    this.#clock = clock
    this.#offsetMs = offsetMs
  }

  /** Lead of this clock over the underlying clock, ms. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  now(): number {
    return this.#advance?.atMs ?? this.#clock.now() + this.#offsetMs
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#start(delayMs, callback, false)
  }

  /** Starts a timer as {@link after} does, for a callback that polls for a change; during an advance it runs once. */
  poll(delayMs: number, callback: () => void): () => void {
    return this.#start(delayMs, callback, true)
  }

  /**
   * Begins an advance by `ms`: {@link step} then runs the timers that fall due, {@link endAdvance} ends the advance.
   */
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

  /** Ends the advance: from its end on, time passes as on the underlying clock. */
  endAdvance(): void {
    const advance = this.#advance
    if (advance === null) return
    this.#advance = null
    this.setOffset(advance.endMs - this.#clock.now())
  }

  /** Advances time by `ms`, and runs all timers that fall due, before it returns. */
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
