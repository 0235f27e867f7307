import { ClockStalledError } from '../../errors/devnode.js'
import { InvalidArgumentError } from '../../errors/input.js'

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
  /** Moves time on by `ms`, and runs the timers that fall due on the way. */
  advance(ms: number): void
  /**
   * Moves time on from timer to timer until a promise settles; then resolves or rejects as the promise does. Between
   * two timers the event loop turns, so that a bridge in the same process (`node.connector()`) receives the node's
   * messages. Over sockets time may run ahead of the messages.
   *
   * @param limitMs - the most that time moves on, ms. @default 86400000, a day
   * @throws {@link ClockStalledError} (as a rejection) when the promise is still pending at the limit, or while no
   * timer is left and the event loop has turned 1,000 times.
   */
  runUntil<T>(promise: PromiseLike<T>, limitMs?: number): Promise<T>
}

/** Turns of the event loop before time moves on: messages on their way inside the process arrive first. */
const TURNS_BEFORE_STEP = 4
/** Turns without a timer after which no message is expected any more; a turn lasts a millisecond or more. */
const MAX_IDLE_TURNS = 1_000
/** Most timers that run, because timers that start themselves again, as faults do, must not go on for ever. */
const MAX_STEPS = 10_000
const DAY_MS = 86_400_000

// Read when the module loads: a test's fake timers would never turn the event loop.
const systemTimeout = globalThis.setTimeout

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
  let timers: Timer[] = []
  const nextDue = (): Timer | undefined => {
    let next: Timer | undefined
    for (const timer of timers) if (next === undefined || timer.due < next.due) next = timer
    return next
  }
  const clock: ManualClock = {
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
      for (let next = nextDue(); next !== undefined && next.due <= end; next = nextDue()) {
        const due = next
        timers = timers.filter((other) => other !== due)
        now = due.due
        due.callback()
      }
      now = end
    },
    runUntil: (promise, limitMs = DAY_MS) => runUntil(clock, () => nextDue()?.due, promise, limitMs)
  }
  return clock
}

interface Timer {
  readonly due: number
  readonly callback: () => void
}

async function runUntil<T>(
  clock: ManualClock,
  nextDue: () => number | undefined,
  promise: PromiseLike<T>,
  limitMs: number
): Promise<T> {
  if (typeof (promise as PromiseLike<T> | undefined)?.then !== 'function')
    throw new InvalidArgumentError('promise', 'a promise', promise)
  if (!(typeof limitMs === 'number' && limitMs >= 0))
    throw new InvalidArgumentError('limitMs', 'a number from 0', limitMs)
  const startMs = clock.now()
  let settled = false
  const settle = (): void => {
    settled = true
  }
  promise.then(settle, settle)
  let idleTurns = 0
  for (let steps = 0; ;) {
    for (let turn = 0; turn < TURNS_BEFORE_STEP && !settled; turn++)
      await new Promise((resolve) => systemTimeout(resolve, 0))
    if (settled) return promise
    const due = nextDue()
    if (due === undefined) {
      idleTurns += TURNS_BEFORE_STEP
      if (idleTurns >= MAX_IDLE_TURNS) throw new ClockStalledError('no timer is left', clock.now() - startMs)
      continue
    }
    idleTurns = 0
    if (due - startMs > limitMs)
      throw new ClockStalledError(`the next timer lies beyond ${limitMs} ms`, clock.now() - startMs)
    if (++steps > MAX_STEPS) throw new ClockStalledError(`${MAX_STEPS} timers have run`, clock.now() - startMs)
    clock.advance(due - clock.now())
  }
}
