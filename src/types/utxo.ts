/** Hexadecimal text, lower case, two characters a byte. */
export type Hex = string

/** An amount of one asset. */
export interface Amount {
  /** `'lovelace'`, or policy id (56 hex characters) followed by the asset name (up to 64 hex characters). */
  unit: string
  /** A whole number in decimal, exact at any size. */
  quantity: string
}

/** Reference to one output of a transaction. */
export interface TxInput {
  /** Transaction id: hex, 64 characters. */
  txHash: string
  /** Position in the transaction's outputs, from 0. */
  index: number
}

/** Language of a reference script. */
export type ScriptLanguage = 'native' | 'PlutusV1' | 'PlutusV2' | 'PlutusV3'

/** A script carried by an output. */
export interface ScriptRef {
  /** Language the script is written in. */
  language: ScriptLanguage
  /**
   * CBOR of the script, as in an output on chain and in cardano-cli's files, hex. Plutus: a byte string of the bytes
   * that the ledger hashes.
   */
  cborHex: string
}

/** A transaction output. */
export interface TxOutput {
  /** Bech32, or base58 for Byron. */
  address: string
  /** Lovelace first; each unit once. */
  amount: Amount[]
  /** Datum hash: hex, 64 characters. Never together with `inlineDatum`. */
  datumHash?: string
  /** Inline datum: CBOR hex, the bytes as they are on chain. */
  inlineDatum?: string
  /** Script that the output carries. */
  scriptRef?: ScriptRef
}

/** An unspent transaction output. */
export interface UTxO {
  /** Reference to the output: transaction id and position. */
  input: TxInput
  /** The output. */
  output: TxOutput
}
