/** Maximum number of deposits with unknown outcome that are kept. */
const MAX_LOST = 1_000

/**
 * Deposits that this client has submitted and the head does not include yet: closing the head would leave them outside
 * of it.
 */
export class DepositsUnderWay {
  readonly #running = new Set<string>()
  readonly #lost = new Set<string>()

  /** Transaction ids of deposits that calls wait for: hex, 64 characters. */
  get running(): ReadonlySet<string> {
    return this.#running
  }

  /** Transaction ids of deposits whose calls ended before their outcome was known: hex, 64 characters. */
  get lost(): ReadonlySet<string> {
    return this.#lost
  }

  /** Records that a call waits for a deposit. */
  begin(depositTxId: string): void {
    this.#lost.delete(depositTxId)
    this.#running.add(depositTxId)
  }

  /** Records that a deposit is in the head, or never will be. */
  end(depositTxId: string): void {
    this.#running.delete(depositTxId)
    this.#lost.delete(depositTxId)
  }

  /** Records that the call for a deposit ended before the outcome was known. Drops the oldest above the maximum. */
  lose(depositTxId: string): void {
    if (!this.#running.delete(depositTxId)) return
    this.#lost.add(depositTxId)
    if (this.#lost.size > MAX_LOST) this.#lost.delete(this.#lost.values().next().value!)
  }
}
