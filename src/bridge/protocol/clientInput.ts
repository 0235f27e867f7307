import { parseJson } from '../../codec/json.js'
import type { LayerInput, TransactionJson } from './types.js'
import { checkFields, isRecord } from './wireRecord.js'

/** A signed transaction in the envelope the node sends itself. */
export function toEnvelope(transaction: { cborHex: string; txId: string; type?: string; description?: string }): Required<TransactionJson> {
  const { cborHex, txId, type = 'Tx ConwayEra', description = '' } = transaction
  return { type, description, cborHex, txId }
}

/** Id of the transaction or deposit that an input is about, null when it is about none. */
export function inputTxId(input: LayerInput): string | null {
  if (input.tag === 'NewTx') return input.transaction.txId
  if (input.tag === 'Decommit') return input.decommitTx.txId
  return input.tag === 'Recover' ? input.recoverTxId : null
}

/** The input that InvalidInput quotes as text, or null when that is no input (the text can be anything). */
export function parseEchoedInput(text: string): LayerInput | null {
  try {
    const input = parseJson(text)
    if (!isRecord(input)) return null
    checkFields({ input }, 'input:i', 'An echoed input')
    return input as unknown as LayerInput
  } catch {
    return null
  }
}
