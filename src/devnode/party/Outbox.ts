import type { DurabilitySlot } from '../chain/Durability.js'

interface Held {
  readonly durable: boolean
  readonly send: () => void
}

/**
 * What goes out to clients, in order: what must not be lost waits until the state is on disk, and all after it waits
 * behind it.
 */
export class Outbox {
  readonly #durability: DurabilitySlot
  #held: Held[] = []
  #committing = false

  constructor(durability: DurabilitySlot) {
    this.#durability = durability
  }

  get isEmpty(): boolean {
    return this.#held.length === 0
  }

  /** Runs `send` now, or when the state is on disk. */
  add(durable: boolean, send: () => void): void {
    if (this.#durability.current === null || (!durable && this.#held.length === 0)) return send()
    this.#held.push({ durable, send })
    if (!this.#committing) void this.#commit()
  }

  /** Sends what waits before somebody new comes, who would see the state behind it. */
  flush(): void {
    if (this.#held.length === 0) return
    this.#durability.current?.flush()
    this.#release(this.#held.length)
  }

  /** Forgets what waits: the state behind it is gone. */
  clear(): void {
    this.#held = []
  }

  async #commit(): Promise<void> {
    this.#committing = true
    // A step of the head is over before its state is written.
    await Promise.resolve()
    while (this.#held.length > 0) {
      const count = this.#held.length
      await this.#durability.current?.commit()
      // Disk full: what nobody must lose does not go out.
      if (this.#durability.current?.failure != null) continue
      this.#release(Math.min(count, this.#held.length))
    }
    this.#committing = false
  }

  #release(count: number): void {
    let end = count
    while (end < this.#held.length && !this.#held[end]!.durable) end++
    for (const { send } of this.#held.splice(0, end)) send()
  }
}
