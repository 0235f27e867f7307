import { now } from '../../net/timers.js'
import type { TxEntry } from './txEvents.js'

/** How long a transaction is watched after its callers have been answered, ms. */
const WATCH_MS = 600_000
/** Most transactions watched or remembered after their end. */
const MAX_WATCHED = 10_000
/** So many confirmed ones are remembered, for a caller who asks again. */
const MAX_REMEMBERED = 1_000

/** Transactions for which nobody waits any more: those that may still be confirmed, and those that were. */
export class AnsweredTxs {
  // In the order of their answers.
  readonly watched: Map<string, TxEntry> = new Map()
  /** Snapshot number by id. */
  readonly confirmed: Map<string, number> = new Map()

  /** Watches on for a late confirmation. */
  watch(entry: TxEntry): void {
    entry.lastListenerLeftAt = now()
    bound(this.watched.set(entry.shape.txId, entry), MAX_WATCHED)
  }

  remember(txId: string, number: number): void {
    this.watched.delete(txId)
    bound(this.confirmed.set(txId, number), MAX_REMEMBERED)
  }

  /** Forgets those watched for long enough. */
  sweep(): void {
    for (const [txId, { lastListenerLeftAt }] of this.watched) {
      if (now() - lastListenerLeftAt < WATCH_MS) break
      this.watched.delete(txId)
    }
  }
}

function bound(map: Map<string, unknown>, most: number): void {
  if (map.size > most) map.delete(map.keys().next().value as string)
}
