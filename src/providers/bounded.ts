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
  try {
    // A fetch of the user's own may ignore the signal: the race ends the wait all the same.
    return await Promise.race([run(controller.signal), rejectOnAbort(controller.signal)])
  } catch (error) {
    controller.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

/** Waits, at most until the signal is aborted; the caller looks which it was. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake)
  })
}

/** `Promise.all` over items, a few at a time; the results are in the items' order. */
export async function mapFew<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++
      results[index] = await run(items[index]!)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return results
}
