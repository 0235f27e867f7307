import type { LayerBridge } from '../bridge/inner.js'
import { described } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { now, sleep } from '../net/timers.js'
import type { Deadline } from './deadline.js'
import { deferred } from './deferred.js'
import { DEFAULT_WITHDRAW_PAUSE_MS } from './limits.js'

/** Interval between two checks for the end of another client's decommit when no message reports it, ms. */
const LOOK_AGAIN_MS = 5_000

/** Interval between two comparisons with the nodes of other parties, ms. */
const COMPARE_AGAIN_MS = 500

/** Pause between two withdrawals: a fixed time, or a comparison with the other parties' nodes. */
export interface WithdrawPause {
  /** Pause after a decommit that is final, ms. */
  readonly pauseMs: number
  /** URLs of the nodes of other parties, which are compared instead of the pause; empty: only the pause is used. */
  readonly peerUrls: readonly string[]
}

/** Checks the options `withdrawPause` and `peerUrls`, and adds the defaults. @throws {@link InvalidArgumentError} */
export function withdrawPauseOf({
  withdrawPause = DEFAULT_WITHDRAW_PAUSE_MS,
  peerUrls = []
}: {
  readonly withdrawPause?: number | undefined
  readonly peerUrls?: readonly string[] | undefined
}): WithdrawPause {
  if (!(typeof withdrawPause === 'number' && withdrawPause >= 0))
    throw new InvalidArgumentError('withdrawPause', 'a number of milliseconds from 0', withdrawPause)
  if (!Array.isArray(peerUrls) || !peerUrls.every((url) => typeof url === 'string' && /^(ws|http)s?:\/\/./i.test(url)))
    throw new InvalidArgumentError(
      'peerUrls',
      'a list of URLs beginning with ws:// or wss://',
      described('another value')
    )
  return { pauseMs: withdrawPause, peerUrls: [...peerUrls] }
}

/**
 * Queue of one client's withdrawals. A head has at most one decommit in flight, and a pause has to follow it: a party
 * that sees the base ledger late refuses a decommit that follows too early, and the head can then only be closed.
 */
export class WithdrawTurns {
  readonly #bridge: Pick<LayerBridge, 'inFlight' | 'waitFor'>
  readonly #loadParties: () => Promise<readonly string[]>
  readonly #pause: WithdrawPause
  #last: Promise<unknown> = Promise.resolve()
  /** Time at which the last decommit, of any client, was seen to be final; on the clock of {@link now}. */
  #finalAt = -Infinity

  constructor(
    bridge: Pick<LayerBridge, 'inFlight' | 'waitFor'>,
    loadParties: () => Promise<readonly string[]>,
    pause: WithdrawPause
  ) {
    this.#bridge = bridge
    this.#loadParties = loadParties
    this.#pause = pause
  }

  /** Notes that a decommit is final, which begins the pause. */
  noteFinal(): void {
    this.#finalAt = now()
  }

  /** Waits for earlier withdrawals of this client. @returns a function that lets the next one begin */
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
   * Waits until no decommit is in flight, as far as the node reports, and all parties have seen the last one. Their
   * nodes show that, if they are known and answer; otherwise the pause has to pass. @throws {@link ClientTimeoutError}
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
      const peers = await this.#comparePeers(node?.version, deadline)
      if (peers === 'same') return
      if (peers === 'differs') {
        await deadline.race(sleep(COMPARE_AGAIN_MS, deadline.signal()), 'the other nodes to see the last withdrawal')
        continue
      }
      const leftMs = (await this.#isAlone(deadline)) ? 0 : this.#finalAt + this.#pause.pauseMs - now()
      if (leftMs <= 0) return
      await deadline.race(sleep(leftMs, deadline.signal()), 'the pause after the last withdrawal')
    }
  }

  /**
   * Waits until another client's decommit, because of which the head has refused this one, may be over. @throws
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

  async #comparePeers(ownVersion: number | undefined, deadline: Deadline): Promise<'same' | 'differs' | 'unknown'> {
    const { peerUrls } = this.#pause
    if (peerUrls.length === 0 || ownVersion === undefined) return 'unknown'
    const { comparePeerVersions } = await import('./flows/peerVersions.js')
    return deadline.race(
      comparePeerVersions(peerUrls, ownVersion, deadline.signal()),
      "the other nodes' versions of the head"
    )
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
