import { startTimer } from './timers.js'

/** Limits of a piece of work: an abort signal and a timeout. */
export interface Bounds {
  /** The caller's signal: when it aborts, the work rejects with its reason. */
  signal?: AbortSignal | undefined
  /** Lifetime of the object that does the work: when its signal aborts, the work rejects with `onClose()`. */
  lifetime?: { signal: AbortSignal; onClose: () => Error } | undefined
  /** Time limit, ms; required with `onTimeout`. */
  timeoutMs?: number
  /** Makes the error of the time limit; without it there is no limit. */
  onTimeout?: () => Error
}

/**
 * Runs work until it is done, its time limit is over, the caller's signal aborts, or one part of it fails. Work that is
 * still under way then is aborted through the signal that `run` receives.
 */
export async function withTimeLimit<T>(bounds: Bounds, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, lifetime, timeoutMs = 0, onTimeout } = bounds
  if (lifetime?.signal.aborted) throw lifetime.onClose()
  signal?.throwIfAborted()
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal?.reason)
  const end = (): void => controller.abort(lifetime?.onClose())
  signal?.addEventListener('abort', stop)
  lifetime?.signal.addEventListener('abort', end)
  const stopTimer = onTimeout && startTimer(timeoutMs, () => controller.abort(onTimeout()))
  // A caller's own fetch or connector may ignore the signal: the race ends the wait all the same.
  let lose = (): void => undefined
  const lost = new Promise<never>((_, reject) => (lose = () => reject(controller.signal.reason as Error)))
  controller.signal.addEventListener('abort', lose)
  try {
    return await Promise.race([run(controller.signal), lost])
  } catch (error) {
    // Whatever the work throws once it is aborted, the reason is the truth.
    if (controller.signal.aborted) throw controller.signal.reason
    controller.abort(error)
    throw error
  } finally {
    stopTimer?.()
    signal?.removeEventListener('abort', stop)
    lifetime?.signal.removeEventListener('abort', end)
    // The runtime's fetch keeps the signal until the next major collection, and through the race it would keep the
    // result.
    controller.signal.removeEventListener('abort', lose)
  }
}

const CONCURRENT_TASKS = 8

/** Returns a function that runs tasks in their order, at most eight at a time. */
export function createSemaphore(): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = CONCURRENT_TASKS
  return async (run) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
