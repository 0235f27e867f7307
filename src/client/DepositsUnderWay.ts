/** Deposits whose end was not seen that are remembered. */
const MAX_LOST = 1_000

/** Deposits that this client has submitted, with an id or without: a close would leave them outside of the head. */
export class DepositsUnderWay {
  readonly #running = new Set<string>()
  readonly #lost = new Set<string>()

  /** Ids of those that calls wait for. */
  get running(): ReadonlySet<string> {
    return this.#running
  }

  /** Ids of those whose calls ended before they were in the head, or could be no more. */
  get lost(): ReadonlySet<string> {
    return this.#lost
  }

  /** A call waits for a deposit. */
  begin(depositTxId: string): void {
    this.#lost.delete(depositTxId)
    this.#running.add(depositTxId)
  }

  /** A deposit is in the head, or will not be. */
  end(depositTxId: string): void {
    this.#running.delete(depositTxId)
    this.#lost.delete(depositTxId)
  }

  /** The call that waited for a deposit is over, and its end is not known. Of very many, the oldest are forgotten. */
  lose(depositTxId: string): void {
    if (!this.#running.delete(depositTxId)) return
    this.#lost.add(depositTxId)
    if (this.#lost.size > MAX_LOST) this.#lost.delete(this.#lost.values().next().value!)
  }
}
