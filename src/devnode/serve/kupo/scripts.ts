import { bytesToHex } from '../../../codec/hex.js'
import type { ScriptRef } from '../../../types/utxo.js'
import { scriptBytes } from '../../rules/scriptHash.js'
import type { JsonValue } from '../../json/jsonText.js'

/** A script by the bytes that the ledger hashes. */
export function scriptJson(script: ScriptRef): JsonValue {
  return { language: script.language.replace('PlutusV', 'plutus:v'), script: bytesToHex(scriptBytes(script)) }
}
