import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes } from '../codec/bytes.js'
import { bytesToHex } from '../codec/hex.js'
import { outputData } from './outputData.js'
import { readOutput } from './readOutput.js'
import { fail, isRecord, reading } from './record.js'

/** One output of a set. */
export interface SetEntry {
  /** `'txHash#index'` in its one form. */
  readonly key: string
  readonly index: number
  /** Plutus data; undefined for a Byron output. */
  readonly data: Uint8Array | undefined
}

/** Ledger: the index of an output has 16 bits. */
const MAX_INDEX = 65_535

/**
 * Reads a UTxO set: the node's JSON, keyed `'txHash#index'`, or a list of this package's `UTxO`. Absent and null are
 * the empty set. The entries come in the ledger's order: by transaction id, then by index as a number.
 *
 * @throws {@link VerificationError} with reason `output` that names the entry.
 */
export function readUtxoSet(utxo: unknown, what = 'The UTxO set'): SetEntry[] {
  if (utxo === undefined || utxo === null) return []
  const entries = reading('output', what, () => (Array.isArray(utxo) ? entriesOfList(utxo) : entriesOfJson(utxo, what)))
  const keys = new Set(entries.map(({ key }) => key))
  if (keys.size !== entries.length) fail('output', what, 'each output once', 'one twice')
  return entries.sort(compareEntries)
}

/** Bytes of one output; undefined for a Byron output. @throws {@link VerificationError} with reason `output`. */
export function readOutputData(output: unknown, what = 'An output'): Uint8Array | undefined {
  return reading('output', what, () => outputData(readOutput(output)))
}

/** SHA-256 of the outputs' bytes in their order; Byron outputs are skipped. @see verification of hydra, hashUTxO */
export function hashEntries(entries: readonly SetEntry[]): Uint8Array {
  const hash = sha256.create()
  for (const { data } of entries) if (data !== undefined) hash.update(data)
  return hash.digest()
}

/** The accumulator's element of an output: its hash, or nothing for a Byron output. */
export function elementOf(data: Uint8Array | undefined): Uint8Array {
  return data === undefined ? new Uint8Array(0) : sha256(data)
}

/**
 * The outputs that an accumulator covers: the union of the sets by their inputs.
 *
 * The node takes the first of two outputs with the same input; here they must be the same, or the second would pass
 * unproven.
 */
export function unionOf(...sets: readonly (readonly SetEntry[])[]): SetEntry[] {
  const union = new Map<string, SetEntry>()
  for (const entry of sets.flat()) {
    const known = union.get(entry.key)
    if (known === undefined) union.set(entry.key, entry)
    else if (!isSame(known.data, entry.data))
      fail('output', `The output ${entry.key}`, 'the same in every set', 'another output in another set')
  }
  return [...union.values()]
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b)
}

function entriesOfJson(utxo: unknown, what: string): SetEntry[] {
  const record = isRecord(utxo) ? utxo : fail('output', what, 'an object keyed txHash#index, or a list of UTxOs', utxo)
  return Object.keys(record).map((key) => entry(key, record[key]))
}

function entriesOfList(utxos: readonly unknown[]): SetEntry[] {
  return Array.from(utxos, (utxo) => {
    const { input, output } = isRecord(utxo) ? utxo : fail('output', 'A UTxO', '{ input, output }', utxo)
    const { txHash, index } = isRecord(input)
      ? input
      : fail('output', 'The input of a UTxO', '{ txHash, index }', input)
    return entry(`${String(txHash)}#${String(index)}`, output)
  })
}

function entry(key: string, output: unknown): SetEntry {
  const index = indexOfKey(key)
  return { key, index, data: readOutputData(output, `The output ${key}`) }
}

/** The index of a key `'txHash#index'`, both in their one form: `#02` would be the same input as `#2`. */
export function indexOfKey(key: string): number {
  const index = /^[0-9a-f]{64}#(0|[1-9]\d{0,4})$/.exec(key)?.[1]
  return index !== undefined && Number(index) <= MAX_INDEX
    ? Number(index)
    : fail('output', 'A key of the UTxO', 'txHash#index, 64 lower-case hex digits and a number below 65,536', key)
}

function compareEntries(a: SetEntry, b: SetEntry): number {
  const [left, right] = [a.key.slice(0, 64), b.key.slice(0, 64)]
  return left === right ? a.index - b.index : left < right ? -1 : 1
}

/** SHA-256 of nothing: the hash of the empty set. */
export const EMPTY_SET_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Hash of a set in hex. */
export function utxoSetHash(entries: readonly SetEntry[]): string {
  return entries.length === 0 ? EMPTY_SET_HASH : bytesToHex(hashEntries(entries))
}
