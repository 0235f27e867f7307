import { isPlainRecord, ownMember, readOutputData } from '../accumulator/inner.js'
import { hexToBytes } from '../codec/hex.js'
import { readTransaction, transactionId } from '../codec/transaction.js'
import type { TransactionSpans } from '../codec/transaction.js'
import { decodeTransactionBody } from '../codec/transactionBody.js'
import type { TransactionBody } from '../codec/transactionBody.js'

/** A decoded transaction whose stated id matches its body. */
export interface ReadTx {
  readonly txId: string
  readonly spans: TransactionSpans
  readonly body: TransactionBody
  /** Keys of the outputs that it spends. */
  readonly spent: readonly string[]
  /** The outputs that it makes, as the parties hash them; undefined at Byron addresses. */
  readonly made: ReadonlyMap<string, Uint8Array | undefined>
}

const CBOR_FALSE = 0xf4

/**
 * Decodes a transaction from the node's envelope. Returns null for one that cannot count: its bytes are absent or
 * invalid, its id is not that of its body, or its scripts failed.
 */
export function readTx(transaction: unknown): ReadTx | null {
  if (!isPlainRecord(transaction)) return null
  const [txId, cborHex] = [ownMember(transaction, 'txId'), ownMember(transaction, 'cborHex')]
  if (typeof txId !== 'string' || typeof cborHex !== 'string') return null
  try {
    const spans = readTransaction(hexToBytes(cborHex, 'The transaction'))
    if (transactionId(spans) !== txId) return null
    if (spans.isValid !== null && spans.bytes[spans.isValid.start] === CBOR_FALSE) return null
    const body = decodeTransactionBody(spans)
    const made = new Map(body.outputs.map((output, index) => [`${txId}#${index}`, readOutputData(output)]))
    return { txId, spans, body, spent: body.inputs.map(({ txHash, index }) => `${txHash}#${index}`), made }
  } catch {
    return null
  }
}
