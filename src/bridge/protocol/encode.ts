import { stringifyJson } from '../../codec/json.js'
import type { ConfirmedSnapshot, LayerInput, TransactionJson, UTxOObject } from './types.js'

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
