import { parseJson } from '../../codec/json.js'
import type { LayerInput, TransactionJson } from './types.js'
import { isInput } from './fields.js'
import { commandRow } from './commandTable.js'
import type { WireRecord } from './wireRecord.js'
import { getOwn } from './wireRecord.js'

/** Returns a signed transaction in the JSON envelope that the node itself uses. */
export function toEnvelope(transaction: {
  cborHex: string
  txId: string
  type?: string
  description?: string
}): Required<Omit<TransactionJson, 'verified'>> {
  const { cborHex, txId, type = 'Tx ConwayEra', description = '' } = transaction
  return { type, description, cborHex, txId }
}

/** Returns the id of the transaction or deposit that an input names; null when it names none. */
export function inputTxId(input: LayerInput): string | null {
  for (const [name, { type }] of Object.entries(commandRow(input.tag)?.fields ?? {})) {
    const carried = getOwn(input as unknown as WireRecord, name)
    if (type === 'txId') return carried as string
    if (type === 'transaction') return (carried as TransactionJson).txId
  }
  return null
}

/** Parses the input that the message InvalidInput quotes as text; null when the text is not an input. */
export function parseEchoedInput(text: string): LayerInput | null {
  try {
    const input = parseJson(text)
    return isInput(input) ? input : null
  } catch {
    return null
  }
}
