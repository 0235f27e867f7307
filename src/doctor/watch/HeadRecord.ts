import type { PayloadOf } from '../../bridge/inner.js'
import { parseNodeTime } from '../../bridge/inner.js'

/** The close of a head, as any of the watched nodes has shown it. */
export interface CloseRecord {
  /** Number of the snapshot that the head is closed with: that of the close, or of the last contest. */
  readonly number: number | null
  /** Time of the close, ms since the epoch. */
  readonly at: number
  /** End of the contestation period on the base ledger, ms since the epoch; null where it is not known. */
  readonly deadline: number | null
}

type Closing = PayloadOf<'HeadIsClosed'> | PayloadOf<'HeadIsContested'>

/**
 * State of one head, which all watched nodes of it share: a message that a second node repeats changes it no further.
 */
export class HeadRecord {
  readonly headId: string
  /** Contestation period, ms; null until a node states it. */
  periodMs: number | null = null
  close: CloseRecord | null = null
  isReady = false
  isFinal = false

  constructor(headId: string) {
    this.headId = headId
  }

  /** Applies HeadIsClosed or HeadIsContested. `latest`: no close can be later than this, ms since the epoch. */
  applyClosing({ tag, snapshotNumber, contestationDeadline, timestamp }: Closing, latest: number): void {
    const number = Number.isSafeInteger(snapshotNumber) ? snapshotNumber : null
    const deadline = parseNodeTime(contestationDeadline)
    const before = this.close
    if (before === null) {
      // A node whose clock is ahead would move the last moment to contest behind the true one.
      const stated = parseNodeTime(timestamp) ?? latest
      this.close = { number, at: Math.min(stated, latest), deadline }
      return
    }
    this.close = {
      ...before,
      number: number === null ? before.number : Math.max(number, before.number ?? -1),
      deadline: tag === 'HeadIsContested' && deadline !== null ? deadline : (before.deadline ?? deadline)
    }
  }

  /** Returns true when the head is closed with a snapshot older than `newest`. */
  isOlderThan(newest: number | undefined): boolean {
    const number = this.close?.number ?? null
    return number !== null && newest !== undefined && number < newest
  }

  /**
   * Last moment to contest, ms since the epoch: one contestation period after the close, or the deadline if that is
   * earlier, since the validity of a contest transaction must not pass it. Null without a close, or while neither is
   * known.
   */
  get contestUntil(): number | null {
    if (this.close === null) return null
    const { at, deadline } = this.close
    // A close is valid for up to a period, so its deadline is at most two periods away.
    const period = this.periodMs ?? (deadline === null ? null : Math.max(0, deadline - at) / 2)
    if (period === null) return null
    return Math.floor(deadline === null ? at + period : Math.min(at + period, deadline))
  }
}
