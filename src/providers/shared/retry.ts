import { type OptionNames, readOptions } from '../../codec/options.js'
import { isLayerError } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ProviderHttpError, ProviderRequestFacts } from '../../errors/provider.js'
import { ProviderTimeoutError } from '../../errors/provider.js'
import { DEFAULT_MAX_MESSAGE_BYTES, DEFAULT_REQUEST_TIMEOUT, MAX_TIMER_MS } from '../../constants.js'
import { bounded, sleep } from '../../net/abort.js'
import type { Limiter } from './rateLimiter.js'

/** How often and how fast a reading request is repeated. */
export interface RetryOptions {
  /** Attempts in all; 1 = never repeat. @default 4 */
  attempts?: number
  /** Mean wait before the first repetition, ms; it doubles each time and varies by half to both sides. @default 250 */
  delay?: number
  /** Longest of these waits, ms; a provider's own Retry-After may be longer. @default 8000 */
  maxDelay?: number
}

/** Bounds that every provider takes. */
export interface TransportOptions {
  /** How long one request may take, repetitions and waits between them included, ms. @default 30000 */
  timeout?: number
  /** How reading requests are repeated. @default 4 attempts */
  retry?: RetryOptions
  /** Largest answer that is taken, bytes. @default 134217728 */
  maxBytes?: number
}

export interface Policy {
  timeoutMs: number
  attempts: number
  delayMs: number
  maxDelayMs: number
  maxBytes: number
}

/** Names of {@link TransportOptions}. */
export const TRANSPORT_OPTIONS: OptionNames<TransportOptions> = { timeout: true, retry: true, maxBytes: true }
const RETRY_OPTIONS: OptionNames<RetryOptions> = { attempts: true, delay: true, maxDelay: true }

/** Fills in and checks the options. */
export function resolvePolicy({ timeout, retry: given, maxBytes }: TransportOptions): Policy {
  const retry = given == null ? undefined : readOptions(given, RETRY_OPTIONS, 'retry')
  return {
    timeoutMs: wholeNumber('timeout', timeout ?? DEFAULT_REQUEST_TIMEOUT, MAX_TIMER_MS),
    attempts: wholeNumber('retry.attempts', retry?.attempts ?? 4, 100),
    delayMs: wholeNumber('retry.delay', retry?.delay ?? 250, MAX_TIMER_MS),
    maxDelayMs: wholeNumber('retry.maxDelay', retry?.maxDelay ?? 8_000, MAX_TIMER_MS),
    maxBytes: wholeNumber('maxBytes', maxBytes ?? DEFAULT_MAX_MESSAGE_BYTES, Number.MAX_SAFE_INTEGER)
  }
}

/** An option that is a whole number from 1. @throws {@link InvalidArgumentError} */
export function wholeNumber(option: string, value: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < 1 || value > max) throw new InvalidArgumentError(option, `a whole number from 1 to ${max}`, value)
  return value
}

/** Whether the same question may get an answer later. */
function isPassing(error: unknown): boolean {
  if (isLayerError(error, 'PROVIDER_NETWORK')) return true
  const { status } = error as ProviderHttpError
  return isLayerError(error, 'PROVIDER_HTTP') && (status >= 500 || status === 408 || status === 425 || status === 429)
}

export interface RetryTask {
  facts: ProviderRequestFacts
  repeatable: boolean
  signal?: AbortSignal | undefined
  limiter?: Limiter | undefined
}

/** Runs an attempt and, where that is harmless, repeats it after a passing failure. One deadline covers it all. */
export async function withRetries<T>(policy: Policy, task: RetryTask, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { facts, limiter } = task
  // The wait for our own limiter is not the provider's fault, so the clock starts after it.
  if (limiter) await bounded({ signal: task.signal }, limiter)
  const { timeoutMs } = policy
  const end = performance.now() + timeoutMs
  return bounded({ signal: task.signal, timeoutMs, onTimeout: () => new ProviderTimeoutError(facts, timeoutMs) }, async (signal) => {
    for (let count = 1; ; count++) {
      signal.throwIfAborted()
      try {
        return await attempt(signal)
      } catch (error) {
        const backoff = Math.min(policy.maxDelayMs, policy.delayMs * 2 ** (count - 1)) * (0.5 + Math.random())
        const wait = Math.max(backoff, (error as ProviderHttpError)?.retryAfterMs ?? 0)
        // A wait beyond the deadline would only hide what the provider said.
        const isLast = count >= policy.attempts || performance.now() + wait >= end
        // What aborted the signal may itself be a passing failure: that of another request of the same call.
        if (signal.aborted || !task.repeatable || isLast || !isPassing(error)) throw error
        await sleep(wait, signal)
        await limiter?.(signal)
      }
    }
  })
}
