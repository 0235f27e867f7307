import type { TransactionJson, UTxOObject } from '../protocol/types.js'
import { isRecord } from '../protocol/wireRecord.js'
import { txEffect } from './delta.js'
import { dropOldestBeyond, MAX_DECOMMIT_CHARACTERS, MAX_DECOMMITS, TX_ID_CHARACTERS } from './limits.js'

/** Inputs of announced decommits (withdrawals). They are remembered because snapshots name only the outputs. */
export class Decommits {
  /** By the id of the decommit's transaction: the keys that it spends, or the transaction. */
  readonly #decommits = new Map<string, readonly string[] | TransactionJson>()

  /**
   * Remembers an announced decommit. One that is longer than the bound is not kept, so that a snapshot that names it
   * needs a baseline.
   */
  note(transaction: TransactionJson | undefined): void {
    if (isRecord(transaction) && (transaction.cborHex?.length ?? 0) <= MAX_DECOMMIT_CHARACTERS)
      this.#keep(transaction.txId, transaction)
  }

  /** Notes that the state no longer has the inputs of the decommit that withdraws these outputs. */
  noteDone(utxoToDecommit: UTxOObject | null | undefined): void {
    for (const key in utxoToDecommit) this.#keep(key.slice(0, key.indexOf('#')), [])
  }

  /** Returns the keys that a decommit spends; undefined when it was not announced or cannot be read. */
  spentBy(txId: string): readonly string[] | undefined {
    const noted = this.#decommits.get(txId)
    return noted === undefined || !('txId' in noted) ? noted : txEffect(noted, false)?.spent
  }

  clear(): void {
    this.#decommits.clear()
  }

  #keep(txId: string, spends: readonly string[] | TransactionJson): void {
    if (txId.length <= TX_ID_CHARACTERS) dropOldestBeyond(this.#decommits.set(txId, spends), MAX_DECOMMITS)
  }
}
