/** An item with a verdict. */
interface Judged {
  readonly verdict: string
}

/** Items that are kept; of a log of any length the memory stays flat. */
const MAX_KEPT = 10_000

/** Items by verdict: all are counted, the first ones are kept. */
export class Tally<T extends Judged> {
  readonly list: T[] = []
  /** The first item that does not hold; null while all do. */
  firstBroken: T | null = null
  readonly #counts: Record<string, number> = {}
  readonly #breaks: string

  /** `breaks`: the verdict of an item that does not hold. */
  constructor(breaks: string) {
    this.#breaks = breaks
  }

  /** Number by verdict. */
  get counts(): Readonly<Record<string, number>> {
    return this.#counts
  }

  countOf(verdict: string): number {
    return this.#counts[verdict] ?? 0
  }

  add(item: T): void {
    this.#counts[item.verdict] = this.countOf(item.verdict) + 1
    if (item.verdict === this.#breaks) this.firstBroken ??= item
    if (this.list.length < MAX_KEPT) this.list.push(item)
  }
}
