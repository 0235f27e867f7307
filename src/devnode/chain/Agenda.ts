import type { NodeClock } from './NodeClock.js'
import type { Timers } from './Timers.js'

/** A task and when it is due, Unix time in ms. */
export interface AgendaEntry<Task> {
  readonly dueMs: number
  readonly task: Task
}

/**
 * Tasks that a party will run later, in the order in which they were added. They are plain data, so that they can be
 * saved with the state.
 */
export class Agenda<Task> {
  readonly #timers: Timers
  readonly #clock: NodeClock
  readonly #run: (task: Task) => void
  readonly #entries = new Map<AgendaEntry<Task>, () => void>()

  constructor(timers: Timers, clock: NodeClock, run: (task: Task) => void) {
    this.#timers = timers
    this.#clock = clock
    this.#run = run
  }

  /** Runs a task after `delayMs`. */
  add(delayMs: number, task: Task): void {
    this.#start({ dueMs: this.#clock.now() + delayMs, task })
  }

  /** Tasks that are still to be done. */
  entries(): readonly AgendaEntry<Task>[] {
    return [...this.#entries.keys()]
  }

  /** Replaces all tasks; those overdue run at once, in order. */
  restore(entries: readonly AgendaEntry<Task>[]): void {
    for (const cancel of this.#entries.values()) cancel()
    this.#entries.clear()
    for (const entry of entries) this.#start(entry)
  }

  #start(entry: AgendaEntry<Task>): void {
    const cancel = this.#timers.later(entry.dueMs - this.#clock.now(), () => {
      this.#entries.delete(entry)
      this.#run(entry.task)
    })
    this.#entries.set(entry, cancel)
  }
}
