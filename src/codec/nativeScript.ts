import { describeValue } from '../errors/base.js'
import { InvalidCborError, InvalidNativeScriptError } from '../errors/input.js'
import { blake2b224 } from '../hash/blake2b.js'
import { concatBytes } from './bytes.js'
import { CborReader } from './cbor/reader.js'
import { readItems } from './cbor/sequence.js'
import { CborWriter } from './cbor/writer.js'
import { bytesToHex, hexToBytes, isHex } from './hex.js'
import { exactInteger } from './integer.js'

/** A native (timelock) script. Its JSON form is cardano-cli's, where `slot` may also be a number. */
export type NativeScript =
  /** Signed by the key with this blake2b-224 hash (hex, 56 characters). */
  | { type: 'sig'; keyHash: string }
  /** All, or at least one, of the scripts hold. */
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
const MAX_SLOT = 2n ** 64n - 1n

/**
 * Reads one native script, in any CBOR encoding the ledger takes.
 *
 * @throws {@link InvalidCborError} also beyond 512 levels.
 */
export function decodeNativeScript(reader: CborReader, depth = 0): NativeScript {
  const start = reader.offset
  if (depth > MAX_DEPTH) throw new InvalidCborError('native script', start, `at most ${MAX_DEPTH} levels`, 'a deeper one')
  const length = reader.readArrayHeader()
  const kind = KINDS[reader.readSafeUint()]
  let script: NativeScript
  if (kind === 'sig') {
    const keyHash = reader.readBytes()
    if (keyHash.length !== 28) throw new InvalidCborError('key hash', start, '28 bytes', `${keyHash.length} bytes`)
    script = { type: kind, keyHash: bytesToHex(keyHash) }
  } else if (kind === 'all' || kind === 'any') {
    script = { type: kind, scripts: readItems(reader, decodeNativeScript, depth + 1) }
  } else if (kind === 'atLeast') {
    const required = Number(reader.readInt())
    if (!Number.isSafeInteger(required)) throw new InvalidCborError('required', start, 'a safe integer', `${required}`)
    script = { type: kind, required, scripts: readItems(reader, decodeNativeScript, depth + 1) }
  } else if (kind !== undefined) {
    script = { type: kind, slot: reader.readUint() }
  } else {
    throw new InvalidCborError('native script', start, 'a kind from 0 to 5', 'another kind')
  }
  if (length < 0) reader.readBreak()
  else if (length !== (kind === 'atLeast' ? 3 : 2)) {
    throw new InvalidCborError('native script', start, `an array of ${kind === 'atLeast' ? 3 : 2}`, `an array of ${length}`)
  }
  return script
}

/** Reads a whole byte string as one native script. @throws {@link InvalidCborError} also on trailing bytes. */
export function nativeScriptFromBytes(bytes: Uint8Array): NativeScript {
  const reader = new CborReader(bytes, 'native script')
  const script = decodeNativeScript(reader)
  reader.finish()
  return script
}

/** CBOR of a script as the ledger and cardano-cli write it: lists of more than 23 scripts are of indefinite length. */
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

/** Script hash, which is also the policy id: blake2b-224 of 0x00 and the script's own bytes. Hex, 56 characters. */
export function nativeScriptHash(cbor: Uint8Array): string {
  return bytesToHex(blake2b224(concatBytes(Uint8Array.of(0), cbor)))
}

/** Whether a script holds for these signers' key hashes (hex) and this validity interval, by the ledger's rule. */
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
    // An open bound proves nothing: the transaction could then be included on the wrong side of the slot.
    case 'after':
      return interval.start !== undefined && interval.start >= script.slot
    case 'before':
      return interval.end !== undefined && interval.end <= script.slot
  }
}

/**
 * A native script from cardano-cli's JSON, already parsed. `slot` may be a number, a bigint or decimal text.
 *
 * @throws {@link InvalidNativeScriptError} that names the place.
 */
export function nativeScriptFromObject(json: unknown, path = 'script', depth = 0): NativeScript {
  const fail = (at: string, expected: string, got: unknown): never => {
    throw new InvalidNativeScriptError(at, { expected, got: describeValue(got) })
  }
  if (typeof json !== 'object' || json === null) return fail(path, 'an object', json)
  if (depth > MAX_DEPTH) return fail(path, `at most ${MAX_DEPTH} levels`, 'a deeper script')
  const { type, keyHash, scripts, required, slot } = json as Record<string, unknown>
  switch (type) {
    case 'sig':
      if (typeof keyHash !== 'string' || keyHash.length !== 56 || !isHex(keyHash)) {
        return fail(`${path}.keyHash`, '56 hex digits', keyHash)
      }
      return { type, keyHash: keyHash.toLowerCase() }
    case 'after':
    case 'before': {
      const exact = exactInteger(slot)
      if (exact === undefined || exact < 0n || exact > MAX_SLOT) {
        return fail(`${path}.slot`, 'a whole number from 0 to 2^64-1', slot)
      }
      return { type, slot: exact }
    }
    case 'all':
    case 'any':
    case 'atLeast': {
      if (!Array.isArray(scripts)) return fail(`${path}.scripts`, 'an array', scripts)
      const children = scripts.map((each, i) => nativeScriptFromObject(each, `${path}.scripts[${i}]`, depth + 1))
      if (type !== 'atLeast') return { type, scripts: children }
      if (!Number.isSafeInteger(required)) return fail(`${path}.required`, 'a whole number', required)
      return { type, required: required as number, scripts: children }
    }
    default:
      return fail(`${path}.type`, `one of ${KINDS.join(', ')}`, type)
  }
}
