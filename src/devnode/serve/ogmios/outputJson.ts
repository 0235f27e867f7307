import { bytesToHex } from '../../../codec/hex.js'
import type { NativeScript } from '../../../codec/nativeScript.js'
import { nativeScriptFromBytes } from '../../../codec/nativeScript.js'
import type { ScriptRef, UTxO } from '../../../types/utxo.js'
import { scriptBytes } from '../../rules/scriptHash.js'
import type { JsonValue } from '../../json/jsonText.js'
import { JsonText } from '../../json/jsonText.js'

/** An unspent output, as Ogmios writes it. */
export function utxoJson({ input, output }: UTxO): JsonValue {
  return { transaction: { id: input.txHash }, index: input.index, ...outputJson({ input, output }) }
}

/** An output without its reference. */
export function outputJson({ output }: UTxO): Record<string, JsonValue | undefined> {
  const { address, datumHash, inlineDatum, scriptRef } = output
  const value = ogmiosValue(output.amount.map(({ unit, quantity }) => [unit, quantity] as const))
  return { address, value, datumHash, datum: inlineDatum, script: scriptRef && scriptJson(scriptRef) }
}

/** Returns a value in Ogmios's form, by policy and asset name. Quantities are JSON integers at any size, never texts. */
export function ogmiosValue(units: Iterable<readonly [unit: string, quantity: string | bigint]>): JsonValue {
  const value = new Map<string, Map<string, JsonValue>>([['ada', new Map([['lovelace', 0]])]])
  for (const [unit, quantity] of units) {
    const [policy, name] = unit === 'lovelace' ? (['ada', 'lovelace'] as const) : [unit.slice(0, 56), unit.slice(56)]
    const names = value.get(policy) ?? new Map<string, JsonValue>()
    value.set(policy, names.set(name, new JsonText(String(quantity))))
  }
  return Object.fromEntries([...value].map(([policy, names]) => [policy, Object.fromEntries(names)]))
}

/** `{ ada: { lovelace } }` */
export function lovelaceJson(amount: bigint | number): JsonValue {
  return { ada: { lovelace: amount } }
}

/** A script by the bytes that the ledger hashes; a native script also by its clauses. */
function scriptJson(script: ScriptRef): JsonValue {
  const bytes = scriptBytes(script)
  const { language } = script
  if (language === 'native')
    return { language, json: clauseJson(nativeScriptFromBytes(bytes)), cbor: bytesToHex(bytes) }
  return { language: language.replace('PlutusV', 'plutus:v'), cbor: bytesToHex(bytes) }
}

function clauseJson(script: NativeScript): JsonValue {
  switch (script.type) {
    case 'sig':
      return { clause: 'signature', from: script.keyHash }
    case 'all':
    case 'any':
      return { clause: script.type, from: script.scripts.map(clauseJson) }
    case 'atLeast':
      return { clause: 'some', atLeast: script.required, from: script.scripts.map(clauseJson) }
    default:
      return { clause: script.type, slot: script.slot }
  }
}
