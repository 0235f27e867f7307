import { now } from '../../net/timers.js'

interface Bucket {
  tokens: number
  at: number
  refusals: number
  refusedSince: number
}

/** Refusals within {@link FLOOD_MS} after which a client is closed. */
const FLOOD_REFUSALS = 100
const FLOOD_MS = 10_000
/** Number of buckets at which those that have refilled are removed. */
const MAX_BUCKETS = 50_000

/** Limits requests with a token bucket for each subject or IP address. */
export class RateLimiter {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond
    this.#burst = burst
  }

  /** Uses one token of the bucket. Returns `limited` when the bucket is empty, `flood` after too many such refusals. */
  consume(clientKey: string): 'ok' | 'limited' | 'flood' {
    const at = now()
    const bucket = this.#bucketOf(clientKey, at)
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((at - bucket.at) / 1000) * this.#perSecond)
    bucket.at = at
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1
      return 'ok'
    }
    if (at - bucket.refusedSince > FLOOD_MS) {
      bucket.refusedSince = at
      bucket.refusals = 0
    }
    return ++bucket.refusals >= FLOOD_REFUSALS ? 'flood' : 'limited'
  }

  /** Seconds until one more request is allowed. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(1 / this.#perSecond))
  }

  #bucketOf(clientKey: string, at: number): Bucket {
    const existing = this.#buckets.get(clientKey)
    if (existing !== undefined) return existing
    if (this.#buckets.size >= MAX_BUCKETS) this.#prune(at)
    const bucket = { tokens: this.#burst, at, refusals: 0, refusedSince: at }
    this.#buckets.set(clientKey, bucket)
    return bucket
  }

  #prune(at: number): void {
    const fullAfterMs = (this.#burst / this.#perSecond) * 1000 + FLOOD_MS
    for (const [who, bucket] of this.#buckets) if (at - bucket.at > fullAfterMs) this.#buckets.delete(who)
    // All of them active: the oldest start again.
    for (const clientKey of this.#buckets.keys()) {
      if (this.#buckets.size < MAX_BUCKETS) break
      this.#buckets.delete(clientKey)
    }
  }
}
