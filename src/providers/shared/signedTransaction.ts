import { hexToBytes } from '../../codec/hex.js'
import { readTransaction, transactionId } from '../../codec/transaction.js'

/** Facts about a transaction that a submitter needs. */
export interface SignedTransaction {
  bytes: Uint8Array
  /** blake2b-256 of the body's own bytes: hex, 64 characters. */
  txId: string
}

/** Reads the bytes and the id of a signed transaction. @throws {@link InvalidHexError} {@link InvalidCborError} */
export function readSignedTransaction(cborHex: string): SignedTransaction {
  const bytes = hexToBytes(cborHex, 'The signed transaction')
  return { bytes, txId: transactionId(readTransaction(bytes)) }
}
