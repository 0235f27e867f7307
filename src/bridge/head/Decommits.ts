import type { TransactionJson, UTxOObject } from '../protocol/types.js'
import { isRecord } from '../protocol/wireRecord.js'
import { txEffect } from './delta.js'
import { dropOldestBeyond, MAX_DECOMMIT_CHARACTERS, MAX_DECOMMITS, TX_ID_CHARACTERS } from './limits.js'

/** Inputs of announced decommits: snapshots name only their outputs. */
export class Decommits {
  /** By the id of the decommit's transaction: the keys that it spends, or the transaction. */
  readonly #known = new Map<string, readonly string[] | TransactionJson>()

  /**
   * A decommit was announced. One that is longer than the ledger allows is not kept: a snapshot that names it then
   * needs a baseline.
   */
  note(transaction: TransactionJson | undefined): void {
    if (isRecord(transaction) && (transaction.cborHex?.length ?? 0) <= MAX_DECOMMIT_CHARACTERS)
      this.#keep(transaction.txId, transaction)
  }

  /** These outputs are being withdrawn, and the inputs of that decommit are no longer in the state. */
  noteDone(utxoToDecommit: UTxOObject | null | undefined): void {
    for (const key in utxoToDecommit) this.#keep(key.slice(0, key.indexOf('#')), [])
  }

  /** Keys that a decommit spends; undefined when it was not announced or cannot be read. */
  spentBy(txId: string): readonly string[] | undefined {
    const noted = this.#known.get(txId)
    return noted === undefined || !('txId' in noted) ? noted : txEffect(noted, false)?.spent
  }

  clear(): void {
    this.#known.clear()
  }

  #keep(txId: string, spends: readonly string[] | TransactionJson): void {
    if (txId.length <= TX_ID_CHARACTERS) dropOldestBeyond(this.#known.set(txId, spends), MAX_DECOMMITS)
  }
}
