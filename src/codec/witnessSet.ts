import { BodyEntries, readEntries, TAG_SET } from './bodyEntries.js'
import { concatBytes, equalBytes } from './bytes.js'
import { readOptionalTag } from './cbor/optional.js'
import type { Span } from './cbor/reader.js'
import { CborReader } from './cbor/reader.js'
import { CborWriter } from './cbor/writer.js'
import type { TransactionSpans } from './transaction.js'

/** A public key and its signature of the transaction id. */
export interface VkeyWitness {
  /** 32 bytes. */
  readonly vkey: Uint8Array
  /** 64 bytes. */
  readonly signature: Uint8Array
}

/** Keys of a witness set (Conway CDDL, `transaction_witness_set`). */
export const WITNESS_KEY = { VKEYS: 0, NATIVE_SCRIPTS: 1, BOOTSTRAP: 2, PLUTUS_V1: 3, DATA: 4, REDEEMERS: 5, PLUTUS_V2: 6, PLUTUS_V3: 7 } as const

/** Where the value of each key of the witness set stands. */
export function readWitnessEntries({ bytes, witnessSet }: TransactionSpans): Map<number, Span> {
  return readEntries(witnessReader(bytes, witnessSet))
}

/** The key witnesses that a transaction carries. */
export function readVkeyWitnesses(transaction: TransactionSpans): VkeyWitness[] {
  return readItems(transaction, WITNESS_KEY.VKEYS, (reader) => {
    const start = reader.offset
    const count = reader.readArrayHeader()
    const vkey = reader.readBytes()
    const signature = reader.readBytes()
    if (count < 0) reader.readBreak()
    if ((count >= 0 && count !== 2) || vkey.length !== 32 || signature.length !== 64) reader.fail('[key of 32 bytes, signature of 64 bytes]', 'another structure', start)
    return { vkey, signature }
  })
}

/** Where each native script that a transaction carries stands. */
export function readNativeScripts(transaction: TransactionSpans): Span[] {
  return readItems(transaction, WITNESS_KEY.NATIVE_SCRIPTS, (reader) => reader.skip())
}

/**
 * The transaction with key witnesses added. Only the set of key witnesses changes: every other byte stays as it came, witnesses of
 * the same key are not added again, and the set keeps its style. A new set carries tag 258 when the body's sets do.
 */
export function addVkeyWitnesses(transaction: TransactionSpans, witnesses: readonly VkeyWitness[]): Uint8Array {
  const present = readVkeyWitnesses(transaction)
  const missing = witnesses.filter(({ vkey }, i) => !present.concat(witnesses.slice(0, i)).some((other) => equalBytes(other.vkey, vkey)))
  if (missing.length === 0) return transaction.bytes
  const { bytes } = transaction
  const items = new CborWriter()
  for (const { vkey, signature } of missing) items.array(2).bytes(vkey).bytes(signature)
  const set = readWitnessEntries(transaction).get(WITNESS_KEY.VKEYS)
  if (set === undefined) return insertSet(transaction, missing.length, items.toBytes())
  return concatBytes(bytes.subarray(0, set.start), appendItems(bytes, set, missing.length, items.toBytes()), bytes.subarray(set.end))
}

/** The set's bytes with items at its end, its tag and definite or indefinite form kept. */
function appendItems(bytes: Uint8Array, set: Span, added: number, items: Uint8Array): Uint8Array {
  const reader = witnessReader(bytes, set)
  readOptionalTag(reader, TAG_SET)
  const headStart = reader.offset
  const count = reader.readArrayHeader()
  if (count < 0) return concatBytes(bytes.subarray(set.start, set.end - 1), items, bytes.subarray(set.end - 1, set.end))
  return concatBytes(bytes.subarray(set.start, headStart), new CborWriter().array(count + added).toBytes(), bytes.subarray(reader.offset, set.end), items)
}

/** The transaction with a new set as the first entry of its witness set. */
function insertSet(transaction: TransactionSpans, added: number, items: Uint8Array): Uint8Array {
  const { bytes, witnessSet } = transaction
  const reader = witnessReader(bytes, witnessSet)
  const count = reader.readMapHeader()
  const head = count < 0 ? new CborWriter().mapIndefinite() : new CborWriter().map(count + 1)
  head.uint(WITNESS_KEY.VKEYS)
  if (new BodyEntries(transaction).usesSetTag) head.tag(TAG_SET)
  head.array(added).raw(items)
  return concatBytes(bytes.subarray(0, witnessSet.start), head.toBytes(), bytes.subarray(reader.offset))
}

function readItems<T>(transaction: TransactionSpans, key: number, read: (reader: CborReader) => T): T[] {
  const items: T[] = []
  const span = readWitnessEntries(transaction).get(key)
  if (span === undefined) return items
  const reader = witnessReader(transaction.bytes, span)
  readOptionalTag(reader, TAG_SET)
  reader.eachItem(() => items.push(read(reader)))
  return items
}

function witnessReader(bytes: Uint8Array, { start, end }: Span): CborReader {
  return new CborReader(bytes, 'The witness set', start, end)
}
