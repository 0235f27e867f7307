import { now } from '../../net/timers.js'
import { dropOldestBeyond } from '../head/limits.js'
import type { TxEntry } from './TxEntry.js'

/** Time that a transaction is watched after its last listener left, ms. */
const WATCH_MS = 600_000
/** Maximum number of transactions watched after their last listener left. */
const MAX_WATCHED = 10_000
/** Maximum number of confirmed ids kept, for repeated submissions. */
const MAX_REMEMBERED = 1_000

/** Transactions without a waiting caller: those that may still be confirmed, and those that were. */
export class SettledTxs {
  // In the order in which they were settled.
  readonly watched: Map<string, TxEntry> = new Map()
  /** Snapshot number by id. */
  readonly confirmed: Map<string, number> = new Map()

  /** Goes on watching a transaction for a late confirmation. */
  watch(entry: TxEntry): void {
    entry.lastListenerLeftAt = now()
    dropOldestBeyond(this.watched.set(entry.refs.txId, entry), MAX_WATCHED)
  }

  remember(txId: string, number: number): void {
    this.watched.delete(txId)
    dropOldestBeyond(this.confirmed.set(txId, number), MAX_REMEMBERED)
  }

  /** Removes the transactions that have been watched for {@link WATCH_MS}. */
  sweep(): void {
    for (const [txId, { lastListenerLeftAt, watchUntil }] of this.watched) {
      if (now() - lastListenerLeftAt < WATCH_MS) break
      if (!(now() < watchUntil)) this.watched.delete(txId)
    }
  }
}
