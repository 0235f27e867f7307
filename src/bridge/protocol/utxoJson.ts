import type { ScriptLanguage, TxInput, TxOutput, UTxO } from '../../types/utxo.js'
import type { TxOutJson, UTxOObject, ValueJson, WireInteger } from './types.js'
import type { WireRecord } from './wireRecord.js'
import { isRecord, getOwn, protocolError } from './wireRecord.js'
import { datumCbor } from './datumJson.js'

// Not the one of codec/value: a page that watches a head loads no decoder of values.
const LOVELACE = 'lovelace'

/** The node's names of script languages. */
const LANGUAGES: Readonly<Record<string, ScriptLanguage>> = {
  SimpleScript: 'native',
  PlutusScriptV1: 'PlutusV1',
  PlutusScriptV2: 'PlutusV2',
  PlutusScriptV3: 'PlutusV3'
}

/** Checks a quantity of the node's JSON: a whole number from 0 on, a bigint where it is beyond 2^53 - 1. */
function checkQuantity(value: unknown, unit: string): WireInteger {
  if (typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : typeof value === 'bigint' && value >= 0n)
    return value as WireInteger
  return protocolError(`The quantity of ${unit.slice(0, 120)}`, 'a whole number from 0 on', value)
}

/**
 * Joins policy id and asset name. Units are kept, so their length must have a bound: 28 bytes of policy id and up to 32
 * of name.
 */
function joinUnit(policy: string, name: string): string {
  if (!/^[\da-f]{56}$/i.test(policy)) protocolError('A policy id', '56 hex digits', policy)
  if (!/^[\da-f]{0,64}$/i.test(name)) protocolError('An asset name', 'at most 64 hex digits', name)
  return policy + name
}

/** Maximum number of units kept as joined strings. */
const MAX_UNITS = 4096

/**
 * Units by policy id and asset name: joining and hashing a text costs more than looking it up. It is a class, as V8
 * discards the compiled code of a closure once that closure is gone.
 */
export class UnitCache {
  readonly #policies = new Map<string, Map<string, string>>()
  #size = 0

  /** @throws {@link ProtocolError} unless they are hex of the ledger's lengths */
  join(policy: string, name: string): string {
    let names = this.#policies.get(policy)
    const cachedUnit = names?.get(name)
    if (cachedUnit !== undefined) return cachedUnit
    const unit = joinUnit(policy, name)
    if (this.#size >= MAX_UNITS) return unit
    if (names === undefined) this.#policies.set(policy, (names = new Map()))
    names.set(name, unit)
    this.#size++
    return unit
  }
}

/**
 * Calls `each` with every unit of a value and its quantity.
 *
 * @throws {@link ProtocolError} when the value has a different form, or a quantity is not a whole number from 0 on.
 */
export function eachAmount(
  value: unknown,
  each: (unit: string, quantity: WireInteger) => void,
  units: UnitCache | null = null
): void {
  const policies = isRecord(value) ? value : protocolError('The value of an output', 'an object', value)
  for (const policy in policies) {
    const entry = policies[policy]
    if (policy === LOVELACE) each(LOVELACE, checkQuantity(entry, LOVELACE))
    else {
      const assets = isRecord(entry)
        ? entry
        : protocolError(`The assets of policy ${policy.slice(0, 60)}`, 'an object', entry)
      for (const name in assets)
        each(units === null ? joinUnit(policy, name) : units.join(policy, name), checkQuantity(assets[name], policy))
    }
  }
}

/**
 * Addresses in bech32 have at most 108 characters, those of Byron with every attribute the ledger allows fewer than
 * 300.
 */
const MAX_ADDRESS_CHARACTERS = 512
/** Maximum length of a key: a hash in hex, `#` and nine digits. */
const MAX_KEY_CHARACTERS = 74

/** Returns the address of an output of the node's JSON. */
export function addressOf(output: unknown, key: string): string {
  const address = isRecord(output) ? getOwn(output, 'address') : undefined
  if (typeof address !== 'string')
    return protocolError(`The output ${key.slice(0, 80)}`, 'an object with an address', output)
  if (address.length > MAX_ADDRESS_CHARACTERS)
    return protocolError('The address of an output', `at most ${MAX_ADDRESS_CHARACTERS} characters`, address)
  return address
}

/** Parses a key `'txHash#index'` of the node's JSON. */
export function parseInputKey(key: string): TxInput {
  const at = key.lastIndexOf('#')
  const index = key.slice(at + 1)
  if (at < 1 || key.length > MAX_KEY_CHARACTERS || !/^\d{1,9}$/.test(index))
    return protocolError('A key of the UTxO', 'txHash#index', key)
  return { txHash: key.slice(0, at), index: Number(index) }
}

/** Returns a reference to an output as the node writes it: `'txHash#index'`. */
export function toInputKey({ txHash, index }: TxInput): string {
  return `${txHash}#${index}`
}

const optionalHex = (record: WireRecord, name: string): string | undefined => {
  const value = getOwn(record, name)
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : protocolError(`The field ${name} of an output`, 'hex or null', value)
}

/**
 * Converts an output of the node's JSON into its public form: lovelace first, then units in order; quantities exact.
 *
 * @throws {@link ProtocolError} when a part has a different type, or a quantity is not a whole number from 0 on.
 */
export function outputFromJson(json: TxOutJson, key: string): TxOutput {
  const address = addressOf(json, key)
  const record = json as unknown as WireRecord
  let lovelace: WireInteger = 0
  const assets: TxOutput['amount'] = []
  eachAmount(json.value, (unit, quantity) => {
    if (unit === LOVELACE) lovelace = quantity
    else if (quantity > 0) assets.push({ unit, quantity: String(quantity) })
  })
  const output: TxOutput = { address, amount: [{ unit: LOVELACE, quantity: String(lovelace) }, ...sortAmounts(assets)] }
  const raw = optionalHex(record, 'inlineDatumRaw')
  const inline = getOwn(record, 'inlineDatum') ?? undefined
  const hash = optionalHex(record, 'datumhash')
  if (raw !== undefined) output.inlineDatum = raw
  else if (inline !== undefined) output.inlineDatum = datumCbor(inline)
  else if (hash !== undefined) output.datumHash = hash
  const script = getOwn(record, 'referenceScript') ?? undefined
  if (script !== undefined) output.scriptRef = scriptFromJson(script)
  return output
}

/** Sorts amounts as the node does: policies and names as texts. All sources of outputs do so, to compare equal. */
export function sortAmounts(amounts: TxOutput['amount']): TxOutput['amount'] {
  return amounts.sort((a, b) => (a.unit < b.unit ? -1 : a.unit > b.unit ? 1 : 0))
}

function scriptFromJson(json: unknown): NonNullable<TxOutput['scriptRef']> {
  const script = isRecord(json) ? getOwn(json, 'script') : undefined
  const type = isRecord(script) ? getOwn(script, 'type') : undefined
  const language = typeof type === 'string' ? (getOwn(LANGUAGES, type) as ScriptLanguage | undefined) : undefined
  const cborHex = isRecord(script) ? optionalHex(script, 'cborHex') : undefined
  if (language === undefined || cborHex === undefined)
    return protocolError('A reference script', `one of ${Object.keys(LANGUAGES).join(', ')} with cborHex`, type)
  return { language, cborHex }
}

/**
 * Converts outputs of the node's JSON into a list.
 *
 * @throws {@link ProtocolError} when one of them cannot be read: none is left out silently.
 * @example
 * ```ts
 * import { utxoFromJson } from 'layer-sdk/bridge'
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * console.log(utxoFromJson({ [`${'00'.repeat(32)}#0`]: { address, value: { lovelace: 5000000 } } })[0]?.output.amount)
 * ```
 */
export function utxoFromJson(utxo: UTxOObject): UTxO[] {
  if (!isRecord(utxo)) return protocolError('A UTxO', 'an object', utxo)
  return Object.keys(utxo).map((key) => ({ input: parseInputKey(key), output: outputFromJson(utxo[key]!, key) }))
}

/** Converts an output into the JSON that the node reads. Quantities are written exactly. */
export function outputToJson(output: TxOutput): TxOutJson {
  const value: Record<string, unknown> = {}
  for (const { unit, quantity } of output.amount) {
    const exact = BigInt(quantity)
    const number = checkQuantity(exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact, unit)
    if (unit === LOVELACE) value[LOVELACE] = number
    else if (/^[\da-f]{56}/i.test(unit))
      ((value[unit.slice(0, 56)] ??= {}) as Record<string, unknown>)[unit.slice(56)] = number
    // Of another form it would be cut apart wrongly, or name something that is no policy.
    else protocolError('A unit', 'lovelace, or a policy id in hex', unit)
  }
  const { scriptRef, inlineDatum, datumHash } = output
  const type = Object.keys(LANGUAGES).find((name) => LANGUAGES[name] === scriptRef?.language) ?? ''
  const json: TxOutJson = {
    address: output.address,
    value: value as ValueJson,
    datum: null,
    inlineDatum: null,
    inlineDatumRaw: inlineDatum ?? null,
    referenceScript: null
  }
  if (inlineDatum === undefined) json.datumhash = datumHash ?? null
  if (scriptRef !== undefined) {
    const scriptLanguage = type === 'SimpleScript' ? 'SimpleScriptLanguage' : `PlutusScriptLanguage ${type}`
    json.referenceScript = { scriptLanguage, script: { type, description: '', cborHex: scriptRef.cborHex } }
  }
  return json
}

/**
 * Converts a list of outputs into the node's JSON. Send outputs that came from the node back unchanged instead.
 *
 * @example
 * ```ts
 * import { utxoToJson } from 'layer-sdk/bridge'
 * const address = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
 * const output = { address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }
 * const utxo = { input: { txHash: '00'.repeat(32), index: 0 }, output }
 * console.log(utxoToJson([utxo]))
 * ```
 */
export function utxoToJson(utxos: readonly UTxO[]): UTxOObject {
  try {
    return Object.fromEntries(utxos.map(({ input, output }) => [toInputKey(input), outputToJson(output)]))
  } catch {
    return protocolError('The outputs', 'an array of UTxOs, policy ids and asset names in hex', utxos)
  }
}
