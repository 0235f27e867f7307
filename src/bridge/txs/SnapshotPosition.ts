import type { SnapshotConfirmedPayload } from '../protocol/messages.js'

/** The head, and the newest snapshot of it, that the messages have reached. */
export class SnapshotPosition {
  #headId: string | null = null
  #number: number | null = null

  /** Null before a message names the head. */
  get headId(): string | null {
    return this.#headId
  }

  /** Number of the newest snapshot that has come over the connection; null before the first. */
  get number(): number | null {
    return this.#number
  }

  /**
   * Makes a head the present one. Returns true when another head was left: each numbers its snapshots from 0 and has
   * its own outputs.
   */
  enter(headId: string | null): boolean {
    const left = this.#headId
    if (headId === left) return false
    this.#headId = headId
    this.#number = null
    return left !== null
  }

  isOfAnotherHead(headId: string | undefined): boolean {
    return headId !== undefined && this.#headId !== null && headId !== this.#headId
  }

  /** Forgets the number, because messages were or may have been missed: any snapshot may be next. */
  forget(): void {
    this.#number = null
  }

  /**
   * Sets the number where none is known: the state is known up to this snapshot, so a later gap means missed messages.
   */
  startAt(number: number): void {
    if (number >= 0) this.#number ??= number
  }

  set(number: number): void {
    this.#number = number
  }

  /** Advances the number where one is known. */
  advance(number: number): void {
    if (this.#number !== null) this.#number = Math.max(number, this.#number)
  }

  /**
   * Moves on to the snapshot of a message.
   *
   * @param filtered - true with an address filter: gaps between snapshot numbers are then normal
   * @returns true when snapshots before it were missed
   */
  moveTo({ delta, snapshot: { number } }: SnapshotConfirmedPayload, filtered: boolean): boolean {
    const last = this.#number
    this.#number = Math.max(number, last ?? 0)
    if (last === null) return false
    return (number > last + 1 && !filtered) || (delta !== undefined && delta.from > last)
  }
}
