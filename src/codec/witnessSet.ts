import { BodyEntries, readEntries, TAG_SET } from './bodyEntries.js'
import { concatBytes } from './bytes.js'
import { readOptionalTag } from './cbor/optional.js'
import type { Span } from './cbor/reader.js'
import { CborReader } from './cbor/reader.js'
import { CborWriter } from './cbor/writer.js'
import { bytesToHex } from './hex.js'
import type { TransactionSpans } from './transaction.js'

/** A public key and its signature of the transaction id. */
export interface VkeyWitness {
  /** 32 bytes. */
  readonly vkey: Uint8Array
  /** 64 bytes. */
  readonly signature: Uint8Array
}

/** Keys of a witness set (Conway CDDL, `transaction_witness_set`). */
export const WITNESS_KEY = {
  VKEYS: 0,
  NATIVE_SCRIPTS: 1,
  BOOTSTRAP: 2,
  PLUTUS_V1: 3,
  DATA: 4,
  REDEEMERS: 5,
  PLUTUS_V2: 6,
  PLUTUS_V3: 7
} as const

/** Returns the byte range of each value in the witness set, by key. */
export function readWitnessEntries({ bytes, witnessSet }: TransactionSpans): Map<number, Span> {
  return readEntries(witnessReader(bytes, witnessSet))
}

/** Returns the key witnesses of a transaction. */
export function readVkeyWitnesses(transaction: TransactionSpans): VkeyWitness[] {
  return readItems(transaction, WITNESS_KEY.VKEYS, readWitness).map(({ vkey, signature }) => ({ vkey, signature }))
}

function readWitness(reader: CborReader): VkeyWitness & Span {
  const start = reader.offset
  const count = reader.readArrayHeader()
  const vkey = reader.readBytes()
  const signature = reader.readBytes()
  if (count < 0) reader.readBreak()
  if ((count >= 0 && count !== 2) || vkey.length !== 32 || signature.length !== 64)
    reader.fail('[key of 32 bytes, signature of 64 bytes]', 'another structure', start)
  return { vkey, signature, start, end: reader.offset }
}

/** Returns the byte ranges of the native scripts in a transaction's witness set. */
export function readNativeScripts(transaction: TransactionSpans): Span[] {
  return readItems(transaction, WITNESS_KEY.NATIVE_SCRIPTS, (reader) => reader.skip())
}

/**
 * Adds key witnesses to a transaction, one for each key, and returns its bytes. A witness replaces one of the same key;
 * the others are appended. Only the set of key witnesses changes. It keeps its form (tag 258, definite or indefinite
 * length); a new set has tag 258 if the body's sets have it.
 */
export function setVkeyWitnesses(transaction: TransactionSpans, witnesses: readonly VkeyWitness[]): Uint8Array {
  if (witnesses.length === 0) return transaction.bytes
  const { bytes } = transaction
  const byKey = new Map(witnesses.map((witness) => [bytesToHex(witness.vkey), witness]))
  const set = readWitnessEntries(transaction).get(WITNESS_KEY.VKEYS)
  if (set === undefined)
    return insertSet(transaction, byKey.size, concatBytes(...[...byKey.values()].map(encodeWitness)))
  const placed = new Set<string>()
  const items: Uint8Array[] = []
  for (const { vkey, start, end } of readItems(transaction, WITNESS_KEY.VKEYS, readWitness)) {
    const key = bytesToHex(vkey)
    const witness = byKey.get(key)
    if (witness === undefined) items.push(bytes.subarray(start, end))
    else if (!placed.has(key)) items.push(encodeWitness(witness))
    placed.add(key)
  }
  for (const [key, witness] of byKey) if (!placed.has(key)) items.push(encodeWitness(witness))
  return concatBytes(bytes.subarray(0, set.start), encodeSet(bytes, set, items), bytes.subarray(set.end))
}

/** Encodes a set in the form of the present one, `set`: with its tag, and its definite or indefinite length. */
function encodeSet(bytes: Uint8Array, set: Span, items: readonly Uint8Array[]): Uint8Array {
  const reader = witnessReader(bytes, set)
  readOptionalTag(reader, TAG_SET)
  const headStart = reader.offset
  const isIndefinite = reader.readArrayHeader() < 0
  const head = isIndefinite ? bytes.subarray(headStart, reader.offset) : new CborWriter().array(items.length).toBytes()
  return concatBytes(
    bytes.subarray(set.start, headStart),
    head,
    ...items,
    isIndefinite ? bytes.subarray(set.end - 1, set.end) : new Uint8Array()
  )
}

function encodeWitness({ vkey, signature }: VkeyWitness): Uint8Array {
  return new CborWriter().array(2).bytes(vkey).bytes(signature).toBytes()
}

/** Returns the transaction's bytes with a new set of key witnesses as the first entry of its witness set. */
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
