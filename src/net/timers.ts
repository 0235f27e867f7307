import { MAX_TIMER_MS } from '../constants.js'

/** Time limit of a graceful close, ms: the answer to a close frame is not awaited for longer. */
export const CLOSE_GRACE_MS = 50

/** Ends a timer; a second call has no effect. */
export type StopTimer = () => void

/** Clamps a time to the range of timers: beyond it they would fire at once. */
export function clampMs(ms: number): number {
  return ms >= 1 ? Math.min(Math.trunc(ms), MAX_TIMER_MS) : 1
}

/** Runs `action` once after `ms`. `background` timers do not keep a Node process alive. */
export function startTimer(ms: number, action: () => void, background = false): StopTimer {
  const timer: unknown = setTimeout(action, clampMs(ms))
  if (background) (timer as { unref?: () => void }).unref?.()
  return () => clearTimeout(timer as number)
}

/** Monotonic time, ms: a changed system clock does not move deadlines. */
export function now(): number {
  return performance.now()
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const abort = (): void => {
      stop()
      reject(signal?.reason)
    }
    const stop = startTimer(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
}
