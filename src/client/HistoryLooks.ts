import type { FoundTransaction, LayerBridge } from '../bridge/inner.js'

/** Dependencies of the {@link HistoryLooks}. */
export interface HistoryLooksContext {
  /** Reads the history. */
  readonly bridge: Pick<LayerBridge, 'findTransaction'>
  /** Number of connections so far. */
  readonly connections: number
}

/** A transaction that the client searches for in the history of the node, to learn its outcome. */
export interface SoughtTx {
  /** The transaction in the pending view; only its id is used. */
  readonly pending: {
    /** Hex, 64 characters, lower case. */
    readonly txId: string
  }
}

/** When a transaction was looked for, and with which result. */
interface Look {
  readonly connection: number
  readonly isLast: boolean
  readonly found: Promise<FoundTransaction | null>
}

/**
 * Searches for transactions in the node's history. Each search replays the whole history, so it runs once for each
 * transaction and connection, because later messages report the rest, and once more at the end of the transaction's
 * validity.
 */
export class HistoryLooks {
  readonly #context: HistoryLooksContext
  readonly #looks = new WeakMap<object, Look>()

  constructor(context: HistoryLooksContext) {
    this.#context = context
  }

  /**
   * True when the next {@link find} would read the history. `isLast`: the transaction has reached the end of its
   * validity.
   */
  isDue(tx: object, isLast = false): boolean {
    const look = this.#looks.get(tx)
    return look === undefined || look.connection !== this.#context.connections || (isLast && !look.isLast)
  }

  /** Returns the result of the search for a transaction during this connection; null when the search failed. */
  find(tx: SoughtTx, isLast = false): Promise<FoundTransaction | null> {
    if (!this.isDue(tx, isLast)) return this.#looks.get(tx)!.found
    const found = this.#context.bridge.findTransaction(tx.pending.txId).catch(() => null)
    this.#looks.set(tx, { connection: this.#context.connections, isLast, found })
    return found
  }
}
