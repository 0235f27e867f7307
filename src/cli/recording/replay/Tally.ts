/** A checked item and the result of its check. */
interface Judged {
  readonly verdict: string
}

/** Maximum number of items that are kept, so that a long log does not need more memory. */
const MAX_KEPT = 10_000

/** Counts checked items by their verdict, and keeps the first {@link MAX_KEPT} of them. */
export class Tally<T extends Judged> {
  readonly list: T[] = []
  /** First item that failed its check; null while there is none. */
  firstBroken: T | null = null
  readonly #counts: Record<string, number> = {}
  readonly #breaks: string

  /** `breaks`: the verdict of an item that failed its check. */
  constructor(breaks: string) {
    this.#breaks = breaks
  }

  /** Number of items by verdict. */
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
