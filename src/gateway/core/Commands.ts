import type { CommandsState, OutRecord } from '../records.js'
import { compareIds } from './logIds.js'

/** Transactions without a verdict that are remembered. */
const MAX_TX_IDS = 10_000

/**
 * How far the cores of a log have come with its commands, as the records of `out` say: every core and every edge comes
 * to the same.
 */
export class Commands {
  #last: string | null = null
  readonly #txIds = new Set<string>()
  readonly #open = new Set<string>()

  /** Id of the last command that has a record; null: none that is known. */
  get last(): string | null {
    return this.#last
  }

  /** Transactions that were sent and have no verdict. */
  get txIds(): ReadonlySet<string> {
    return this.#txIds
  }

  /** Ids of other commands that were about to be sent, and have no end. */
  get open(): ReadonlySet<string> {
    return this.#open
  }

  /** Begins from a base, whose records may have been dropped since. */
  load({ last, txIds, open }: CommandsState): void {
    if (last !== null) this.#note(last)
    for (const txId of txIds) this.#addTxId(txId)
    for (const command of open) this.#open.add(command)
  }

  /** Follows one record. */
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

  /** As a base holds it. */
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
