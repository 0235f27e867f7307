import type { DurabilitySlot } from '../chain/Durability.js'

interface Queued {
  readonly durable: boolean
  readonly send: () => void
}

/**
 * Queue of messages to clients, in order. A message that must not be lost waits until the state is on disk, and all
 * later messages wait behind it.
 */
export class Outbox {
  readonly #durability: DurabilitySlot
  #queue: Queued[] = []
  #committing = false

  constructor(durability: DurabilitySlot) {
    this.#durability = durability
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  /** Runs `send` now; or, if the message is `durable` or others wait already, once the state is on disk. */
  add(durable: boolean, send: () => void): void {
    if (this.#durability.current === null || (!durable && this.#queue.length === 0)) return send()
    this.#queue.push({ durable, send })
    if (!this.#committing) void this.#commit()
  }

  /** Sends the waiting messages, with their state on disk, before a new client connects that would see that state. */
  flush(): void {
    if (this.#queue.length === 0) return
    this.#durability.current?.flush()
    this.#release(this.#queue.length)
  }

  /** Drops the waiting messages, because the state that they tell of is gone. */
  clear(): void {
    this.#queue = []
  }

  async #commit(): Promise<void> {
    this.#committing = true
    // A step of the head is over before its state is written.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const count = this.#queue.length
      await this.#durability.current?.commit()
      // Disk full: a message that a kill must not lose waits.
      if (this.#durability.current?.failure != null) continue
      this.#release(Math.min(count, this.#queue.length))
    }
    this.#committing = false
  }

  #release(count: number): void {
    let end = count
    while (end < this.#queue.length && !this.#queue[end]!.durable) end++
    for (const { send } of this.#queue.splice(0, end)) send()
  }
}
