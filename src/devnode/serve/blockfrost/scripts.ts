import { bytesToHex, hexToBytes } from '../../../codec/hex.js'
import { stringifyJson } from '../../../codec/json.js'
import { nativeScriptFromBytes } from '../../../codec/nativeScript.js'
import type { ScriptRef } from '../../../types/utxo.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import { scriptBytes } from '../../rules/scriptHash.js'
import type { JsonValue } from '../../json/jsonText.js'
import { JsonText } from '../../json/jsonText.js'
import { datumJson } from '../../json/txOutJson.js'
import { hashOf, notFound } from './reply.js'

/** GET /scripts/{script_hash}, alone or with `cbor` or `json` behind it. */
export function scriptInfo(hash: string, part: string | undefined, chain: BaseChain): JsonValue {
  const script = chain.findScript(hashOf(hash, 56))
  if (script === undefined) throw notFound()
  const isNative = script.language === 'native'
  const bytes = scriptBytes(script)
  if (part === 'cbor') return { cbor: isNative ? null : bytesToHex(bytes) }
  if (part === 'json') return { json: isNative ? nativeJson(bytes) : null }
  return { script_hash: hash.toLowerCase(), type: typeOf(script), serialised_size: isNative ? null : bytes.length }
}

function typeOf({ language }: ScriptRef): string {
  return language === 'native' ? 'timelock' : language.replace('Plutus', 'plutus')
}

function nativeJson(bytes: Uint8Array): JsonText {
  return new JsonText(stringifyJson(nativeScriptFromBytes(bytes)))
}

/** GET /scripts/datum/{datum_hash}, and `/cbor`. */
export function datumInfo(hash: string, asCbor: boolean, chain: BaseChain): JsonValue {
  const cbor = chain.findDatum(hashOf(hash, 64))
  if (cbor === undefined) throw notFound()
  return asCbor ? { cbor } : { json_value: new JsonText(datumJson(hexToBytes(cbor))) }
}
