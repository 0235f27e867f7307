import type { TxInput, UTxO } from './utxo.js'

/** Bounds of every provider call. */
export interface RequestOptions {
  /** Ends the request; it then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** The chain's newest block. */
export interface Tip {
  /** Slot of the block. */
  slot: number
  /** Block hash: hex, 64 characters. */
  hash: string
  /** Block number; -1 where the source does not know it (Kupo). */
  height: number
}

/** Protocol parameters that building a transaction needs, from any source. */
export interface ProtocolParameters {
  /** Lovelace per byte of the transaction. */
  minFeeA: number
  /** Lovelace per transaction. */
  minFeeB: number
  /** Bytes. */
  maxTxSize: number
  /** Bytes. */
  maxValueSize: number
  /** Lovelace per byte of an output. */
  coinsPerUtxoByte: bigint
  /** Lovelace. */
  keyDeposit: bigint
  /** Lovelace. */
  poolDeposit: bigint
  /** Lovelace per byte of reference scripts (the first tier's price); absent where the source has none. */
  minFeeRefScriptCostPerByte?: number
  /** Keyed `PlutusV1`, `PlutusV2`, `PlutusV3`; empty where the source has none. */
  costModels: Record<string, number[]>
  /** Version of the ledger's rules: `major` and `minor`. */
  protocolVersion: { major: number; minor: number }
  /** The source's own answer, integers beyond 2^53 as bigint. */
  raw: unknown
}

/** Reads the ledger. A provider's `fetcher`, or an object of your own. */
export interface Fetcher {
  /** Unspent outputs at an address; `[]` only when there are none. `asset`: only outputs that hold this unit. */
  fetchAddressUTxOs(address: string, asset?: string, options?: RequestOptions): Promise<UTxO[]>
  /** Those of the given outputs that are unspent. */
  fetchUTxOs(refs: readonly TxInput[], options?: RequestOptions): Promise<UTxO[]>
  /**
   * Unspent outputs that hold a unit, wherever they are. Absent where the source cannot find them without an address.
   */
  fetchAssetUTxOs?(unit: string, options?: RequestOptions): Promise<UTxO[]>
  /**
   * Metadata of a transaction by label: CBOR of each metadatum, hex. Null when the source does not know the transaction.
   * Absent where the source has no metadata.
   */
  fetchTxMetadata?(txHash: string, options?: RequestOptions): Promise<ReadonlyMap<bigint, string> | null>
  /** Protocol parameters of the current epoch. */
  fetchProtocolParameters(options?: RequestOptions): Promise<ProtocolParameters>
  /** The newest block the source knows. */
  fetchTip(options?: RequestOptions): Promise<Tip>
}

/** Sends signed transactions. A provider's `submitter`, or an object of your own. */
export interface Submitter {
  /** Submits a signed transaction (CBOR hex) and resolves with its id (hex, 64 characters). */
  submitTx(signedTxCbor: string, options?: RequestOptions): Promise<string>
}
