import type { TxInput, TxOutput } from '../types/utxo.js'
import { BODY_KEY, BodyEntries, readInput, readSized } from './bodyEntries.js'
import type { Span } from './cbor/reader.js'
import { bytesToHex } from './hex.js'
import type { TransactionSpans } from './transaction.js'
import { decodeTxOutput } from './txOutput.js'
import type { Value } from './value.js'
import { decodeMultiAsset } from './value.js'

export { BODY_KEY, readEntries, TAG_SET } from './bodyEntries.js'
export type { BodyWithdrawal } from './bodyEntries.js'

/** All known parts of a transaction body. Each getter decodes its part when it is called. */
export class TransactionBody extends BodyEntries {
  get collateral(): TxInput[] {
    return this.items(BODY_KEY.COLLATERAL, readInput)
  }

  get referenceInputs(): TxInput[] {
    return this.items(BODY_KEY.REFERENCE_INPUTS, readInput)
  }

  get outputs(): TxOutput[] {
    return this.items(BODY_KEY.OUTPUTS, decodeTxOutput)
  }

  /** Byte range of each output, for its original bytes. */
  get outputSpans(): Span[] {
    return this.items(BODY_KEY.OUTPUTS, (reader) => reader.skip())
  }

  /** Lovelace. */
  get fee(): bigint {
    return this.#uint(BODY_KEY.FEE) ?? 0n
  }

  /** First slot at which the transaction is no longer valid. */
  get ttl(): bigint | undefined {
    return this.#uint(BODY_KEY.TTL)
  }

  /** First slot at which the transaction is valid. */
  get validityStart(): bigint | undefined {
    return this.#uint(BODY_KEY.VALIDITY_START)
  }

  /** Assets minted, or burned when negative. */
  get mint(): Value {
    const value: Value = new Map()
    const reader = this.reader(BODY_KEY.MINT)
    if (reader !== undefined) decodeMultiAsset(reader, value)
    return value
  }

  /** Hashes of the keys that must sign: hex, 56 characters each. */
  get requiredSigners(): string[] {
    return this.items(BODY_KEY.REQUIRED_SIGNERS, (reader) => bytesToHex(readSized(reader, 28)))
  }

  /** Hash of the auxiliary data: hex, 64 characters. */
  get auxiliaryDataHash(): string | undefined {
    const reader = this.reader(BODY_KEY.AUXILIARY_DATA_HASH)
    return reader && bytesToHex(readSized(reader, 32))
  }

  /** Script data hash: hex, 64 characters. */
  get scriptDataHash(): string | undefined {
    const reader = this.reader(BODY_KEY.SCRIPT_DATA_HASH)
    return reader && bytesToHex(readSized(reader, 32))
  }

  get collateralReturn(): TxOutput | undefined {
    const reader = this.reader(BODY_KEY.COLLATERAL_RETURN)
    return reader && decodeTxOutput(reader)
  }

  /** Lovelace. */
  get totalCollateral(): bigint | undefined {
    return this.#uint(BODY_KEY.TOTAL_COLLATERAL)
  }

  /** Lovelace. */
  get treasury(): bigint | undefined {
    return this.#uint(BODY_KEY.TREASURY)
  }

  get networkId(): number | undefined {
    return this.reader(BODY_KEY.NETWORK_ID)?.readSafeUint()
  }

  #uint(key: number): bigint | undefined {
    return this.reader(key)?.readUint()
  }
}

/**
 * Parses a transaction's body.
 *
 * @throws {@link InvalidCborError} on a repeated key, or when a part that is read has another structure.
 */
export function decodeTransactionBody(transaction: Pick<TransactionSpans, 'bytes' | 'body'>): TransactionBody {
  return new TransactionBody(transaction)
}
