/** An output of an address, by the quantity of one unit. */
interface Entry {
  readonly key: string
  readonly quantity: number | bigint
}

/**
 * Keys of outputs, those with the largest quantity of a unit first; equal ones by their keys. A change costs a search
 * and a shift, never a sort.
 */
export class LargestFirst {
  readonly #entries: Entry[]

  /** Outputs without the unit are left out. */
  constructor(entries: Iterable<readonly [key: string, quantity: number | bigint]>) {
    this.#entries = Array.from(entries, ([key, quantity]) => ({ key, quantity }))
      .filter(({ quantity }) => quantity > 0)
      .sort(compare)
  }

  /** Yields the keys in their order. */
  *keys(): Generator<string> {
    for (const { key } of this.#entries) yield key
  }

  add(key: string, quantity: number | bigint): void {
    if (quantity > 0) this.#entries.splice(this.#positionOf({ key, quantity }), 0, { key, quantity })
  }

  remove(key: string, quantity: number | bigint): void {
    const position = this.#positionOf({ key, quantity })
    if (this.#entries[position]?.key === key) this.#entries.splice(position, 1)
  }

  /** Returns the position of the first entry that does not come before this one. */
  #positionOf(entry: Entry): number {
    let [from, to] = [0, this.#entries.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (compare(this.#entries[middle]!, entry) < 0) from = middle + 1
      else to = middle
    }
    return from
  }
}

function compare(a: Entry, b: Entry): number {
  if (a.quantity > b.quantity) return -1
  if (a.quantity < b.quantity) return 1
  return a.key === b.key ? 0 : a.key < b.key ? -1 : 1
}
