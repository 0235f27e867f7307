import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import type { TransactionJson } from '../protocol/types.js'

/** References that reconcile a transaction with the head's state. */
export interface TxRefs {
  readonly txId: string
  /** Its inputs as `'txHash#index'`; empty when its CBOR could not be read. */
  readonly inputs: readonly string[]
  readonly outputCount: number
}

/**
 * True when two texts are one transaction with the same witnesses, validity flag and auxiliary data. The id covers the
 * body alone: a copy with other witnesses has the same id and a verdict of its own. Nodes may write the outer array in
 * another form, so its parts are compared.
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
 * Ids of a snapshot's transactions, without those of which a verifying bridge says that the signed outputs do not show
 * them.
 */
export function provenIds(confirmed: readonly TransactionJson[]): string[] {
  return confirmed.flatMap(({ txId, verified }) => (verified === false ? [] : [txId]))
}
