import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import type { TransactionJson } from '../protocol/types.js'

/** References by which a transaction is compared with the head's state. */
export interface TxRefs {
  readonly txId: string
  /** Its inputs as `'txHash#index'`; empty when its CBOR could not be read. */
  readonly inputs: readonly string[]
  readonly outputCount: number
}

/**
 * Returns true when two texts are the same transaction with the same witnesses, validity flag and auxiliary data. The
 * id covers the body alone: a copy with other witnesses has the same id and a verdict of its own. Nodes may write the
 * outer array in another form, so its parts are compared.
 */
export function isSameTransaction(a: string, b: string): boolean {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()]
  if (first === second) return true
  try {
    return partsOf(first) === partsOf(second)
  } catch {
    return false
  }
}

function partsOf(cborHex: string): string {
  const { body, witnessSet, isValid, auxiliaryData } = readTransaction(toTransactionBytes(cborHex))
  const textOf = (span: { start: number; end: number } | null, absent: string): string =>
    span === null ? absent : cborHex.slice(2 * span.start, 2 * span.end)
  return [textOf(body, ''), textOf(witnessSet, ''), textOf(isValid, 'f5'), textOf(auxiliaryData, 'f6')].join(' ')
}

/** Reads the references of a transaction; the node validates a transaction that cannot be read here. */
export function toTxRefs(txId: string, cborHex: string): TxRefs {
  try {
    const body = decodeTransactionBody(readTransaction(toTransactionBytes(cborHex)))
    return {
      txId,
      inputs: body.inputs.map(({ txHash, index }) => `${txHash}#${index}`),
      outputCount: body.outputs.length
    }
  } catch {
    return { txId, inputs: [], outputCount: 0 }
  }
}

/**
 * Returns the ids of a snapshot's transactions, without those that a verifying bridge has marked as not shown by the
 * signed outputs.
 */
export function provenIds(confirmed: readonly TransactionJson[]): string[] {
  return confirmed.flatMap(({ txId, verified }) => (verified === false ? [] : [txId]))
}
