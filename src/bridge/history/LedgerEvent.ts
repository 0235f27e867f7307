import type { TransactionJson, UTxOObject } from '../protocol/types.js'

/** A change of the ledger of the head `headId` (hex), in the order of the ledger. */
export type LedgerEvent =
  /** The head has opened with the outputs `utxo`. */
  | { readonly kind: 'opened'; readonly headId: string; readonly utxo: UTxOObject }
  /**
   * The source begins with the state of the snapshot `number`: it does not tell of changes before. `headId` and `utxo`
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
      /** Addresses of what it spends, by reference. */
      readonly spent?: Readonly<Record<string, string>>
    }
  /** Snapshots after `from` and up to `number` are not told. */
  | { readonly kind: 'gap'; readonly headId: string; readonly from: number; readonly number: number }
  /** The outputs `utxo` of the deposit `depositTxId` (hex, 64 characters) have entered the head. */
  | { readonly kind: 'deposit'; readonly headId: string; readonly depositTxId: string; readonly utxo: UTxOObject }

/** A snapshot of a head. */
export interface LedgerPosition {
  /** Id of the head: hex. */
  readonly headId: string
  /** Number of the snapshot. */
  readonly number: number
}
