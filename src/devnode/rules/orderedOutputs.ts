import { OutputEncoder } from '../../accumulator/inner.js'
import { concatBytes } from '../../codec/bytes.js'
import { bytesToHex } from '../../codec/hex.js'
import { createSha256 } from '../../crypto/inner.js'
import { compareEntries, scriptBytesOf } from './outputHash.js'
import type { LedgerEntry } from './utxoSet.js'

/** A run of outputs in order, with their bytes one after another. */
interface Block {
  readonly entries: LedgerEntry[]
  readonly lengths: number[]
  bytes: Uint8Array
}

const BLOCK_SIZE = 256

/**
 * The outputs of a UTxO in the order of their references, ready to be hashed as a whole. A change copies the bytes of
 * one block only, so that a snapshot of a large head costs the hash alone, besides its transactions.
 */
export class OrderedOutputs {
  #blocks: Block[] = []
  readonly #encoder = new OutputEncoder()

  /** Replaces all outputs by these. */
  reset(entries: readonly LedgerEntry[]): void {
    const sorted = [...entries].sort(compareEntries)
    this.#blocks = []
    for (let i = 0; i < sorted.length; i += BLOCK_SIZE) {
      const entries = sorted.slice(i, i + BLOCK_SIZE)
      this.#blocks.push({ entries, ...scriptBytesOf(entries, this.#encoder) })
    }
  }

  add(entry: LedgerEntry): void {
    const { bytes, lengths } = scriptBytesOf([entry], this.#encoder)
    const at = Math.max(0, this.#blockAt(entry))
    const block = this.#blocks[at]
    if (block === undefined) {
      this.#blocks.push({ entries: [entry], lengths, bytes })
      return
    }
    const index = firstNotBefore(block.entries, entry)
    const isSame = block.entries[index] !== undefined && compareEntries(block.entries[index], entry) === 0
    splice(block, index, isSame ? 1 : 0, entry, bytes)
    if (block.entries.length > 2 * BLOCK_SIZE) {
      this.#blocks.splice(at, 1, ...halves(block))
    }
  }

  remove(entry: LedgerEntry): void {
    const at = this.#blockAt(entry)
    const block = this.#blocks[at]
    if (block === undefined) return
    const index = firstNotBefore(block.entries, entry)
    if (block.entries[index] === undefined || compareEntries(block.entries[index], entry) !== 0) return
    splice(block, index, 1)
    if (block.entries.length === 0) this.#blocks.splice(at, 1)
  }

  /** SHA-256 of all outputs: hex. */
  hash(): string {
    const hash = createSha256()
    for (const { bytes } of this.#blocks) hash.update(bytes)
    return bytesToHex(hash.digest())
  }

  /** Returns the index of the last block that begins at or before an output; -1 when the output comes before all. */
  #blockAt(entry: LedgerEntry): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareEntries(this.#blocks[middle]!.entries[0]!, entry) <= 0) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** Splits a block that has become too long into two. */
function halves({ entries, lengths, bytes }: Block): Block[] {
  const end = lengths.slice(0, BLOCK_SIZE).reduce((sum, length) => sum + length, 0)
  return [
    { entries: entries.slice(0, BLOCK_SIZE), lengths: lengths.slice(0, BLOCK_SIZE), bytes: bytes.slice(0, end) },
    { entries: entries.slice(BLOCK_SIZE), lengths: lengths.slice(BLOCK_SIZE), bytes: bytes.slice(end) }
  ]
}

function firstNotBefore(entries: readonly LedgerEntry[], entry: LedgerEntry): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareEntries(entries[middle]!, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Replaces `count` outputs at an index by one, or by none. */
function splice(
  block: Block,
  index: number,
  count: 0 | 1,
  entry?: LedgerEntry,
  data: Uint8Array = new Uint8Array(0)
): void {
  let start = 0
  for (let i = 0; i < index; i++) start += block.lengths[i]!
  const end = start + (count === 0 ? 0 : block.lengths[index]!)
  block.bytes = concatBytes(block.bytes.subarray(0, start), data, block.bytes.subarray(end))
  block.entries.splice(index, count, ...(entry === undefined ? [] : [entry]))
  block.lengths.splice(index, count, ...(entry === undefined ? [] : [data.length]))
}
