import type { TransactionJson, UTxOObject } from '../protocol/types.js'

/** A change of a head's ledger, in the order of the ledger. */
export type LedgerEvent =
  /** The head `headId` has opened with these outputs. */
  | { readonly kind: 'opened'; readonly headId: string; readonly utxo: UTxOObject }
  /**
   * The source begins with the state of the snapshot `number`: it does not tell of changes before. `headId` and `utxo`
   * are null where the source does not state them.
   */
  | {
      readonly kind: 'checkpoint'
      readonly headId: string | null
      readonly number: number
      readonly utxo: UTxOObject | null
    }
  /** A snapshot follows the one numbered `from`. `spent`: addresses of outputs that it spends, where the source says. */
  | {
      readonly kind: 'snapshot'
      readonly headId: string
      readonly from: number
      readonly number: number
      readonly txs: readonly TransactionJson[]
      readonly spent?: Readonly<Record<string, string>>
    }
  /** Snapshots after `from` and up to `number` are not told. */
  | { readonly kind: 'gap'; readonly headId: string; readonly from: number; readonly number: number }
  /** Outputs of a deposit have entered the head. */
  | { readonly kind: 'deposit'; readonly headId: string; readonly depositTxId: string; readonly utxo: UTxOObject }

/** A snapshot of a head. */
export interface LedgerPosition {
  /** Hex. */
  readonly headId: string
  readonly number: number
}
