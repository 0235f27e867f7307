import type { UtxoView } from '../rules/utxoSet.js'
import type { ClientMessage, HeadMessage } from './messages.js'
import type { ChainTx, ClientRef, HeadTx } from './types.js'

/** An effect that the head's state machine requests, for the runtime to carry out. */
export type HeadAction =
  | { readonly do: 'publish'; readonly output: HeadMessage }
  | { readonly do: 'broadcast'; readonly message: ClientMessage }
  | { readonly do: 'refuseInput'; readonly client: ClientRef | null; readonly reason: string; readonly input: string }
  | { readonly do: 'post'; readonly post: ChainTx }
  /**
   * Sends a transaction to all parties, the node included. Each applies it to its local ledger and reports the result
   * by the event TxValidated.
   */
  | { readonly do: 'validateTx'; readonly tx: HeadTx }
  /**
   * Tries a decommit on the local ledger. If it applies, it is sent to all parties, the node included; if not, the
   * event DecommitRefused follows.
   */
  | { readonly do: 'checkDecommit'; readonly tx: HeadTx }
  | { readonly do: 'retryTx'; readonly tx: HeadTx; readonly retriesLeft: number }
  | { readonly do: 'validateDecommit'; readonly tx: HeadTx }
  /** Includes pending transactions in a snapshot that all parties sign; the event SnapshotSigned follows. */
  | {
      readonly do: 'sign'
      readonly headId: string
      readonly number: number
      readonly utxoToCommit: UtxoView | null
      readonly depositTxId: string | null
      readonly utxoToDecommit: UtxoView | null
    }
  /** Starts the layer-two ledger with this UTxO; null clears the ledger. */
  | { readonly do: 'resetLedger'; readonly utxo: UtxoView | null }
  | { readonly do: 'credit'; readonly utxo: UtxoView }
  /** Drops pending transactions: the local ledger becomes the confirmed one. */
  | { readonly do: 'prune' }
