import type { LayerPayload } from '../../bridge/index.js'

/** A transaction as the node's messages show it. */
export interface TxRow {
  readonly txId: string
  readonly state: 'valid' | 'confirmed' | 'invalid'
  /** Time of its first message: ms since the Unix epoch, the node's clock where it sends one. */
  readonly at: number
  /** From TxValid to the snapshot that holds it, ms; null where one of them was not seen. */
  readonly latencyMs: number | null
  /** Number of the snapshot that holds it. */
  readonly snapshot: number | null
  /** The node's words where it refused it. */
  readonly reason: string | null
}

/** Most rows that are kept, the newest. */
export const MAX_TX_ROWS = 5_000
const LATENCIES = 200
const RATE_WINDOW_MS = 10_000

/** The newest transactions of a head. */
export class TxLog {
  readonly #rows = new Map<string, TxRow>()
  readonly #latencies: number[] = []
  readonly #confirmedAt: number[] = []
  readonly #unconfirmed = new Set<string>()
  #list: readonly TxRow[] | null = null
  /** Numbers of confirmed and refused transactions since the log began. */
  confirmed = 0
  refused = 0

  /** Applies a message. Returns true when it changed the log. */
  apply(payload: LayerPayload): boolean {
    const at = Date.parse(payload.timestamp)
    switch (payload.tag) {
      case 'TxValid':
        return this.#onValid(payload.transactionId, at)
      case 'TxInvalid':
        return this.#onInvalid(
          payload.transaction.txId,
          at,
          String(payload.validationError?.reason ?? 'no reason given')
        )
      case 'SnapshotConfirmed':
        for (const { txId } of payload.snapshot.confirmed) this.#onConfirmed(txId, at, payload.snapshot.number)
        return payload.snapshot.confirmed.length > 0
      case 'HeadIsOpen':
      case 'HeadIsClosed':
        // Closing drops the transactions that no snapshot holds.
        this.#unconfirmed.clear()
        return true
      default:
        return false
    }
  }

  /** Newest first. */
  get rows(): readonly TxRow[] {
    return (this.#list ??= [...this.#rows.values()].reverse())
  }

  /** Returns the row of a transaction; null for one that was not seen, or is no longer kept. */
  rowOf(txId: string): TxRow | null {
    return this.#rows.get(txId) ?? null
  }

  /** Transactions that are valid and in no snapshot. */
  get unconfirmed(): number {
    return this.#unconfirmed.size
  }

  /** Median latency of the newest confirmed transactions, ms; null before the first. */
  get medianLatencyMs(): number | null {
    if (this.#latencies.length === 0) return null
    return [...this.#latencies].sort((a, b) => a - b)[this.#latencies.length >> 1]!
  }

  /** Returns the confirmed transactions a second over the last ten seconds before `now`. */
  ratePerSecond(now: number): number {
    while (this.#confirmedAt.length > 0 && this.#confirmedAt[0]! < now - RATE_WINDOW_MS) this.#confirmedAt.shift()
    return this.#confirmedAt.length / (RATE_WINDOW_MS / 1_000)
  }

  #onValid(txId: string, at: number): boolean {
    if (this.#rows.has(txId)) return false
    this.#set({ txId, state: 'valid', at, latencyMs: null, snapshot: null, reason: null })
    return true
  }

  #onConfirmed(txId: string, at: number, snapshot: number): void {
    const row = this.#rows.get(txId)
    if (row?.state === 'confirmed') return
    const latencyMs = row === undefined || row.state !== 'valid' ? null : Math.max(0, at - row.at)
    this.confirmed++
    this.#confirmedAt.push(at)
    if (latencyMs !== null) {
      this.#latencies.push(latencyMs)
      if (this.#latencies.length > LATENCIES) this.#latencies.shift()
    }
    this.#set({ txId, state: 'confirmed', at: row?.at ?? at, latencyMs, snapshot, reason: null })
  }

  #onInvalid(txId: string, at: number, reason: string): boolean {
    const row = this.#rows.get(txId)
    // A snapshot is final: some nodes refuse a copy of a transaction that they confirmed.
    if (row?.state === 'confirmed' || row?.state === 'invalid') return false
    this.refused++
    this.#set({ txId, state: 'invalid', at: row?.at ?? at, latencyMs: null, snapshot: null, reason })
    return true
  }

  #set(row: TxRow): void {
    this.#rows.set(row.txId, row)
    if (row.state === 'valid') this.#unconfirmed.add(row.txId)
    else this.#unconfirmed.delete(row.txId)
    this.#list = null
    if (this.#rows.size <= MAX_TX_ROWS) return
    for (const oldest of this.#rows.keys()) {
      this.#rows.delete(oldest)
      this.#unconfirmed.delete(oldest)
      break
    }
  }
}
