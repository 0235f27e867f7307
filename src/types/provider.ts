import type { TxInput, UTxO } from './utxo.js'

/** Options of every provider call. */
export interface RequestOptions {
  /** Aborts the request, which then rejects with the signal's reason. */
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
  /** Largest transaction, bytes. */
  maxTxSize: number
  /** Largest value of an output, bytes. */
  maxValueSize: number
  /** Lovelace per byte of an output. */
  coinsPerUtxoByte: bigint
  /** Deposit of a stake key, lovelace. */
  keyDeposit: bigint
  /** Deposit of a stake pool, lovelace. */
  poolDeposit: bigint
  /** Lovelace per byte of reference scripts (the first tier's price); absent where the source has none. */
  minFeeRefScriptCostPerByte?: number
  /** Cost models keyed `PlutusV1`, `PlutusV2`, `PlutusV3`; empty where the source has none. */
  costModels: Record<string, number[]>
  /** Version of the ledger's rules: `major` and `minor`. */
  protocolVersion: { major: number; minor: number }
  /** Complete answer of the source, with integers beyond 2^53 as bigint. */
  raw: unknown
}

/** Reads the ledger. A provider's `fetcher`, or an object of your own. */
export interface Fetcher {
  /**
   * Returns the unspent outputs at an address; `[]` only when there are none. `asset`: only outputs that hold this
   * unit.
   */
  fetchAddressUTxOs(address: string, asset?: string, options?: RequestOptions): Promise<UTxO[]>
  /** Returns those of the given outputs that are unspent. */
  fetchUTxOs(refs: readonly TxInput[], options?: RequestOptions): Promise<UTxO[]>
  /**
   * Returns the unspent outputs that hold a unit, at any address. The method is absent where the source cannot find
   * outputs without an address.
   */
  fetchAssetUTxOs?(unit: string, options?: RequestOptions): Promise<UTxO[]>
  /**
   * Returns the metadata of a transaction by label: CBOR of each metadatum, hex. Null when the source does not know the
   * transaction. The method is absent where the source has no metadata.
   */
  fetchTxMetadata?(txHash: string, options?: RequestOptions): Promise<ReadonlyMap<bigint, string> | null>
  /** Returns the protocol parameters of the current epoch. */
  fetchProtocolParameters(options?: RequestOptions): Promise<ProtocolParameters>
  /** Returns the newest block that the source knows. */
  fetchTip(options?: RequestOptions): Promise<Tip>
}

/** Sends signed transactions. A provider's `submitter`, or an object of your own. */
export interface Submitter {
  /** Submits a signed transaction (CBOR hex) and resolves with its id (hex, 64 characters). */
  submitTx(signedTxCbor: string, options?: RequestOptions): Promise<string>
}
