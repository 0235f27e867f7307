import type { StoreOverrun } from './options.js'
import type { SettledTx } from './types.js'

/** Ends kept, so that `waitForTx` and `submit` can answer at once. */
const MAX_ENDS = 1_000

/**
 * Ends of the client's recent transactions. Above its limit it drops the oldest end, and reports the first drop and
 * then every `limit`-th one. A dropped end is not lost: the head's state and history have it.
 */
export class SettledEnds {
  readonly #ends = new Map<string, SettledTx>()
  readonly #onOverrun: (overrun: StoreOverrun) => void
  readonly #limit: number
  #dropped = 0

  constructor(onOverrun: (overrun: StoreOverrun) => void, limit: number = MAX_ENDS) {
    this.#onOverrun = onOverrun
    this.#limit = limit
  }

  /** The end of a transaction; undefined where it is not known. `txId`: hex, 64 characters, lower case. */
  get(txId: string): SettledTx | undefined {
    return this.#ends.get(txId)
  }

  /** True where the end of a transaction is kept. `txId`: hex, 64 characters, lower case. */
  has(txId: string): boolean {
    return this.#ends.has(txId)
  }

  /** Keeps how a transaction ended. */
  remember(end: SettledTx): void {
    this.#ends.set(end.txId, end)
    if (this.#ends.size <= this.#limit) return
    this.#ends.delete(this.#ends.keys().next().value!)
    if (this.#dropped++ % this.#limit === 0)
      this.#onOverrun({ store: 'settled', limit: this.#limit, dropped: this.#dropped })
  }

  /** Drops the end of a transaction that is sent again. `txId`: hex, 64 characters, lower case. */
  forget(txId: string): void {
    this.#ends.delete(txId)
  }
}
