import type { CommandsState, OutRecord } from '../records.js'
import { compareIds } from './logIds.js'

/** Transactions without a verdict that are remembered. */
const MAX_TX_IDS = 10_000

/**
 * Progress of the cores with the commands of the edges, computed from the records of `out`. Every process that reads
 * these records computes the same progress.
 */
export class Commands {
  #last: string | null = null
  readonly #txIds = new Set<string>()
  readonly #open = new Set<string>()

  /** Id of the newest command that has a record in `out`; null: none is known. */
  get last(): string | null {
    return this.#last
  }

  /** Transactions that were sent and have no verdict (outcome) yet. */
  get txIds(): ReadonlySet<string> {
    return this.#txIds
  }

  /** Ids of other commands that a core was about to send, and of which no end is logged. */
  get open(): ReadonlySet<string> {
    return this.#open
  }

  /** Loads the progress in a base record (whole state): the records before it may have been dropped. */
  load({ last, txIds, open }: CommandsState): void {
    if (last !== null) this.#note(last)
    for (const txId of txIds) this.#addTxId(txId)
    for (const command of open) this.#open.add(command)
  }

  /** Applies one record. */
  apply(record: OutRecord): void {
    switch (record.kind) {
      case 'sending':
        this.#note(record.command)
        if (record.txId === null) this.#open.add(record.command)
        else this.#addTxId(record.txId)
        return
      case 'verdict':
        if (record.command !== undefined) this.#note(record.command)
        this.#txIds.delete(record.txId)
        return
      case 'taken':
        this.#note(record.command)
        this.#open.delete(record.command)
        return
      case 'snapshot':
        for (const { txId } of record.txs) this.#txIds.delete(txId)
        return
      case 'reset':
      case 'message':
      case 'upstream':
        return
    }
  }

  /** Returns the progress for a base record. */
  state(): CommandsState {
    return { last: this.#last, txIds: [...this.#txIds], open: [...this.#open] }
  }

  #addTxId(txId: string): void {
    this.#txIds.add(txId)
    if (this.#txIds.size > MAX_TX_IDS) this.#txIds.delete(this.#txIds.values().next().value!)
  }

  // The end of a command may be written after the beginning of the next one.
  #note(command: string): void {
    if (this.#last === null || compareIds(command, this.#last) > 0) this.#last = command
  }
}
