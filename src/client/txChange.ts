import { readTransaction, toTransactionBytes } from '../codec/transaction.js'
import type { TransactionSpans } from '../codec/transaction.js'
import { decodeTransactionBody } from '../codec/transactionBody.js'
import type { TransactionBody } from '../codec/transactionBody.js'
import { isLayerError } from '../errors/base.js'
import type { TxInput, TxOutput } from '../types/utxo.js'

const CBOR_FALSE = 0xf4

/** Effect of a confirmed transaction on the outputs. */
export interface TxChange {
  readonly spans: TransactionSpans
  readonly body: TransactionBody
  /** References of the outputs that it spends: `txHash#index`. */
  readonly spent: readonly string[]
  /** Outputs that it makes, with their positions. */
  readonly made: readonly { readonly index: number; readonly output: TxOutput }[]
}

/**
 * Reads the effect of a transaction on the outputs. One whose scripts fail spends its collateral instead, and makes
 * only the change of that, at the index after its listed outputs.
 *
 * @throws {@link InvalidHexError}, {@link InvalidCborError}, {@link InvalidAddressError}
 */
export function txChange(cborHex: string): TxChange {
  const spans = readTransaction(toTransactionBytes(cborHex))
  const body = decodeTransactionBody(spans)
  const { outputs } = body
  const { isValid, bytes } = spans
  if (isValid === null || bytes[isValid.start] !== CBOR_FALSE) {
    const made = outputs.map((output, index) => ({ index, output }))
    return { spans, body, spent: body.inputs.map(keyOf), made }
  }
  const change = body.collateralReturn
  const made = change === undefined ? [] : [{ index: outputs.length, output: change }]
  return { spans, body, spent: body.collateral.map(keyOf), made }
}

/** Reads the effect of a transaction; null where only its id is known, or it cannot be read. */
export function readTxChange(cborHex: string | undefined): TxChange | null {
  if (cborHex === undefined) return null
  try {
    return txChange(cborHex)
  } catch (error) {
    if (isLayerError(error)) return null
    throw error
  }
}

const keyOf = ({ txHash, index }: TxInput): string => `${txHash}#${index}`
