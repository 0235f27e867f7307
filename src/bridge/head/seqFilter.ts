/** Maximum number of stored messages that are recognised when they come again. */
const REMEMBERED = 1_000

/**
 * Recognises stored messages that come twice on one connection, by their `seq`: messages of the replay that were also
 * queued as live ones, and resent ones. Gaps in `seq` are normal, so a gap does not prove a loss.
 */
export class SeqFilter {
  // Null before the first Greetings.
  #replayEnd: number | null = null
  #highest = -1
  readonly #recent = new Set<number>()

  /** Forgets all messages, for a new connection: its node may count from 0. */
  reset(): void {
    this.#begin(null)
  }

  /** Returns true when a message has been seen before; else remembers it. Greetings ends the replay. */
  isRepeated(payload: { readonly tag: string; readonly seq?: number }): boolean {
    const { seq } = payload
    // A second Greetings: a hub has connected to its node again, which may count from 0.
    if (payload.tag === 'Greetings') this.#begin(this.#replayEnd === null ? this.#highest : -1)
    if (seq === undefined) return false
    if ((this.#replayEnd !== null && seq <= this.#replayEnd) || this.#recent.has(seq)) return true
    this.#highest = Math.max(this.#highest, seq)
    this.#recent.add(seq)
    if (this.#recent.size > REMEMBERED) this.#recent.delete(this.#recent.values().next().value as number)
    return false
  }

  #begin(replayEnd: number | null): void {
    this.#replayEnd = replayEnd
    this.#highest = -1
    this.#recent.clear()
  }
}
