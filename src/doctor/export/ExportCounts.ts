import type { ExportSummary } from './types.js'

const MAX_TAGS = 100
const MAX_LINES = 50
const REST = 'others'

/** Counts of an export; the number of tags and lines that they list is bounded. */
export class ExportCounts {
  events = 0
  gaps = 0
  readonly #tags = new Map<string, number>()
  readonly #lines: number[] = []
  #unreadable = 0

  addTag(tag: string): void {
    const short = tag.slice(0, 60)
    const name = this.#tags.has(short) || this.#tags.size < MAX_TAGS ? short : REST
    this.#tags.set(name, (this.#tags.get(name) ?? 0) + 1)
  }

  addUnreadable(line: number): void {
    this.#unreadable++
    if (this.#lines.length < MAX_LINES) this.#lines.push(line)
  }

  summary(): ExportSummary {
    return {
      events: this.events,
      gaps: this.gaps,
      unknownTags: Object.fromEntries(this.#tags),
      unreadable: { count: this.#unreadable, lines: [...this.#lines] }
    }
  }
}
