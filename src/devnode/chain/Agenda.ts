import type { ChainEvent } from '../party/PartyNetwork.js'
import type { ChainTx } from '../head/types.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import type { NodeClock } from './NodeClock.js'
import type { Timers } from './Timers.js'

/** Something that the node will do at its time. Tasks are data, so that they belong to the node's state. */
export type AgendaTask =
  /** A transaction of the head arrives at the base ledger. */
  | { readonly do: 'settle'; readonly post: ChainTx }
  /** A submitted transaction has been on the base ledger for a block: it may be a deposit, or a commit. */
  | { readonly do: 'seeBaseTx'; readonly tx: PreparedTx }
  /** A layer-two transaction that could not be applied is tried again. */
  | { readonly do: 'retryTx'; readonly tx: PreparedTx; readonly retriesLeft: number }
  /** The parties that the node plays commit nothing. */
  | { readonly do: 'commitOthers'; readonly parties: readonly string[] }
  /** A party contests a closure with an old snapshot. */
  | { readonly do: 'contest' }
  /** A party sees what has happened on the base ledger later than the first one. */
  | { readonly do: 'seeChain'; readonly event: ChainEvent }
  /** A party that has a decommit in flight looks again at another one. */
  | { readonly do: 'lateDecommit'; readonly tx: PreparedTx }
  /** The node has caught up with the chain. */
  | { readonly do: 'sync' }

/** A task and when it is due, Unix time in ms. */
export interface AgendaEntry {
  readonly dueMs: number
  readonly task: AgendaTask
}

/** What a node will do, in the order in which it was decided. */
export class Agenda {
  readonly #timers: Timers
  readonly #clock: NodeClock
  readonly #run: (task: AgendaTask) => void
  readonly #entries = new Map<AgendaEntry, () => void>()

  constructor(timers: Timers, clock: NodeClock, run: (task: AgendaTask) => void) {
    this.#timers = timers
    this.#clock = clock
    this.#run = run
  }

  /** Does a task after a while. */
  add(delayMs: number, task: AgendaTask): void {
    this.#start({ dueMs: this.#clock.now() + delayMs, task })
  }

  /** What is still to be done. */
  entries(): readonly AgendaEntry[] {
    return [...this.#entries.keys()]
  }

  /** Forgets everything, and takes these instead; what is overdue comes at once, in order. */
  restore(entries: readonly AgendaEntry[]): void {
    for (const cancel of this.#entries.values()) cancel()
    this.#entries.clear()
    for (const entry of entries) this.#start(entry)
  }

  #start(entry: AgendaEntry): void {
    const cancel = this.#timers.later(entry.dueMs - this.#clock.now(), () => {
      this.#entries.delete(entry)
      this.#run(entry.task)
    })
    this.#entries.set(entry, cancel)
  }
}
