/** What ends a piece of work before it is done. */
export interface Bounds {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** Made when the time is up. */
  onTimeout?: () => Error
}

/**
 * Runs work that ends with its deadline, with the caller's signal, or as soon as one part of it fails: whatever the work
 * still had under way under its own signal is then aborted.
 */
export async function bounded<T>({ signal, timeoutMs, onTimeout }: Bounds, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', stop)
  const timer = onTimeout && setTimeout(() => controller.abort(onTimeout()), timeoutMs)
  // A fetch of the user's own may ignore the signal: the race ends the wait all the same.
  let lose = (): void => undefined
  const lost = new Promise<never>((_, reject) => (lose = () => reject(controller.signal.reason as Error)))
  controller.signal.addEventListener('abort', lose)
  try {
    return await Promise.race([run(controller.signal), lost])
  } catch (error) {
    controller.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    // The runtime's fetch keeps the signal until the next major collection, and through the race it would keep the answer.
    controller.signal.removeEventListener('abort', lose)
  }
}

/** Waits, at most until the signal is aborted; the caller looks which it was. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const wake = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake)
  })
}

/** Runs tasks as they come, a few at a time and the others in turn. */
export function createQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = 8
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
