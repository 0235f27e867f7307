import type { OwnTx } from './ownTx.js'

/** Maximum number of refused transactions that are watched. */
const MAX_REFUSED = 1_000
/**
 * Time after the end of its validity, by the local clock, for which a refused transaction may still be confirmed, ms:
 * the node's ledger lags behind the clock.
 */
const REVISION_MARGIN_MS = 600_000

/**
 * Transactions that were refused, or replaced by another attempt: each may still be confirmed until its validity ends.
 */
export class RefusedTxs {
  readonly #txs = new Map<string, OwnTx>()

  get(txId: string): OwnTx | undefined {
    return this.#txs.get(txId)
  }

  /** Returns all of them, oldest first. */
  all(): Iterable<OwnTx> {
    return this.#txs.values()
  }

  add(ownTx: OwnTx): void {
    const { txId } = ownTx.pending
    this.#txs.delete(txId)
    this.#txs.set(txId, ownTx)
    for (const [each, { expiresAt }] of this.#txs) {
      const isOver = expiresAt !== null && Date.now() > expiresAt + REVISION_MARGIN_MS
      if (isOver || this.#txs.size > MAX_REFUSED) this.#txs.delete(each)
    }
  }

  /** Removes and returns a transaction. */
  remove(txId: string): OwnTx | undefined {
    const ownTx = this.#txs.get(txId)
    this.#txs.delete(txId)
    return ownTx
  }
}
