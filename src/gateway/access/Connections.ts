/**
 * Counts connections or sessions of one kind by IP address or token subject, from when they open: the client need not
 * have joined a head yet.
 */
export class Connections {
  readonly #limit: number
  readonly #limitOf: (clientKey: string) => number
  readonly #perWho = new Map<string, number>()
  #count = 0

  /** `limit`: of all connections; `limitOf`: of one address or subject. */
  constructor(limit: number, limitOf: (clientKey: string) => number) {
    this.#limit = limit
    this.#limitOf = limitOf
  }

  get count(): number {
    return this.#count
  }

  countOf(clientKey: string): number {
    return this.#perWho.get(clientKey) ?? 0
  }

  /**
   * Counts one more connection. Returns the function that ends it, which has no effect when it is called again; null at
   * the limit.
   */
  open(clientKey: string): (() => void) | null {
    const before = this.countOf(clientKey)
    if (this.#count >= this.#limit || before >= this.#limitOf(clientKey)) return null
    this.#count++
    this.#perWho.set(clientKey, before + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.#count--
      const left = this.#perWho.get(clientKey)! - 1
      if (left > 0) this.#perWho.set(clientKey, left)
      else this.#perWho.delete(clientKey)
    }
  }
}
