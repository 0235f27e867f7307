/** Time for the local node: the system's, or one that a test moves by hand. */
export interface Clock {
  /** Unix time, ms. */
  now(): number
  /** Runs `callback` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void
}

/** The system's clock. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  }
}

/** A clock that stands still until it is advanced; timers that fall due run in order, at their own time. */
export interface ManualClock extends Clock {
  /** Moves time on by `ms`, running what falls due on the way. */
  advance(ms: number): void
}

/**
 * A {@link ManualClock} that starts at `startMs`.
 *
 * @example
 * ```ts
 * import { manualClock } from 'layer-sdk/devnode'
 * const clock = manualClock(0)
 * clock.after(1000, () => console.log('a second has passed'))
 * clock.advance(1000)
 * ```
 */
export function manualClock(startMs = 1_750_000_000_000): ManualClock {
  let now = startMs
  let timers: { due: number; callback: () => void }[] = []
  return {
    now: () => now,
    after(delayMs, callback) {
      const timer = { due: now + Math.max(0, delayMs), callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        let next: (typeof timers)[number] | undefined
        for (const timer of timers) if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer
        if (next === undefined) break
        const due = next
        timers = timers.filter((other) => other !== due)
        now = due.due
        due.callback()
      }
      now = end
    }
  }
}
