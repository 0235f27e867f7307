import type { SubmitError } from '../../errors/operation.js'
import type { SnapshotConfirmedPayload } from '../protocol/messages.js'

/**
 * State of a transaction that a bridge follows.
 *
 * - `sent`: it has left for the node.
 * - `valid`: the node's ledger holds it.
 * - `confirmed`: a snapshot holds it. Final.
 * - `refused`: the node refused it, and the state of the head agrees. A copy of it may still be confirmed until its
 *   validity ends; `confirmed` then follows.
 * - `unknown`: neither messages nor the head's state nor the history show the outcome. The bridge still watches it.
 */
export type TxState =
  | { readonly state: 'sent' }
  | { readonly state: 'valid' }
  | {
      readonly state: 'confirmed'
      /** Number of the snapshot that holds it, or of a later one. */
      readonly snapshotNumber: number
      /** True when it is the number of the very snapshot that confirmed it. */
      readonly exact: boolean
      /** True with the option `verify`: outputs that all parties have signed show it. */
      readonly verified: boolean
      /** The message that confirmed it, or a later one; null when it was found in the cache. */
      readonly snapshot: SnapshotConfirmedPayload | null
    }
  | {
      readonly state: 'refused'
      /** Error of the refusal, with the node's text. */
      readonly error: SubmitError
    }
  | {
      readonly state: 'unknown'
      /** Error that left the outcome open, e.g. a timeout or a lost connection. */
      readonly error: SubmitError
      /** True when the node's ledger held it when the bridge last saw it. */
      readonly wasValid: boolean
    }

/** Returns true while the node's ledger holds a transaction, as far as the messages show. */
export function isAccepted(tx: TxState): boolean {
  return tx.state === 'valid' || (tx.state === 'unknown' && tx.wasValid)
}

/** Receives the states of transactions by id (hex, 64 characters, lower case). */
export type TxStateListener = (txId: string, tx: TxState) => void

/** Announces each state of each transaction to its subscribers at once, in order; it drops none. */
export class TxChanges {
  readonly #listeners = new Set<TxStateListener>()

  /** Returns a function that ends the subscription. */
  subscribe(listener: TxStateListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  announce(txId: string, tx: TxState): void {
    for (const listener of [...this.#listeners]) listener(txId, tx)
  }
}
