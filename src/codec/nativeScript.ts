import { describeValue } from '../errors/base.js'
import { InvalidNativeScriptError } from '../errors/documents.js'
import { blake2b224 } from '../hash/blake2b.js'
import { concatBytes } from './bytes.js'
import { CborReader } from './cbor/reader.js'
import { readItems } from './cbor/sequence.js'
import { CborWriter } from './cbor/writer.js'
import { bytesToHex, hexToBytes, isHex } from './hex.js'
import { exactInteger } from './integer.js'
import { parseJsonWithin } from './json.js'
import { partPath } from './path.js'

/** A native (timelock) script. Its JSON form is cardano-cli's, where `slot` may also be a number. */
export type NativeScript =
  /** Requires a signature by the key with this blake2b-224 hash (hex, 56 characters). */
  | { type: 'sig'; keyHash: string }
  /** Requires all (`all`), or at least one (`any`), of the scripts to hold. */
  | { type: 'all' | 'any'; scripts: NativeScript[] }
  | { type: 'atLeast'; required: number; scripts: NativeScript[] }
  /** `after`: valid from this slot on. `before`: valid up to the slot before this one. */
  | { type: 'after' | 'before'; slot: bigint }

/** A transaction's validity interval; a bound that is absent is open. */
export interface ValidityInterval {
  /** First slot in which the transaction is valid (`validityStart`). */
  start?: bigint | undefined
  /** First slot in which it is no longer valid (`ttl`). */
  end?: bigint | undefined
}

const KINDS = ['sig', 'all', 'any', 'atLeast', 'after', 'before'] as const
// Deeper scripts have never been seen; the bound keeps recursion far from the stack's end in every runtime.
const MAX_DEPTH = 512
/** Limits of a script's JSON. Each level of a script, `{ "scripts": [...] }`, needs two levels of JSON. */
const JSON_BOUNDS = { what: 'script', depth: 2 * MAX_DEPTH + 2, digits: 256 }
const MAX_SLOT = 2n ** 64n - 1n

/**
 * Reads one native script, in any CBOR encoding of the ledger.
 *
 * @throws {@link InvalidCborError} also beyond 512 levels.
 */
export function decodeNativeScript(reader: CborReader, depth = 0): NativeScript {
  const start = reader.offset
  if (depth > MAX_DEPTH) reader.fail(`at most ${MAX_DEPTH} levels`, 'more')
  const length = reader.readArrayHeader()
  const kind = KINDS[reader.readSafeUint()]
  let script: NativeScript
  if (kind === 'sig') {
    const keyHash = reader.readBytes()
    if (keyHash.length !== 28) reader.fail('a key hash of 28 bytes', `${keyHash.length} bytes`, start)
    script = { type: kind, keyHash: bytesToHex(keyHash) }
  } else if (kind === 'all' || kind === 'any') {
    script = { type: kind, scripts: readItems(reader, decodeNativeScript, depth + 1) }
  } else if (kind === 'atLeast') {
    const required = Number(reader.readInt())
    if (!Number.isSafeInteger(required)) reader.fail('a safe integer', 'another', start)
    script = { type: kind, required, scripts: readItems(reader, decodeNativeScript, depth + 1) }
  } else if (kind !== undefined) script = { type: kind, slot: reader.readUint() }
  else return reader.fail('a kind from 0 to 5', 'another', start)
  const items = kind === 'atLeast' ? 3 : 2
  if (length < 0) reader.readBreak()
  else if (length !== items) reader.fail(`${items} items`, `${length}`, start)
  return script
}

/** Reads a whole byte string as one native script. @throws {@link InvalidCborError} also on trailing bytes. */
export function nativeScriptFromBytes(bytes: Uint8Array): NativeScript {
  const reader = new CborReader(bytes, 'native script')
  const script = decodeNativeScript(reader)
  reader.finish()
  return script
}

/** Encodes a script as the ledger and cardano-cli do: lists of more than 23 scripts have indefinite length. */
export function encodeNativeScript(script: NativeScript): Uint8Array {
  const writer = new CborWriter()
  write(script, writer)
  return writer.toBytes()
}

function write(script: NativeScript, writer: CborWriter): void {
  writer.array(script.type === 'atLeast' ? 3 : 2).uint(KINDS.indexOf(script.type))
  if ('keyHash' in script) writer.bytes(hexToBytes(script.keyHash, 'keyHash', 28))
  else if ('slot' in script) writer.uint(script.slot)
  else {
    if (script.type === 'atLeast') writer.int(script.required)
    const { scripts } = script
    const indefinite = scripts.length > 23
    if (indefinite) writer.arrayIndefinite()
    else writer.array(scripts.length)
    for (const each of scripts) write(each, writer)
    if (indefinite) writer.break()
  }
}

/** Hashes a script's bytes: blake2b-224 of 0x00 and `cbor`, hex, 56 characters. The hash is also the policy id. */
export function nativeScriptHash(cbor: Uint8Array): string {
  return bytesToHex(blake2b224(concatBytes(Uint8Array.of(0), cbor)))
}

/**
 * Returns true when a script holds for these signers' key hashes (hex) and this validity interval, by the ledger's
 * rule.
 */
export function evaluateNativeScript(
  script: NativeScript,
  keyHashes: ReadonlySet<string>,
  interval: ValidityInterval = {}
): boolean {
  const holds = (each: NativeScript): boolean => evaluateNativeScript(each, keyHashes, interval)
  switch (script.type) {
    case 'sig':
      return keyHashes.has(script.keyHash)
    case 'all':
      return script.scripts.every(holds)
    case 'any':
      return script.scripts.some(holds)
    case 'atLeast':
      return script.scripts.filter(holds).length >= script.required
    // An open bound is no proof: the transaction could then be included on the wrong side of the slot.
    case 'after':
      return interval.start !== undefined && interval.start >= script.slot
    case 'before':
      return interval.end !== undefined && interval.end <= script.slot
  }
}

/**
 * Reads a native script from the text of cardano-cli's JSON.
 *
 * @throws {@link InvalidJsonError} {@link InvalidNativeScriptError}
 */
export function nativeScriptFromText(text: string): NativeScript {
  return nativeScriptFromObject(parseJsonWithin(text, JSON_BOUNDS))
}

/**
 * Reads a native script from cardano-cli's JSON, already parsed. `slot` may be a number, a bigint or decimal text.
 *
 * @throws {@link InvalidNativeScriptError} that names the place.
 */
export function nativeScriptFromObject(json: unknown, path = 'script', depth = 0): NativeScript {
  const fail = (part: string, expected: string, got: unknown): never => {
    throw new InvalidNativeScriptError(partPath(path, part), { expected, got: describeValue(got) })
  }
  if (typeof json !== 'object' || json === null) return fail('', 'an object', json)
  if (depth > MAX_DEPTH) return fail('', `at most ${MAX_DEPTH} levels`, 'more')
  const { type, keyHash, scripts, required, slot } = json as Record<string, unknown>
  if (type === 'sig') {
    if (typeof keyHash !== 'string' || keyHash.length !== 56 || !isHex(keyHash))
      return fail('.keyHash', '56 hex digits', keyHash)
    return { type, keyHash: keyHash.toLowerCase() }
  }
  if (type === 'after' || type === 'before') {
    const exact = exactInteger(slot) ?? -1n
    return exact >= 0n && exact <= MAX_SLOT
      ? { type, slot: exact }
      : fail('.slot', 'a whole number from 0 to 2^64-1', slot)
  }
  if (type !== 'all' && type !== 'any' && type !== 'atLeast') return fail('.type', `one of ${KINDS.join(', ')}`, type)
  if (!Array.isArray(scripts)) return fail('.scripts', 'an array', scripts)
  const children = Array.from(scripts, (each, i) =>
    nativeScriptFromObject(each, partPath(path, `.scripts[${i}]`), depth + 1)
  )
  if (type !== 'atLeast') return { type, scripts: children }
  if (!Number.isSafeInteger(required)) return fail('.required', 'a whole number', required)
  return { type, required: required as number, scripts: children }
}
