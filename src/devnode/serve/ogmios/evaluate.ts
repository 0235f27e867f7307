import { hexToBytes } from '../../../codec/hex.js'
import type { Amount, ScriptLanguage, ScriptRef, TxOutput } from '../../../types/utxo.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { RedeemerUnits } from '../../chain/evaluateTx.js'
import { evaluateTx, EvaluationFailure } from '../../chain/evaluateTx.js'
import { scriptCbor } from '../../rules/scriptHash.js'
import { LedgerEntry } from '../../rules/utxoSet.js'
import { isObject } from '../../json/isObject.js'
import type { JsonValue } from '../../json/jsonText.js'
import { invalidRequest, RpcFailure } from './failure.js'
import type { Params } from './Params.js'
import { deserialisationFailure, transactionBytes } from './submit.js'

/** `evaluateTransaction`: the units of each script. */
export async function answerEvaluate(params: Params, chain: BaseChain): Promise<JsonValue> {
  const bytes = transactionBytes(params)
  const additional = readAdditional(params['additionalUtxo'] ?? [])
  let units: readonly RedeemerUnits[]
  try {
    units = await evaluateTx(bytes, additional, chain)
  } catch (error) {
    throw error instanceof EvaluationFailure ? evaluationFailure(error) : deserialisationFailure(error as Error)
  }
  return units.map(({ purpose, index, memory, cpu }) => ({ validator: { purpose, index }, budget: { memory, cpu } }))
}

function evaluationFailure({ reason, message, inputs, validator, logs }: EvaluationFailure): RpcFailure {
  if (reason === 'overlap') {
    const overlappingOutputReferences = inputs.map(({ txHash, index }) => ({ transaction: { id: txHash }, index }))
    return new RpcFailure(3002, message, { overlappingOutputReferences })
  }
  if (reason === 'context') return new RpcFailure(3004, message, { reason: message })
  const failed = { code: 3012, message, data: { validationError: message, traces: logs } }
  return new RpcFailure(3010, 'Some scripts of the transaction terminated with error(s).', [
    { validator, error: failed }
  ])
}

function readAdditional(entries: unknown): LedgerEntry[] {
  try {
    if (Array.isArray(entries)) return entries.map(readEntry)
  } catch {
    // Said below.
  }
  throw invalidRequest("field 'additionalUtxo' must be an array of outputs with their references")
}

function readEntry(entry: unknown): LedgerEntry {
  const { transaction, index, address, value, datumHash, datum, script } = entry as Readonly<Record<string, unknown>>
  const output: TxOutput = {
    address: String(address),
    amount: readValue(value as Record<string, Record<string, unknown>>)
  }
  if (typeof datum === 'string') output.inlineDatum = datum
  else if (typeof datumHash === 'string') output.datumHash = datumHash
  const scriptRef = readScript(script)
  if (scriptRef !== null) output.scriptRef = scriptRef
  return new LedgerEntry({ txHash: String((transaction as { id: unknown }).id), index: Number(index) }, output)
}

function readValue({ ada, ...policies }: Record<string, Record<string, unknown>>): Amount[] {
  const assets = Object.entries(policies).flatMap(([policy, names]) =>
    Object.entries(names).map(([name, quantity]) => ({ unit: policy + name, quantity: String(quantity) }))
  )
  return [{ unit: 'lovelace', quantity: String(ada!['lovelace']) }, ...assets]
}

function readScript(script: unknown): ScriptRef | null {
  if (!isObject(script)) return null
  const { language, cbor } = script as { language: string; cbor: string }
  if (language === 'native') return { language, cborHex: cbor }
  return { language: language.replace('plutus:v', 'PlutusV') as ScriptLanguage, cborHex: scriptCbor(hexToBytes(cbor)) }
}
