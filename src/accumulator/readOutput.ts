import { parseAddress } from '../codec/address.js'
import type { Address } from '../codec/address.js'
import { concatBytes } from '../codec/bytes.js'
import { CborReader } from '../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import { PlutusData } from '../codec/plutusData.js'
import { blake2b224, blake2b256 } from '../hash/blake2b.js'
import { matchesDetailed } from './matchesDetailed.js'
import type { UncheckedRecord } from './record.js'
import { assertHex, fail, ownMember, isPlainRecord } from './record.js'

const LOVELACE = 'lovelace'
const MAX_UINT64 = 2n ** 64n - 1n
const POLICY_CHARACTERS = 56
const SCRIPT_TAGS: Readonly<Record<string, number>> = {
  SimpleScript: 0,
  PlutusScriptV1: 1,
  PlutusScriptV2: 2,
  PlutusScriptV3: 3,
  native: 0,
  PlutusV1: 1,
  PlutusV2: 2,
  PlutusV3: 3
}

/** Quantities above zero by policy id and asset name, both in hex; none is left out and none is rounded. */
export type Assets = ReadonlyMap<string, ReadonlyMap<string, bigint>>

/** An output with every field checked. */
export interface LedgerOutput {
  readonly address: Address
  readonly lovelace: bigint
  readonly assets: Assets
  readonly datum:
    | { readonly kind: 'none' }
    | { readonly kind: 'hash'; readonly hash: Uint8Array }
    | { readonly kind: 'inline'; readonly data: PlutusData }
  /** Blake2b-224 of the reference script. */
  readonly scriptHash: Uint8Array | undefined
}

/**
 * Reads an output in the node's JSON (`value`) or in this package's form (`amount`).
 *
 * Fields that state the same fact twice must agree, because a later reader of the output may use either.
 *
 * @throws {@link VerificationError} with reason `output`, or another typed error of a part.
 */
export function readOutput(output: unknown): LedgerOutput {
  const record = isPlainRecord(output) ? output : fail('output', 'An output', 'an object', output)
  const amount = ownMember(record, 'amount')
  const value = ownMember(record, 'value')
  if ((amount === undefined) === (value === undefined))
    fail('output', 'An output', 'either value or amount', amount === undefined ? 'neither' : 'both')
  const address = parseOutputAddress(ownMember(record, 'address'))
  const { lovelace, assets } = amount === undefined ? readValue(value) : readAmounts(amount)
  return amount === undefined
    ? {
        address,
        lovelace,
        assets,
        datum: readNodeDatum(record),
        scriptHash: readNodeScript(ownMember(record, 'referenceScript'))
      }
    : {
        address,
        lovelace,
        assets,
        datum: readDatum(ownMember(record, 'datumHash'), ownMember(record, 'inlineDatum')),
        scriptHash: readScriptRef(ownMember(record, 'scriptRef'))
      }
}

/** Reads the address of an output. @throws {@link VerificationError}, {@link InvalidAddressError} */
export function parseOutputAddress(text: unknown): Address {
  const address = parseAddress(
    typeof text === 'string' ? text : fail('output', 'The address of an output', 'text', text)
  )
  return address.type === 'reward'
    ? fail('output', 'The address of an output', 'a payment address', address.type)
    : address
}

function readValue(value: unknown): { lovelace: bigint; assets: Assets } {
  const policies = isPlainRecord(value) ? value : fail('output', 'The value of an output', 'an object', value)
  let lovelace = 0n
  const assets = new Map<string, ReadonlyMap<string, bigint>>()
  for (const policy of Object.keys(policies)) {
    const content = policies[policy]
    if (policy === LOVELACE) {
      lovelace = assertQuantity(content)
      continue
    }
    const names = new Map<string, bigint>()
    const entries = isPlainRecord(content) ? content : fail('output', 'The assets of a policy', 'an object', content)
    for (const name of Object.keys(entries)) addAsset(names, name, assertQuantity(entries[name]))
    assertHex('output', 'A policy id', policy, POLICY_CHARACTERS / 2)
    if (names.size > 0) assets.set(policy, names)
  }
  return { lovelace, assets }
}

function readAmounts(amounts: unknown): { lovelace: bigint; assets: Assets } {
  if (!Array.isArray(amounts)) fail('output', 'The amount of an output', 'an array', amounts)
  let lovelace: bigint | undefined
  const assets = new Map<string, Map<string, bigint>>()
  const seen = new Set<unknown>()
  for (const entry of amounts as unknown[]) {
    const { unit, quantity } = isPlainRecord(entry) ? entry : fail('output', 'An amount', '{ unit, quantity }', entry)
    if (typeof unit !== 'string' || seen.has(unit)) fail('output', 'A unit', 'a text, each once', unit)
    seen.add(unit)
    const exact = assertQuantity(quantity)
    if (unit === LOVELACE) lovelace = exact
    else {
      const policy = assertHex('output', 'A policy id', unit.slice(0, POLICY_CHARACTERS), POLICY_CHARACTERS / 2)
      const names = assets.get(policy) ?? new Map<string, bigint>()
      addAsset(names, unit.slice(POLICY_CHARACTERS), exact)
      if (names.size > 0) assets.set(policy, names)
    }
  }
  return { lovelace: lovelace ?? 0n, assets }
}

/** Adds an asset after checking its name. A quantity of zero is left out, because the ledger's values hold none. */
function addAsset(names: Map<string, bigint>, name: string, quantity: bigint): void {
  if (name.length > 64 || name.length % 2 !== 0 || !/^[0-9a-f]*$/.test(name))
    fail('output', 'An asset name', 'up to 32 bytes in lower-case hex', name)
  if (quantity > 0n) names.set(name, quantity)
}

/**
 * Returns a quantity from 0 to 2^64-1, given as a bigint, a safe integer or decimal digits. Rejects any other value,
 * such as a number that has been rounded.
 */
function assertQuantity(value: unknown): bigint {
  const isExact =
    typeof value === 'bigint' ||
    Number.isSafeInteger(value) ||
    (typeof value === 'string' && /^(0|[1-9]\d{0,19})$/.test(value))
  const exact = isExact ? BigInt(value as bigint) : -1n
  return exact >= 0n && exact <= MAX_UINT64
    ? exact
    : fail('output', 'A quantity', 'a whole number from 0 to 2^64-1, read without rounding (parseJson)', value)
}

function readNodeDatum(record: UncheckedRecord): LedgerOutput['datum'] {
  const [datum, json, raw, rawHash] = ['datum', 'inlineDatum', 'inlineDatumRaw', 'inlineDatumhash'].map((name) =>
    ownMember(record, name)
  )
  if (datum !== undefined)
    fail('output', 'The field datum of an output', 'null: an output holds no more than the hash of such a datum', datum)
  const read = readDatum(ownMember(record, 'datumhash'), raw)
  if (read.kind !== 'inline') {
    if (json !== undefined || rawHash !== undefined) fail('output', 'An inline datum', 'inlineDatumRaw beside it', raw)
    return read
  }
  if (rawHash !== undefined && rawHash !== bytesToHex(blake2b256(hexToBytes(raw as string))))
    fail('output', 'The inlineDatumhash', 'the hash of inlineDatumRaw', rawHash)
  if (json !== undefined && !matchesDetailed(read.data, json))
    fail('output', 'The inlineDatum', 'the data of inlineDatumRaw', json)
  return read
}

function readDatum(hash: unknown, inline: unknown): LedgerOutput['datum'] {
  if (hash !== undefined && inline !== undefined)
    fail('output', 'The datum of an output', 'a datum hash or an inline datum', 'both')
  if (hash !== undefined) return { kind: 'hash', hash: hexToBytes(assertHex('output', 'A datum hash', hash, 32)) }
  if (inline === undefined) return { kind: 'none' }
  return {
    kind: 'inline',
    data: PlutusData.fromCbor(
      typeof inline === 'string' ? inline : fail('output', 'An inline datum', 'CBOR in hex', inline)
    )
  }
}

function readNodeScript(json: unknown): Uint8Array | undefined {
  if (json === undefined) return undefined
  const outer = isPlainRecord(json) ? json : fail('output', 'A reference script', 'an object', json)
  const script = ownMember(outer, 'script')
  const { type, cborHex } = isPlainRecord(script)
    ? { type: ownMember(script, 'type'), cborHex: ownMember(script, 'cborHex') }
    : fail('output', 'A reference script', '{ script }', script)
  const language = ownMember(outer, 'scriptLanguage')
  const expected = type === 'SimpleScript' ? 'SimpleScriptLanguage' : `PlutusScriptLanguage ${String(type)}`
  if (language !== undefined && language !== expected)
    fail('output', 'The scriptLanguage of a reference script', expected, language)
  return scriptHash(type, cborHex)
}

function readScriptRef(script: unknown): Uint8Array | undefined {
  if (script === undefined) return undefined
  return isPlainRecord(script)
    ? scriptHash(ownMember(script, 'language'), ownMember(script, 'cborHex'))
    : fail('output', 'A reference script', 'an object', script)
}

/**
 * Returns the hash of a script as in the ledger's Script.hs: blake2b-224 of the language's tag and the script. Plutus
 * scripts come in a CBOR byte string.
 */
function scriptHash(type: unknown, cborHex: unknown): Uint8Array {
  const tag =
    typeof type === 'string' && Object.hasOwn(SCRIPT_TAGS, type)
      ? SCRIPT_TAGS[type]!
      : fail('output', 'The type of a reference script', Object.keys(SCRIPT_TAGS).join(', '), type)
  const bytes = hexToBytes(
    typeof cborHex === 'string' ? cborHex : fail('output', 'A reference script', 'cborHex', cborHex),
    'reference script'
  )
  const reader = new CborReader(bytes, 'The reference script')
  const script = tag === 0 ? reader.slice(reader.skip()) : reader.readBytes()
  reader.finish()
  return blake2b224(concatBytes(Uint8Array.of(tag), script))
}
