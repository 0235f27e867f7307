import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { now, sleep } from '../../net/timers.js'

/** Rate limit of requests, as a token bucket. */
export interface RateLimit {
  /** Requests allowed per second in the long run. */
  perSecond: number
  /** Number of requests that may be sent at once after a pause. */
  burst: number
}

/** Waits until one more request may be sent, or the signal is aborted; first come, first served. */
export type Limiter = (signal: AbortSignal) => Promise<void>

const RATE_LIMIT_OPTIONS: OptionNames<RateLimit> = { perSecond: true, burst: true }

/** Creates a limiter; each provider object has a separate one. @throws {@link InvalidArgumentError} */
export function createLimiter(limit: RateLimit): Limiter {
  const { perSecond, burst } = readOptions(limit, RATE_LIMIT_OPTIONS, 'rateLimit')
  if (!(perSecond > 0 && burst >= 1))
    throw new InvalidArgumentError('rateLimit', '{ perSecond, burst }, or false', perSecond)
  let tokens = burst
  let last = now()
  return async (signal) => {
    if (signal.aborted) return
    const time = now()
    tokens = Math.min(burst, tokens + ((time - last) / 1000) * perSecond) - 1
    last = time
    // Below zero, the debt is the queue: each waits until its own token is there.
    if (tokens >= 0) return
    try {
      await sleep((-tokens / perSecond) * 1000, signal)
    } catch {
      tokens++
    }
  }
}
