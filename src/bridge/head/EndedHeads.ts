import { dropOldestBeyond, MAX_ENDED_HEADS } from './limits.js'

/** Ids of the heads that have ended most recently: messages about them may still arrive. */
export class EndedHeads {
  readonly #ids = new Set<string>()

  has(headId: string): boolean {
    return this.#ids.has(headId)
  }

  /** Adds a head as the most recent one. */
  add(headId: string): void {
    this.#ids.delete(headId)
    dropOldestBeyond(this.#ids.add(headId), MAX_ENDED_HEADS)
  }

  delete(headId: string): void {
    this.#ids.delete(headId)
  }
}
