import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'

/** What is needed to reconcile a transaction with the head's state. */
export interface TxRefs {
  readonly txId: string
  /** Its inputs as `'txHash#index'`; empty when its CBOR could not be read. */
  readonly inputs: readonly string[]
  readonly outputCount: number
}

/** Reads the references of a transaction; the node validates what cannot be read here. */
export function toTxRefs(txId: string, cborHex: string): TxRefs {
  try {
    const body = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex)))
    return { txId, inputs: body.inputs.map(({ txHash, index }) => `${txHash}#${index}`), outputCount: body.outputs.length }
  } catch {
    return { txId, inputs: [], outputCount: 0 }
  }
}
