import { now, sleep } from './timers.js'

/**
 * Returns true when the same request may succeed later: 408, 425, 429 and every server error, including those that only
 * proxies use.
 */
export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429
}

/** How often and how fast an attempt is repeated. */
export interface Backoff {
  /** Maximum number of attempts. */
  readonly attempts: number
  /** Mean wait before the first retry, ms; it doubles each time, and varies at random by up to half of it. */
  readonly delayMs: number
  readonly maxDelayMs: number
}

/** How one attempt ended. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/** A failure that may pass, with the wait that the server demands. */
export interface Transient {
  readonly retryAfterMs?: number | undefined
}

export interface RetryTask<T> extends Backoff {
  /** Time by which the work must be done, on the clock of {@link now}. */
  readonly deadline: number
  readonly signal: AbortSignal
  /** Returns undefined for an outcome that is final. */
  classify(outcome: Outcome<T>): Transient | undefined
  /** Awaited before each retry, e.g. a rate limiter. */
  beforeRetry?: ((signal: AbortSignal) => Promise<void>) | undefined
}

/**
 * Runs an attempt and repeats it after transient outcomes. A Retry-After replaces the backoff. When the attempts are
 * used up, or the wait would pass the deadline, the last outcome is returned or thrown: it says more than a timeout.
 */
export async function retry<T>(task: RetryTask<T>, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    task.signal.throwIfAborted()
    let outcome: Outcome<T>
    try {
      outcome = { value: await attempt() }
    } catch (error) {
      outcome = { error }
    }
    // The reason of the abort may itself be transient: another request of the same call failed.
    const transient = task.signal.aborted || count >= task.attempts ? undefined : task.classify(outcome)
    const waitMs =
      transient?.retryAfterMs ?? Math.min(task.maxDelayMs, task.delayMs * 2 ** (count - 1)) * (0.5 + Math.random())
    if (transient === undefined || now() + waitMs >= task.deadline) {
      if ('error' in outcome) throw outcome.error
      return outcome.value
    }
    await sleep(waitMs, task.signal)
    await task.beforeRetry?.(task.signal)
  }
}
