import { decodeAuxiliaryData } from '../../../codec/auxiliaryData.js'
import { bytesToHex } from '../../../codec/hex.js'
import { stringifyJson } from '../../../codec/json.js'
import { readTransaction } from '../../../codec/transaction.js'
import { blake2b256 } from '../../../hash/blake2b.js'
import type { BaseApiRequest } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { BaseTransaction } from '../../chain/baseHistory.js'
import type { JsonValue } from '../../json/jsonText.js'
import { JsonText } from '../../json/jsonText.js'
import { KupoFailure } from './failure.js'
import { isHexPattern } from './pattern.js'

/** GET /metadata/{slot}: the metadata of the transactions of a block, or of one of them. */
export function metadataAt(slot: string, { query }: BaseApiRequest, chain: BaseChain): JsonValue {
  const txId = query.get('transaction_id')
  if (!/^\d{1,15}$/.test(slot)) throw new KupoFailure(400, "The given path parameter isn't a slot: a whole number.")
  if (txId !== null && !isHexPattern(txId, 64))
    throw new KupoFailure(400, "The query parameter 'transaction_id' is a blake2b-256 hash: 64 hexadecimal characters.")
  const found: JsonValue[] = []
  for (const tx of chain.history.transactions()) {
    if (tx.slot !== Number(slot) || (txId !== null && tx.txId !== txId.toLowerCase())) continue
    const json = metadataJson(tx)
    if (json !== null) found.push(json)
  }
  return found
}

function metadataJson({ submitted }: BaseTransaction): JsonValue | null {
  const span = submitted === null ? null : readTransaction(submitted.bytes).auxiliaryData
  if (submitted === null || span === null) return null
  const raw = submitted.bytes.subarray(span.start, span.end)
  const { metadata } = decodeAuxiliaryData(raw)
  const schema = [...metadata].map(([label, metadatum]): [string, JsonValue] => [
    String(label),
    new JsonText(stringifyJson(metadatum.toJson()))
  ])
  return { hash: bytesToHex(blake2b256(raw)), raw: bytesToHex(raw), schema: Object.fromEntries(schema) }
}
