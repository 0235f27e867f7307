/**
 * Counts connections or sessions of one kind by IP address or token subject, from when they open: the client need not
 * have joined a head yet.
 */
export class Connections {
  readonly #limit: number
  readonly #limitOf: (who: string) => number
  readonly #perWho = new Map<string, number>()
  #count = 0

  /** `limit`: of all connections; `limitOf`: of one address or subject. */
  constructor(limit: number, limitOf: (who: string) => number) {
    this.#limit = limit
    this.#limitOf = limitOf
  }

  get count(): number {
    return this.#count
  }

  countOf(who: string): number {
    return this.#perWho.get(who) ?? 0
  }

  /**
   * Counts one more connection. Returns the function that ends it, which has no effect when it is called again; null at
   * the limit.
   */
  open(who: string): (() => void) | null {
    const before = this.countOf(who)
    if (this.#count >= this.#limit || before >= this.#limitOf(who)) return null
    this.#count++
    this.#perWho.set(who, before + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.#count--
      const left = this.#perWho.get(who)! - 1
      if (left > 0) this.#perWho.set(who, left)
      else this.#perWho.delete(who)
    }
  }
}
