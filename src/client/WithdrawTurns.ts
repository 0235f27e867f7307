import type { LayerBridge } from '../bridge/inner.js'
import { now, sleep } from '../net/timers.js'
import type { Deadline } from './deadline.js'
import { deferred } from './deferred.js'

/** Between two looks for the end of a decommit of another client, where no message of it comes, ms. */
const LOOK_AGAIN_MS = 5_000

/**
 * Order of one client's withdrawals. A head has one decommit in flight, and after it a pause: a party that sees the
 * base ledger late refuses a decommit that follows too early, and the head can then be closed only.
 */
export class WithdrawTurns {
  readonly #bridge: Pick<LayerBridge, 'inFlight' | 'waitFor'>
  readonly #loadParties: () => Promise<readonly string[]>
  readonly #pauseMs: number
  #last: Promise<unknown> = Promise.resolve()
  /** When the last decommit was seen to be final, by anybody; on the clock of {@link now}. */
  #finalAt = -Infinity

  constructor(
    bridge: Pick<LayerBridge, 'inFlight' | 'waitFor'>,
    loadParties: () => Promise<readonly string[]>,
    pauseMs: number
  ) {
    this.#bridge = bridge
    this.#loadParties = loadParties
    this.#pauseMs = pauseMs
  }

  /** A decommit is final. */
  noteFinal(): void {
    this.#finalAt = now()
  }

  /** Waits for earlier withdrawals of this client. @returns a function that ends the turn */
  async begin(deadline: Deadline): Promise<() => void> {
    const before = this.#last
    const turn = deferred<void>()
    this.#last = before.then(() => turn.promise)
    try {
      await deadline.race(before, 'an earlier withdrawal of this client')
    } catch (error) {
      turn.resolve()
      throw error
    }
    return () => turn.resolve()
  }

  /**
   * Waits until no decommit is in flight, as far as the node reports, and the pause after the last one is over. @throws
   * {@link ClientTimeoutError}
   */
  async untilFree(deadline: Deadline): Promise<void> {
    for (;;) {
      // Gateways and nodes before 0.22 do not report it: the head's refusal then does.
      const node = await deadline.race(
        this.#bridge.inFlight().catch(() => null),
        'the decommit in flight'
      )
      if (node?.decommitTxId != null) {
        await this.#untilFinal(deadline)
        continue
      }
      const leftMs = (await this.#isAlone(deadline)) ? 0 : this.#finalAt + this.#pauseMs - now()
      if (leftMs <= 0) return
      await deadline.race(sleep(leftMs, deadline.signal()), 'the pause after the last withdrawal')
    }
  }

  /**
   * The head has refused a decommit for another one in flight: waits until that may be over. @throws
   * {@link ClientTimeoutError}
   */
  async untilFinal(deadline: Deadline): Promise<void> {
    await this.#untilFinal(deadline)
    await this.untilFree(deadline)
  }

  async #untilFinal(deadline: Deadline): Promise<void> {
    const over = new AbortController()
    const final = this.#bridge.waitFor('DecommitFinalized', { signal: over.signal })
    try {
      await deadline.race(Promise.race([final, sleep(LOOK_AGAIN_MS, over.signal)]), 'another decommit in flight')
    } finally {
      over.abort()
    }
  }

  // Without other parties none is late. Where the parties are not known, there may be some.
  async #isAlone(deadline: Deadline): Promise<boolean> {
    const parties = await deadline.race(
      this.#loadParties().catch(() => []),
      "the head's parties"
    )
    return parties.length === 1
  }
}
