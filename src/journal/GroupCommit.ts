interface Waiting<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of items of one batch, which is one text in memory. */
const MAX_BATCH = 1_000

/**
 * Makes items durable, batch by batch: all that come while a batch is written share the next one, with one fsync for
 * all of them.
 */
export class GroupCommit<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>
  #waiting: Waiting<Item>[] = []
  #running: Promise<void> | null = null

  /** `write`: makes a batch durable, in its order; none of it is durable where it rejects. */
  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write
  }

  /** Resolves once the item is durable. */
  add(item: Item): Promise<void> {
    const added = new Promise<void>((resolve, reject) => this.#waiting.push({ item, resolve, reject }))
    this.#running ??= this.#writeAll().finally(() => {
      this.#running = null
    })
    return added
  }

  /** Resolves once no batch is under way. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async #writeAll(): Promise<void> {
    // Items of the same turn of the event loop belong together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH)
      try {
        await this.#write(batch.map(({ item }) => item))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }
}
