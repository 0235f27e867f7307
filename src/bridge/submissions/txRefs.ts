import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'

/** What judging a transaction by the head's state needs. */
export interface TxRefs {
  readonly txId: string
  /** Its inputs as `'txHash#index'`; empty when its CBOR could not be read. */
  readonly inputs: readonly string[]
  readonly outputCount: number
}

/** Reads the shape of a transaction; the node is the judge of what cannot be read. */
export function toTxRefs(txId: string, cborHex: string): TxRefs {
  try {
    const body = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex)))
    return { txId, inputs: body.inputs.map(({ txHash, index }) => `${txHash}#${index}`), outputCount: body.outputs.length }
  } catch {
    return { txId, inputs: [], outputCount: 0 }
  }
}
