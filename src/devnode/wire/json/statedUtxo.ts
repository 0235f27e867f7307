import { parseAddress } from '../../../codec/address.js'
import { bytesToHex, hexToBytes, isHex } from '../../../codec/hex.js'
import type { PlutusDataJson } from '../../../codec/plutusData.js'
import { PlutusData } from '../../../codec/plutusData.js'
import { encodeTxOutput } from '../../../codec/txOutput.js'
import type { Value } from '../../../codec/value.js'
import { addUnit, LOVELACE, valueToAmounts } from '../../../codec/value.js'
import { blake2b256 } from '../../../hash/blake2b.js'
import { LedgerEntry } from '../../rules/utxoSet.js'
import type { ScriptLanguage, ScriptRef, TxOutput } from '../../../types/utxo.js'
import { isObject } from '../../json/isObject.js'
import { ParseFailure } from '../../json/ParseFailure.js'

const MAX_COIN = 2n ** 64n - 1n
const MAX_QUANTITY = 2n ** 63n - 1n
const MAX_INDEX = 65_535
const POLICY_CHARACTERS = 56
const MAX_NAME_CHARACTERS = 64
const HASH_CHARACTERS = 64
const SCRIPT_TYPES: Readonly<Record<string, ScriptLanguage>> = {
  SimpleScript: 'native',
  PlutusScriptV1: 'PlutusV1',
  PlutusScriptV2: 'PlutusV2',
  PlutusScriptV3: 'PlutusV3'
}

/**
 * Reads a UTxO that a client states, in the node's JSON. Only `address` and `value` of an output are required; every
 * stated member has to be readable.
 *
 * @throws {@link ParseFailure}
 */
export function parseStatedUtxo(utxo: unknown, path: string): LedgerEntry[] {
  if (!isObject(utxo)) throw new ParseFailure(`Error in ${path}: parsing UTxO failed, expected Object`)
  return Object.entries(utxo).map(([ref, json]) => {
    const match = /^([0-9a-f]{64})#(\d{1,5})$/i.exec(ref)
    const index = Number(match?.[2])
    if (match === null || index > MAX_INDEX)
      throw new ParseFailure(`Error in ${path}: parsing TxIn failed: ${JSON.stringify(ref)}`)
    return entryAt({ txHash: match[1]!.toLowerCase(), index }, json, `${path}['${ref}']`)
  })
}

/** Returns an address that can be paid to. @throws {@link ParseFailure} */
export function parsePaymentAddress(text: unknown, path: string): string {
  if (typeof text !== 'string') throw new ParseFailure(`Error in ${path}: parsing AddressInEra failed, expected String`)
  return readable(path, 'AddressInEra', () => {
    const { type } = parseAddress(text)
    if (type === 'reward') throw new Error('a reward address')
    return text
  })
}

function entryAt(input: LedgerEntry['input'], json: unknown, path: string): LedgerEntry {
  if (!isObject(json)) throw new ParseFailure(`Error in ${path}: parsing TxOut failed, expected Object`)
  for (const key of ['address', 'value'])
    if (!Object.hasOwn(json, key))
      throw new ParseFailure(`Error in ${path}: parsing TxOut failed, key "${key}" not found`)
  const output: TxOutput = {
    address: parsePaymentAddress(json['address'], `${path}.address`),
    amount: valueToAmounts(valueAt(json['value'], `${path}.value`))
  }
  Object.assign(output, datumAt(json, path), scriptAt(json['referenceScript'], `${path}.referenceScript`))
  return readable(path, 'TxOut', () => {
    const entry = new LedgerEntry(input, output)
    encodeTxOutput(output)
    entry.assertReadable()
    return entry
  })
}

/** Runs `read`, and turns a codec's error into the error of the client's mistake. */
function readable<T>(path: string, what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ParseFailure(`Error in ${path}: parsing ${what} failed: ${(error as Error).message.split('\n')[0]!}`)
  }
}

function valueAt(json: unknown, path: string): Value {
  if (!isObject(json)) throw new ParseFailure(`Error in ${path}: parsing Value failed, expected Object`)
  const value: Value = new Map([[LOVELACE, 0n]])
  for (const [policy, quantities] of Object.entries(json)) {
    if (policy === LOVELACE) {
      addUnit(value, LOVELACE, quantityAt(quantities, `${path}.lovelace`, MAX_COIN))
      continue
    }
    const at = `${path}['${policy}']`
    if (!isHex(policy) || policy.length !== POLICY_CHARACTERS)
      throw new ParseFailure(`Error in ${at}: parsing PolicyId failed, expected 56 hexadecimal characters`)
    if (!isObject(quantities)) throw new ParseFailure(`Error in ${at}: parsing PolicyAssets failed, expected Object`)
    for (const [name, quantity] of Object.entries(quantities)) {
      const isName = name === '' || (isHex(name) && name.length <= MAX_NAME_CHARACTERS)
      if (!isName)
        throw new ParseFailure(
          `Error in ${at}: parsing AssetName failed, expected at most 32 bytes in hexadecimal: ${JSON.stringify(name)}`
        )
      addUnit(value, (policy + name).toLowerCase(), quantityAt(quantity, `${at}['${name}']`, MAX_QUANTITY))
    }
  }
  return value
}

function quantityAt(json: unknown, path: string, most: bigint): bigint {
  const quantity = typeof json === 'bigint' ? json : Number.isSafeInteger(json) ? BigInt(json as number) : null
  if (quantity === null || quantity < 0n || quantity > most)
    throw new ParseFailure(`Error in ${path}: parsing Quantity failed, expected a whole number from 0 to ${most}`)
  return quantity
}

/**
 * Returns a datum by its hash, or an inline one by its bytes or, where those are not stated, in the detailed schema.
 */
function datumAt(json: Readonly<Record<string, unknown>>, path: string): Pick<TxOutput, 'datumHash' | 'inlineDatum'> {
  const { datumhash, datum, inlineDatum, inlineDatumRaw, inlineDatumhash } = json
  if (datum != null) dataOf(datum, `${path}.datum`)
  if (inlineDatum == null && inlineDatumRaw == null)
    return datumhash == null ? {} : { datumHash: hashAt(datumhash, `${path}.datumhash`) }
  if (datumhash != null)
    throw new ParseFailure(`Error in ${path}: parsing TxOut failed, a datum hash and an inline datum`)
  const raw =
    inlineDatumRaw == null
      ? dataOf(inlineDatum, `${path}.inlineDatum`).toCbor()
      : rawAt(inlineDatumRaw, `${path}.inlineDatumRaw`)
  if (
    inlineDatumhash != null &&
    hashAt(inlineDatumhash, `${path}.inlineDatumhash`) !== bytesToHex(blake2b256(hexToBytes(raw)))
  ) {
    throw new ParseFailure(`Error in ${path}: parsing TxOut failed, inline datum not equivalent to inline datum hash`)
  }
  return { inlineDatum: raw }
}

const dataOf = (json: unknown, path: string): PlutusData =>
  readable(path, 'ScriptData', () => PlutusData.fromJson(json as PlutusDataJson))

function rawAt(json: unknown, path: string): string {
  if (typeof json !== 'string') throw new ParseFailure(`Error in ${path}: parsing ScriptData failed, expected String`)
  return readable(path, 'ScriptData', () => PlutusData.fromCbor(json).toCbor())
}

function hashAt(json: unknown, path: string): string {
  if (typeof json === 'string' && isHex(json) && json.length === HASH_CHARACTERS) return json.toLowerCase()
  throw new ParseFailure(`Error in ${path}: parsing Hash ScriptData failed, expected 64 hexadecimal characters`)
}

function scriptAt(json: unknown, path: string): { scriptRef?: ScriptRef } {
  if (json == null) return {}
  const script = isObject(json) ? json['script'] : undefined
  const { type, cborHex } = isObject(script) ? script : {}
  const language = typeof type === 'string' && Object.hasOwn(SCRIPT_TYPES, type) ? SCRIPT_TYPES[type] : undefined
  if (language === undefined || typeof cborHex !== 'string' || !isHex(cborHex)) {
    throw new ParseFailure(
      `Error in ${path}: parsing ScriptInAnyLang failed, expected "script" with "type" and "cborHex"`
    )
  }
  return { scriptRef: { language, cborHex } }
}
