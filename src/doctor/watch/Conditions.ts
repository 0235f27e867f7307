import type { AlertBook, Raised } from './AlertBook.js'
import type { ReadRule } from './rules.js'
import type { WatchTime } from './types.js'

/** A condition that holds, with the content of its alert. */
export type Holding = Omit<Raised, 'rule' | 'headId'> & {
  /** Time for which the condition has held already when it is first seen, ms. */
  readonly heldMs?: number
}

/** Owner of conditions: a head, or a node and the head that it shows. */
export interface ConditionOwner {
  readonly owner: string
  readonly headId: string | null
}

/**
 * Turns conditions into alerts: an alert fires once its condition has held for the time of the rule, and resolves once
 * it no longer holds.
 */
export class Conditions {
  readonly #book: AlertBook
  readonly #time: WatchTime
  /** Time since which each condition holds, monotonic ms, so that a clock that jumps fires no alert. */
  readonly #since = new Map<string, number>()

  constructor(book: AlertBook, time: WatchTime) {
    this.#book = book
    this.#time = time
  }

  /** Updates a rule: `holding` are the conditions of this owner that hold now; all others of the owner end. */
  set(rule: ReadRule, { owner, headId }: ConditionOwner, holding: readonly Holding[]): void {
    const start = `${rule.name}|${owner} `
    const subjects = new Set(holding.map(({ subject }) => `${owner} ${subject}`))
    for (const key of this.#since.keys())
      if (key.startsWith(start) && !subjects.has(key.slice(rule.name.length + 1))) this.#since.delete(key)
    for (const each of holding) {
      const key = `${start}${each.subject}`
      const since = this.#since.get(key) ?? this.#time.monotonic() - (each.heldMs ?? 0)
      this.#since.set(key, since)
      if (this.#time.monotonic() - since >= rule.forMs)
        this.#book.raise({ ...each, rule, headId, subject: `${owner} ${each.subject}` })
    }
    this.#book.resolveOthers(rule, `${owner} `, subjects)
  }
}
