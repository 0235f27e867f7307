import { concatBytes, equalBytes } from '../codec/bytes.js'
import { bytesToHex } from '../codec/hex.js'
import { OutputEncoder } from './OutputEncoder.js'
import { asVerificationError, fail, isPlainRecord, reading } from './record.js'
import { startSha256, sha256 } from './sha256.js'

/** One output of a set. */
export interface SetEntry {
  /** `'txHash#index'` in its only accepted form: lower-case hex and a number without leading zeros. */
  readonly key: string
  readonly index: number
  /** Encoded output as the parties hash it (Plutus data); undefined for a Byron output. */
  readonly data: Uint8Array | undefined
}

/** An output of the node's JSON, or of the package's form, under its key. */
export type KeyedOutput = readonly [key: string, output: unknown]

/** Largest index of an output, which has 16 bits in the ledger. */
const MAX_INDEX = 65_535
/** Outputs that are hashed with one call: a call costs as much as hashing a few of them. */
const OUTPUTS_A_CALL = 256

/**
 * Reads a UTxO set: the node's JSON, keyed `'txHash#index'`, or a list of this package's `UTxO`. Absent and null are
 * the empty set. The entries come in the ledger's order: by transaction id, then by index as a number.
 *
 * @throws {@link VerificationError} with reason `output` that names the entry.
 */
export function readUtxoSet(utxo: unknown, what = 'The UTxO set'): SetEntry[] {
  const entries = reading('output', what, () => encodeAll(keyedOutputs(utxo, what)))
  return entries.sort((a, b) => compareKeys(a.key, b.key))
}

/**
 * Returns the outputs of a UTxO set with their keys, in the order of the set. Each key occurs once; keys and outputs
 * are not checked. Absent and null are the empty set.
 *
 * @throws {@link VerificationError} with reason `output`; errors that a getter of the set throws pass through
 */
export function keyedOutputs(utxo: unknown, what: string): KeyedOutput[] {
  if (utxo === undefined || utxo === null) return []
  if (!Array.isArray(utxo)) {
    const record = isPlainRecord(utxo)
      ? utxo
      : fail('output', what, 'an object keyed txHash#index, or a list of UTxOs', utxo)
    return Object.entries(record)
  }
  const outputs = Array.from(utxo as unknown[], keyedOutput)
  if (new Set(outputs.map(([key]) => key)).size !== outputs.length)
    fail('output', what, 'each output once', 'one twice')
  return outputs
}

function keyedOutput(utxo: unknown): KeyedOutput {
  const { input, output } = isPlainRecord(utxo) ? utxo : fail('output', 'A UTxO', '{ input, output }', utxo)
  const { txHash, index } = isPlainRecord(input)
    ? input
    : fail('output', 'The input of a UTxO', '{ txHash, index }', input)
  return [`${String(txHash)}#${String(index)}`, output]
}

/** Encodes outputs into one array that all entries share, which costs less than an array for each. */
function encodeAll(outputs: readonly KeyedOutput[]): SetEntry[] {
  const encoder = new OutputEncoder()
  const lengths = outputs.map(([key, output]) => {
    indexOfKey(key)
    const start = encoder.length
    return appendOutput(key, output, encoder) ? encoder.length - start : 0
  })
  const bytes = encoder.finish()
  let end = 0
  return outputs.map(([key], at) => {
    const start = end
    end += lengths[at]!
    return { key, index: indexOfKey(key), data: end > start ? bytes.subarray(start, end) : undefined }
  })
}

/**
 * Appends an output to those before it. Returns false for a Byron output, which has no bytes. @throws
 * {@link VerificationError} with reason `output` that names it
 */
export function appendOutput(key: string, output: unknown, encoder: OutputEncoder): boolean {
  try {
    return encoder.append(output)
  } catch (error) {
    throw asVerificationError(error, 'output', `The output ${key}`)
  }
}

/**
 * Returns the bytes of one output as the parties hash it; undefined for a Byron output. @throws
 * {@link VerificationError} with reason `output`.
 */
export function readOutputData(
  output: unknown,
  what = 'An output',
  encoder: OutputEncoder = new OutputEncoder()
): Uint8Array | undefined {
  try {
    return encoder.encode(output)
  } catch (error) {
    throw asVerificationError(error, 'output', what)
  }
}

/** SHA-256 of the outputs' bytes in their order; Byron outputs are skipped. @see verification of hydra, hashUTxO */
export function hashEntries(entries: readonly SetEntry[]): Uint8Array {
  const hash = startSha256()
  for (let from = 0; from < entries.length; from += OUTPUTS_A_CALL) {
    const part = entries.slice(from, from + OUTPUTS_A_CALL)
    hash.update(joinedData(part))
  }
  return hash.digest()
}

/** Bytes of outputs one after another, without those at Byron addresses. */
export function joinedData(entries: readonly SetEntry[]): Uint8Array {
  return concatBytes(...entries.flatMap(({ data }) => (data === undefined ? [] : [data])))
}

/**
 * Returns the element that represents an output in the accumulator: the SHA-256 of its bytes, or no bytes for a Byron
 * output.
 */
export function elementOf(data: Uint8Array | undefined): Uint8Array {
  return data === undefined ? new Uint8Array(0) : sha256(data)
}

/**
 * Returns the outputs that an accumulator covers: the union of the sets, with one output per input (`txHash#index`).
 *
 * Of two outputs with the same input, the node uses the first. Here they must be equal, because otherwise the second
 * would be accepted without proof.
 */
export function unionOf(...sets: readonly (readonly SetEntry[])[]): SetEntry[] {
  const union = new Map<string, SetEntry>()
  for (const entry of sets.flat()) {
    const existing = union.get(entry.key)
    if (existing === undefined) union.set(entry.key, entry)
    else if (!isSame(existing.data, entry.data))
      fail('output', `The output ${entry.key}`, 'the same in every set', 'another output in another set')
  }
  return [...union.values()]
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b)
}

const TX_ID_CHARACTERS = 64
const SIGN = 35
const ZERO = 48

/**
 * Returns the index of a key `'txHash#index'` and rejects any other way to write the key: `#02` would be the same input
 * as `#2`.
 */
export function indexOfKey(key: string): number {
  const index = isTxId(key) ? indexAt(key, TX_ID_CHARACTERS + 1) : -1
  return index >= 0
    ? index
    : fail('output', 'A key of the UTxO', 'txHash#index, 64 lower-case hex digits and a number below 65,536', key)
}

/**
 * Returns true when a key begins with a transaction id and `#`. A regular expression would cost a third of the time of
 * encoding an output.
 */
function isTxId(key: string): boolean {
  for (let i = 0; i < TX_ID_CHARACTERS; i++) {
    const code = key.charCodeAt(i)
    if (!((code >= ZERO && code <= 57) || (code >= 97 && code <= 102))) return false
  }
  return key.charCodeAt(TX_ID_CHARACTERS) === SIGN
}

/** Returns the index at the end of a key; -1 when it is not a number without leading zeros, or is too large. */
function indexAt(key: string, from: number): number {
  const digits = key.length - from
  if (digits < 1 || digits > 5 || (digits > 1 && key.charCodeAt(from) === ZERO)) return -1
  let index = 0
  for (let i = from; i < key.length; i++) {
    const digit = key.charCodeAt(i) - ZERO
    if (!(digit >= 0 && digit <= 9)) return -1
    index = index * 10 + digit
  }
  return index <= MAX_INDEX ? index : -1
}

/** Compares keys in the ledger's order: by transaction id, then by index as a number. */
export function compareKeys(a: string, b: string): number {
  // Of one length they are in the order of their characters.
  if (a.length !== b.length && a.slice(0, 64) === b.slice(0, 64)) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

/** SHA-256 of no bytes: the hash of the empty set. */
export const EMPTY_SET_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Hash of a set in hex. */
export function utxoSetHash(entries: readonly SetEntry[]): string {
  return entries.length === 0 ? EMPTY_SET_HASH : bytesToHex(hashEntries(entries))
}
