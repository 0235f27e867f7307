/** How many stored messages can be recognised when they come again. */
const REMEMBERED = 1_000

/**
 * Recognises stored messages that come twice on one connection: those of the replay that were also waiting as live ones, and resent
 * ones. Gaps in `seq` are normal, so they say nothing.
 */
export class SeqFilter {
  #replayEnd = -1
  #highest = -1
  readonly #recent = new Set<number>()

  /** Another connection: its node may count anew. */
  reset(): void {
    this.#replayEnd = this.#highest = -1
    this.#recent.clear()
  }

  /** Whether a message has been seen. Greetings ends the replay. */
  isRepeated(payload: { readonly tag: string; readonly seq?: number }): boolean {
    const { seq } = payload
    if (payload.tag === 'Greetings') this.#replayEnd = this.#highest
    if (seq === undefined) return false
    if (seq <= this.#replayEnd || this.#recent.has(seq)) return true
    this.#highest = Math.max(this.#highest, seq)
    this.#recent.add(seq)
    if (this.#recent.size > REMEMBERED) this.#recent.delete(this.#recent.values().next().value as number)
    return false
  }
}
