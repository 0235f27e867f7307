import type { Metadatum } from '../../codec/metadatum.js'
import type { ActionOptions } from '../deadline.js'
import type { DecodedTransaction } from '../../tx/inner.js'
import type { Amount, TxInput, TxOutput, UTxO } from '../../types/utxo.js'

/** Arguments of {@link HeadReceipts.receipts}: `address`, `addresses`, or neither for those of the wallet. */
export interface ReceiptsArgs extends Pick<ActionOptions, 'signal'> {
  /** Receiver: bech32. */
  address?: string | undefined
  /** Receivers: bech32. @default the addresses of the client's wallet */
  addresses?: readonly string[] | undefined
  /**
   * Cursor of the last receipt that was booked. `'now'`: only receipts that come from now on. @default from the
   * beginning of the history
   */
  after?: string | null | undefined
  /** True yields change, and moves within the same wallet, too. @default false */
  own?: boolean | undefined
  /**
   * False: ends after the newest receipt, once the history has been read up to its end. True: goes on with each receipt
   * as it is confirmed. @default true
   */
  follow?: boolean | undefined
}

/** An output that came to one of the addresses. */
export interface Receipt {
  /** `payment`: a transaction in the head made it; `deposit`: it came from the base ledger. */
  readonly kind: 'payment' | 'deposit'
  /** Position in the ledger after this receipt: store it with the booking, and pass it as `after` to continue. */
  readonly cursor: string
  /** Id of the head: hex. */
  readonly headId: string
  /** Id of the transaction, or of the deposit: hex, 64 characters. */
  readonly txId: string
  /** Index of the output in the transaction or deposit. */
  readonly index: number
  /** The output with its reference. */
  readonly utxo: UTxO
  /** Addresses whose outputs the transaction spends; null where one of them, or the depositor, is not known. */
  readonly from: readonly string[] | null
  /** Receiver: bech32. */
  readonly to: string
  /** Lovelace first. */
  readonly amount: readonly Amount[]
  /** Datum of the output, where its bytes are known: CBOR hex. */
  readonly datum: string | null
  /** Metadata of the transaction by label; empty where it has none, or none that can be read. */
  readonly metadata: ReadonlyMap<bigint, Metadatum>
  /** Text of the metadata's label 674 (CIP-20), its lines joined by line breaks; null without one. */
  readonly note: string | null
  /** Number of the snapshot that holds it; for a deposit, of the newest one when it became final. */
  readonly snapshotNumber: number
  /** True for change and moves: an input of the transaction belonged to the same addresses, or to the wallet. */
  readonly own: boolean
  /**
   * True with the option `verify`: outputs that all parties have signed show it. False: only the node reports it, or it
   * was spent before that could be seen.
   */
  readonly verified: boolean
}

/** Output that a transaction spends, as far as it is known. */
export interface ResolvedInput {
  /** Its reference. */
  readonly input: TxInput
  /** Null where neither state nor history shows it. */
  readonly output: TxOutput | null
  /** Owner: bech32; null where it is not known. */
  readonly address: string | null
}

/** The result of {@link HeadReceipts.getTransaction}. */
export interface HeadTransaction {
  /** Hex, 64 characters. */
  readonly txId: string
  /**
   * `pending`: this client's own, in flight; `confirmed`: a snapshot holds it; `refused`: the node has refused one with
   * this id.
   */
  readonly state: 'pending' | 'confirmed' | 'refused'
  /** Id of the head: hex; null until known. */
  readonly headId: string | null
  /** Snapshot that holds it, or a later one where its outputs alone show it; null unless it is confirmed. */
  readonly snapshotNumber: number | null
  /** The decoded transaction; null where only its id is known. */
  readonly decoded: DecodedTransaction | null
  /** Outputs that it spends, in their order. */
  readonly inputs: readonly ResolvedInput[]
  /** Owners of its inputs; null where one of them is not known. */
  readonly from: readonly string[] | null
  /** True when this client sent it. */
  readonly own: boolean
  /** The node's reason, with `refused`; null otherwise. */
  readonly reason: string | null
}
