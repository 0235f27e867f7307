import type { StopTimer } from '../../net/timers.js'
import { now, startTimer } from '../../net/timers.js'
import type { VerificationListener } from './types.js'

/** Waiting time from which verification counts as behind, ms. */
const LAG_MS = 2_000

/** Reports when the oldest waiting snapshot has waited for two seconds, and when none has waited so long any more. */
export class Lag {
  readonly #listener: VerificationListener
  #since: number | null = null
  #waiting = 0
  #isBehind = false
  #stopTimer: StopTimer = () => undefined

  constructor(listener: VerificationListener) {
    this.#listener = listener
  }

  /** Updates the lag. `since`: time at which the oldest waiting snapshot arrived; null: none waits. */
  update(since: number | null, waiting: number): void {
    this.#waiting = waiting
    if (since !== this.#since) {
      this.#since = since
      this.#stopTimer()
      if (since !== null) this.#stopTimer = startTimer(Math.max(0, since + LAG_MS - now()), () => this.#note(), true)
    }
    if (this.#isBehind) this.#note()
  }

  #note(): void {
    const behindMs = this.#since === null ? 0 : now() - this.#since
    const isBehind = behindMs >= LAG_MS
    if (!isBehind && !this.#isBehind) return
    this.#isBehind = isBehind
    this.#listener.onLag(
      isBehind ? { behindMs: Math.round(behindMs), waiting: this.#waiting } : { behindMs: 0, waiting: 0 }
    )
  }
}
