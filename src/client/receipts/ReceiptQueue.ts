import { deferred } from '../deferred.js'

/** Number of waiting receipts at which the queue is full, and the number at which there is room again. */
const MAX_WAITING = 2_000
const ROOM_AT = 500

/** Bounded queue of receipts between the ledger and their reader; the source waits while it is full. */
export class ReceiptQueue<T> {
  #items: T[] = []
  #next = 0
  #room: ReturnType<typeof deferred<void>> | null = null

  /** Number of receipts that wait. */
  get size(): number {
    return this.#items.length - this.#next
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    const item = this.#items[this.#next]
    if (item === undefined) return undefined
    this.#next++
    if (this.#next > ROOM_AT && this.#next * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#next)
      this.#next = 0
    }
    if (this.size <= ROOM_AT) this.#room?.resolve()
    return item
  }

  /** Returns a promise that resolves when there is room; null while there is. */
  room(): Promise<void> | null {
    if (this.size < MAX_WAITING) {
      if (this.#room !== null && this.size > ROOM_AT) return this.#room.promise
      this.#room = null
      return null
    }
    this.#room ??= deferred()
    return this.#room.promise
  }
}
