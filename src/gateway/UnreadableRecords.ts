import { now } from '../net/timers.js'
import type { Metrics } from './Metrics.js'
import type { Logger } from '../types/logger.js'

/** Shortest time between two reports, ms. */
const REPORT_MS = 1_000

/**
 * Counts and reports the records of a head's log that cannot be read, or cannot be applied after the records before
 * them.
 */
export class UnreadableRecords {
  readonly #name: string
  readonly #logger: Logger
  readonly #metrics: Metrics
  #reportedAt = -Infinity
  #unreported = 0

  /** `name`: text with which the reports begin. */
  constructor(name: string, logger: Logger, metrics: Metrics) {
    this.#name = name
    this.#logger = logger
    this.#metrics = metrics
  }

  /** Notes a record of a stream. */
  note(stream: string, id: string): void {
    this.#metrics.unreadable++
    if (now() - this.#reportedAt < REPORT_MS) return void this.#unreported++
    const others = this.#unreported === 0 ? '' : `, and ${this.#unreported} before it`
    this.#logger.warn(`${this.#name}: record ${id} of the stream ${stream} cannot be followed${others}`)
    this.#reportedAt = now()
    this.#unreported = 0
  }
}
