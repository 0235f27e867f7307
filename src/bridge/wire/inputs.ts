import { parseJson, stringifyJson } from '../../codec/json.js'
import type { ConfirmedSnapshot, LayerInput, TransactionJson, UTxOObject } from '../shapes.js'
import { checkFields, isRecord } from './check.js'

/** What each input carries besides its tag. */
interface Arguments {
  NewTx: TransactionJson
  Recover: string
  Decommit: TransactionJson
  PartialFanout: UTxOObject
  SideLoadSnapshot: ConfirmedSnapshot
}

/** Tag of an input to the node. */
export type InputTag = LayerInput['tag']

/** The node's name of what an input carries. */
const FIELD: Readonly<Record<keyof Arguments, string>> = {
  NewTx: 'transaction',
  Recover: 'recoverTxId',
  Decommit: 'decommitTx',
  PartialFanout: 'utxoToFanout',
  SideLoadSnapshot: 'snapshot'
}

/** An input to the node: its tag, and its argument where it takes one, e.g. `buildInput('Recover', depositTxId)`. */
export function buildInput<Tag extends InputTag>(tag: Tag, ...argument: Tag extends keyof Arguments ? [Arguments[Tag]] : []): LayerInput {
  const field = (FIELD as Readonly<Record<string, string | undefined>>)[tag]
  return (field === undefined ? { tag } : { tag, [field]: argument[0] }) as LayerInput
}

/** An input as the text of one frame; bigints become bare integers, so UTxO go back exactly as they came. */
export function encodeInput(input: LayerInput): string {
  return stringifyJson(input)
}

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
