import type { TransactionJson, UTxOObject } from '../protocol/types.js'

/** A change of the ledger of the head `headId` (hex), in the order of the ledger. */
export type LedgerEvent =
  /** The head has opened with the outputs `utxo`. */
  | { readonly kind: 'opened'; readonly headId: string; readonly utxo: UTxOObject }
  /**
   * The source begins with the state of the snapshot `number` and has no record of earlier changes. `headId` and `utxo`
   * are null where the source does not state them.
   */
  | {
      readonly kind: 'checkpoint'
      /** Hex; null: there is no head, or the source does not state it. */
      readonly headId: string | null
      /** Number of the snapshot. */
      readonly number: number
      /** Outputs of the head; null: not stated. */
      readonly utxo: UTxOObject | null
    }
  /**
   * The snapshot `number` follows the one numbered `from`, with the transactions `txs`. `spent`: addresses of the
   * outputs that it spends, by reference, where the source states them.
   */
  | {
      readonly kind: 'snapshot'
      /** Hex. */
      readonly headId: string
      /** Number of the snapshot before. */
      readonly from: number
      /** Number of the snapshot. */
      readonly number: number
      /** Its transactions, in their order. */
      readonly txs: readonly TransactionJson[]
      /** Addresses of the outputs that it spends, by reference (`'txHash#index'`). */
      readonly spent?: Readonly<Record<string, string>>
    }
  /** The source has no record of the snapshots after `from` and up to `number`. */
  | { readonly kind: 'gap'; readonly headId: string; readonly from: number; readonly number: number }
  /** The outputs `utxo` of the deposit `depositTxId` (hex, 64 characters) have entered the head. */
  | { readonly kind: 'deposit'; readonly headId: string; readonly depositTxId: string; readonly utxo: UTxOObject }

/** Position in the ledger: a snapshot of a head. */
export interface LedgerPosition {
  /** Id of the head: hex. */
  readonly headId: string
  /** Number of the snapshot. */
  readonly number: number
}
