import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { Amount, ScriptRef, TxOutput } from '../../types/utxo.js'
import type { JsonValue } from './jsonText.js'
import { JsonText, toJson } from './jsonText.js'

const POLICY_CHARACTERS = 56
/** Deepest nesting of data that is written as JSON; the ledger's own limits keep real data far below. */
const MAX_DATUM_DEPTH = 1000

/** Writes an output as the node does (docs/protocol.md, shapes). */
export function txOutJson(output: TxOutput): string {
  const { address, amount, datumHash, inlineDatum, scriptRef } = output
  const datum: Record<string, JsonValue> =
    inlineDatum === undefined
      ? { datum: null, datumhash: datumHash ?? null, inlineDatum: null, inlineDatumRaw: null }
      : {
          datum: null,
          inlineDatum: new JsonText(datumJson(hexToBytes(inlineDatum))),
          inlineDatumRaw: inlineDatum,
          inlineDatumhash: bytesToHex(blake2b256(hexToBytes(inlineDatum)))
        }
  return toJson({
    address,
    ...datum,
    referenceScript: scriptRef === undefined ? null : scriptJson(scriptRef),
    value: valueJson(amount)
  })
}

/** Writes a value as the node does: lovelace, and per policy the quantities by asset name in hex. */
export function valueJson(amounts: readonly Amount[]): JsonText {
  const policies = new Map<string, string[]>()
  const members: string[] = []
  for (const { unit, quantity } of amounts) {
    if (unit === 'lovelace') {
      if (quantity !== '0') members.push(`"lovelace":${quantity}`)
      continue
    }
    const policy = unit.slice(0, POLICY_CHARACTERS)
    const names = policies.get(policy) ?? []
    names.push(`"${unit.slice(POLICY_CHARACTERS)}":${quantity}`)
    policies.set(policy, names)
  }
  for (const [policy, names] of policies) members.push(`"${policy}":{${names.join(',')}}`)
  return new JsonText(`{${members.join(',')}}`)
}

function scriptJson({ language, cborHex }: ScriptRef): JsonValue {
  const type = language === 'native' ? 'SimpleScript' : language.replace('Plutus', 'PlutusScript')
  const scriptLanguage = language === 'native' ? 'SimpleScriptLanguage' : `PlutusScriptLanguage ${type}`
  return { scriptLanguage, script: { type, description: '', cborHex } }
}

/** Writes Plutus data in the detailed schema. */
export function datumJson(bytes: Uint8Array): string {
  const reader = new CborReader(bytes, 'The datum')
  const text = readData(reader, 0)
  reader.finish()
  return text
}

function readData(reader: CborReader, depth: number): string {
  if (depth > MAX_DATUM_DEPTH) reader.fail(`at most ${MAX_DATUM_DEPTH} levels`, 'more')
  switch (reader.peekMajor()) {
    case MAJOR.UINT:
    case MAJOR.NEGATIVE:
      return `{"int":${reader.readInt()}}`
    case MAJOR.BYTES:
      return `{"bytes":"${bytesToHex(reader.readBytes())}"}`
    case MAJOR.ARRAY:
      return `{"list":${readList(reader, depth)}}`
    case MAJOR.MAP: {
      const pairs: string[] = []
      reader.eachEntry(() => pairs.push(`{"k":${readData(reader, depth + 1)},"v":${readData(reader, depth + 1)}}`))
      return `{"map":[${pairs.join(',')}]}`
    }
    case MAJOR.TAG:
      return readTagged(reader, depth)
    default:
      return reader.fail('Plutus data', 'another item')
  }
}

/** Writes tagged data: big integers (tags 2 and 3) and constructors (121 to 127, 1280 to 1400, 102). */
function readTagged(reader: CborReader, depth: number): string {
  const tag = reader.readTag()
  if (tag === 2 || tag === 3) {
    const magnitude = BigInt(`0x0${bytesToHex(reader.readBytes())}`)
    return `{"int":${tag === 2 ? magnitude : -1n - magnitude}}`
  }
  if (tag >= 121 && tag <= 127) return `{"constructor":${tag - 121},"fields":${readList(reader, depth)}}`
  if (tag >= 1280 && tag <= 1400) return `{"constructor":${tag - 1273},"fields":${readList(reader, depth)}}`
  if (tag !== 102) return reader.fail('the tag of a constructor or an integer', `tag ${tag}`)
  const count = reader.readArrayHeader()
  const constructor = reader.readUint()
  const fields = readList(reader, depth)
  if (count < 0) reader.readBreak()
  return `{"constructor":${constructor},"fields":${fields}}`
}

function readList(reader: CborReader, depth: number): string {
  const items: string[] = []
  reader.eachItem(() => items.push(readData(reader, depth + 1)))
  return `[${items.join(',')}]`
}
