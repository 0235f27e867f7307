import { hexToBytes } from '../../../codec/hex.js'
import { parseJson } from '../../../codec/json.js'
import type { Amount, ScriptLanguage, ScriptRef, TxOutput } from '../../../types/utxo.js'
import type { BaseApiRequest } from '../../chain/BaseApi.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { RedeemerUnits } from '../../chain/evaluateTx.js'
import { evaluateTx, EvaluationFailure } from '../../chain/evaluateTx.js'
import { scriptCbor } from '../../rules/scriptHash.js'
import { LedgerEntry } from '../../rules/utxoSet.js'
import { isObject } from '../../json/isObject.js'
import type { JsonValue } from '../../json/jsonText.js'
import { IndexerFailure } from './reply.js'

/** Names of the purposes in version 5 of Ogmios, the default of the routes. */
const PURPOSES_V5: Readonly<Record<string, string>> = { publish: 'certificate', withdraw: 'withdrawal' }

/**
 * POST /utils/txs/evaluate, with the transaction as text or bytes, and `/utxos`, with JSON that holds further outputs.
 */
export async function evaluateTransaction(request: BaseApiRequest, chain: BaseChain): Promise<JsonValue> {
  const { bytes, additional } =
    request.segments.length === 4 ? readJsonRequest(request) : { bytes: readPlainRequest(request), additional: [] }
  const version = request.query.get('version') === '6' ? 6 : 5
  let units: readonly RedeemerUnits[]
  try {
    units = await evaluateTx(bytes, additional, chain)
  } catch (error) {
    if (!(error instanceof EvaluationFailure))
      throw new IndexerFailure(400, `The transaction cannot be read. ${(error as Error).message}`)
    return version === 6 ? failureV6(error) : answerV5({ EvaluationFailure: failureV5(error) })
  }
  if (version === 6) {
    const result = units.map(({ purpose, index, memory, cpu }) => ({
      validator: { purpose, index },
      budget: { memory, cpu }
    }))
    return { jsonrpc: '2.0', method: 'evaluateTransaction', result, id: null }
  }
  const pairs = units.map(({ purpose, index, memory, cpu }) => [
    `${PURPOSES_V5[purpose] ?? purpose}:${index}`,
    { memory, steps: cpu }
  ])
  return answerV5({ EvaluationResult: Object.fromEntries(pairs) as JsonValue })
}

function answerV5(result: JsonValue): JsonValue {
  return {
    type: 'jsonwsp/response',
    version: '1.0',
    servicename: 'ogmios',
    methodname: 'EvaluateTx',
    result,
    reflection: null
  }
}

function failureV5({ reason, message, inputs, validator, logs }: EvaluationFailure): JsonValue {
  if (reason === 'overlap')
    return { AdditionalUtxoOverlap: inputs.map(({ txHash, index }) => ({ txId: txHash, index })) }
  return reason === 'context'
    ? { CannotCreateEvaluationContext: { reason: message } }
    : {
        ScriptFailures: {
          [`${PURPOSES_V5[validator.purpose] ?? validator.purpose}:${validator.index}`]: [
            { validatorFailed: { error: message, traces: logs } }
          ]
        }
      }
}

function failureV6({ message }: EvaluationFailure): JsonValue {
  return {
    jsonrpc: '2.0',
    method: 'evaluateTransaction',
    error: { code: 3004, message, data: { reason: message } },
    id: null
  }
}

function readPlainRequest({ body }: BaseApiRequest): Uint8Array {
  // A transaction's first byte is that of an array: no hex or base64 text begins with it.
  return body[0] === 0x84 || body[0] === 0x83 || body[0] === 0x9f ? body : bytesOfText(new TextDecoder().decode(body))
}

function readJsonRequest({ body }: BaseApiRequest): { bytes: Uint8Array; additional: LedgerEntry[] } {
  const malformed = (): IndexerFailure =>
    new IndexerFailure(400, 'body must be { cbor, additionalUtxoSet: [[TxIn, TxOut]] }')
  try {
    const request = parseJson(new TextDecoder().decode(body))
    if (!isObject(request) || typeof request['cbor'] !== 'string') throw malformed()
    // As Blockfrost: Blaze 0.2.48 sends `additionalUtxoset`, with outputs that cannot be read, and both ignore it.
    const additionalUtxos = request['additionalUtxoSet'] ?? []
    if (!Array.isArray(additionalUtxos)) throw malformed()
    return { bytes: bytesOfText(request['cbor']), additional: additionalUtxos.map((pair) => additionalEntry(pair)) }
  } catch (error) {
    throw error instanceof IndexerFailure ? error : malformed()
  }
}

function bytesOfText(text: string): Uint8Array {
  const trimmed = text.trim().replace(/^"|"$/g, '')
  if (/^([0-9a-fA-F]{2})+$/.test(trimmed)) return hexToBytes(trimmed)
  try {
    return Uint8Array.from(atob(trimmed), (character) => character.charCodeAt(0))
  } catch {
    throw new IndexerFailure(400, 'The transaction is neither hex nor base64.')
  }
}

/** A pair of Ogmios v5: `[{ txId, index }, { address, value: { coins, assets }, datumHash, datum, script }]`. */
function additionalEntry(pair: unknown): LedgerEntry {
  const [txIn, txOut] = pair as [Record<string, unknown>, Record<string, unknown>]
  const value = txOut['value'] as Record<string, unknown>
  const assets = isObject(value['assets']) ? Object.entries(value['assets']) : []
  const amount: Amount[] = [
    { unit: 'lovelace', quantity: String(value['coins']) },
    ...assets.map(([unit, quantity]) => ({ unit: unit.replace('.', ''), quantity: String(quantity) }))
  ]
  const output: TxOutput = { address: String(txOut['address']), amount }
  const datumHash = txOut['datumHash'] ?? txOut['datum_hash']
  if (typeof txOut['datum'] === 'string') output.inlineDatum = txOut['datum']
  else if (typeof datumHash === 'string') output.datumHash = datumHash
  const script = scriptOf(txOut['script'])
  if (script !== null) output.scriptRef = script
  return new LedgerEntry({ txHash: String(txIn['txId']), index: Number(txIn['index']) }, output)
}

function scriptOf(script: unknown): ScriptRef | null {
  if (!isObject(script)) return null
  const [name = '', cbor] = Object.entries(script)[0] ?? []
  const language = name.replace('plutus:v', 'PlutusV') as ScriptLanguage
  if (typeof cbor !== 'string' || !/^PlutusV[123]$/.test(language)) throw new Error('Only Plutus scripts can be given.')
  return { language, cborHex: scriptCbor(hexToBytes(cbor)) }
}
