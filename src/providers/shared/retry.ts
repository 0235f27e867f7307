import { type OptionNames, readOptions } from '../../codec/options.js'
import { isLayerError } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ProviderHttpError, ProviderRequestDetails } from '../../errors/provider.js'
import { ProviderTimeoutError } from '../../errors/provider.js'
import { DEFAULT_MAX_MESSAGE_BYTES, DEFAULT_REQUEST_TIMEOUT, MAX_TIMER_MS } from '../../constants.js'
import { withTimeLimit } from '../../net/abort.js'
import { type Backoff, isRetryableStatus, retry, type Transient } from '../../net/retry.js'
import { now } from '../../net/timers.js'
import type { Limiter } from './rateLimiter.js'

/** How often and how fast a reading request is repeated. */
export interface RetryOptions {
  /** Attempts in all; 1 = never repeat. @default 4 */
  attempts?: number
  /**
   * Mean wait before the first repetition, ms. It doubles each time and varies at random by up to half in both
   * directions. @default 250
   */
  delay?: number
  /** Longest of these waits, ms; a provider's own Retry-After may be longer. @default 8000 */
  maxDelay?: number
}

/** Timeout, retries and size limit of the requests of every provider. */
export interface TransportOptions {
  /** Timeout of a request, with its repetitions and the waits between them, ms. @default 30000 */
  timeout?: number
  /** How reading requests are repeated. @default 4 attempts */
  retry?: RetryOptions
  /** Largest accepted response, bytes. @default 134217728 */
  maxBytes?: number
}

/** The checked {@link TransportOptions}. */
export interface Policy extends Backoff {
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** Names of {@link TransportOptions}. */
export const TRANSPORT_OPTIONS: OptionNames<TransportOptions> = { timeout: true, retry: true, maxBytes: true }
const RETRY_OPTIONS: OptionNames<RetryOptions> = { attempts: true, delay: true, maxDelay: true }

/** Fills in and checks the options. */
export function resolvePolicy({ timeout, retry: retryOptions, maxBytes }: TransportOptions): Policy {
  const checkedOptions = retryOptions == null ? undefined : readOptions(retryOptions, RETRY_OPTIONS, 'retry')
  return {
    timeoutMs: wholeNumber('timeout', timeout ?? DEFAULT_REQUEST_TIMEOUT, MAX_TIMER_MS),
    attempts: wholeNumber('retry.attempts', checkedOptions?.attempts ?? 4, 100),
    delayMs: wholeNumber('retry.delay', checkedOptions?.delay ?? 250, MAX_TIMER_MS),
    maxDelayMs: wholeNumber('retry.maxDelay', checkedOptions?.maxDelay ?? 8_000, MAX_TIMER_MS),
    maxBytes: wholeNumber('maxBytes', maxBytes ?? DEFAULT_MAX_MESSAGE_BYTES, Number.MAX_SAFE_INTEGER)
  }
}

/** Checks that an option is a whole number from 1 to `max`. @throws {@link InvalidArgumentError} */
export function wholeNumber(option: string, value: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < 1 || value > max)
    throw new InvalidArgumentError(option, `a whole number from 1 to ${max}`, value)
  return value
}

/**
 * Returns details for the next attempt, such as the wait, when an error is a transient failure; undefined otherwise.
 */
function transientFailure(error: unknown): Transient | undefined {
  if (isLayerError(error, 'PROVIDER_NETWORK')) return {}
  const { status, retryAfterMs } = error as ProviderHttpError
  return isLayerError(error, 'PROVIDER_HTTP') && isRetryableStatus(status) ? { retryAfterMs } : undefined
}

export interface ProviderTask {
  details: ProviderRequestDetails
  repeatable: boolean
  signal?: AbortSignal | undefined
  limiter?: Limiter | undefined
}

/** Runs an attempt and, where that is harmless, repeats it after a transient failure. One deadline covers it all. */
export async function withRetries<T>(
  policy: Policy,
  task: ProviderTask,
  attempt: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const { details, limiter, repeatable } = task
  // The deadline starts after the wait for our own limiter.
  if (limiter) await withTimeLimit({ signal: task.signal }, limiter)
  const { timeoutMs } = policy
  const deadline = now() + timeoutMs
  return withTimeLimit(
    { signal: task.signal, timeoutMs, onTimeout: () => new ProviderTimeoutError(details, timeoutMs) },
    (signal) =>
      retry(
        {
          ...policy,
          deadline,
          signal,
          classify: (outcome) => (repeatable && 'error' in outcome ? transientFailure(outcome.error) : undefined),
          beforeRetry: limiter
        },
        () => attempt(signal)
      )
  )
}
