import { equalBytes } from '../codec/bytes.js'
import { bytesToHex } from '../codec/hex.js'
import { rootOf } from './accumulate.js'
import type { Chunk } from './keptChunks.js'
import { chunksInOrder, chunksOf, cut, dataAt, encodeChunk, sortedByKey, merge } from './keptChunks.js'
import { OutputEncoder } from './OutputEncoder.js'
import { runToEnd } from './runToEnd.js'
import { reading } from './record.js'
import { startSha256 } from './sha256.js'
import type { KeyedOutput } from './utxoSet.js'
import { compareKeys, elementOf, EMPTY_SET_HASH, keyedOutputs } from './utxoSet.js'

/** Bytes that are hashed before other work may run: noble's SHA-256 needs about ten milliseconds for them. */
const BYTES_A_STEP = 1_048_576

/** The bytes of an output under its key; undefined for a Byron output. */
export type OutputBytes = readonly [key: string, data: Uint8Array | undefined]

/**
 * Immutable set of a head's outputs, each encoded as the parties hash it, in the ledger's order. `with()` makes the
 * next set: it encodes only the added outputs and shares the unchanged parts.
 */
export class KeptOutputs {
  readonly #chunks: readonly Chunk[]
  /** Number of outputs. */
  readonly size: number

  private constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks
    this.size = chunks.reduce((sum, { keys }) => sum + keys.length, 0)
  }

  /** The empty set. */
  static readonly EMPTY: KeptOutputs = /* @__PURE__ */ new KeptOutputs([])

  /**
   * Encodes a whole set and yields between steps, so that other work can run.
   *
   * @param outputs - returns the outputs, each once; called a second time when they are not in the ledger's order
   * @throws {@link VerificationError} with reason `output` that names the entry
   */
  static *of(outputs: () => Iterable<KeyedOutput>, encoder: OutputEncoder): Generator<undefined, KeptOutputs> {
    return new KeptOutputs(
      (yield* chunksInOrder(outputs(), encoder)) ?? (yield* chunksOf(sortedByKey(outputs()), encoder))
    )
  }

  /**
   * Returns the set without the removed outputs and with the added ones; null when a removed output is not in this set,
   * or an added one is in it and is not removed. @throws as {@link of}
   */
  with(added: readonly KeyedOutput[], removed: readonly string[], encoder: OutputEncoder): KeptOutputs | null {
    if (added.length === 0 && removed.length === 0) return this
    if (this.size === 0) return removed.length > 0 ? null : runToEnd(KeptOutputs.of(() => added, encoder))
    const changes = new Map<number, { added: KeyedOutput[]; removed: Set<string> }>()
    const changeAt = (key: string): { added: KeyedOutput[]; removed: Set<string> } => {
      const at = Math.max(0, this.#chunkOf(key))
      const change = changes.get(at) ?? { added: [], removed: new Set() }
      changes.set(at, change)
      return change
    }
    for (const key of removed) changeAt(key).removed.add(key)
    for (const entry of sortedByKey(added)) changeAt(entry[0]).added.push(entry)
    const chunks: Chunk[] = []
    for (const [at, chunk] of this.#chunks.entries()) {
      const change = changes.get(at)
      if (change === undefined) chunks.push(chunk)
      else chunks.push(...cut(merge(chunk, change.removed, encodeChunk(change.added, encoder))))
    }
    const next = new KeptOutputs(chunks)
    const isFit = next.size === this.size + added.length - removed.length && !removed.some((key) => !this.has(key))
    return isFit && !added.some(([key]) => this.has(key) && !removed.includes(key)) ? next : null
  }

  /** True when an output is in the set. */
  has(key: string): boolean {
    return this.#find(key) !== null
  }

  /** Returns the bytes of an output; undefined where it is not in the set, and for a Byron output. */
  get(key: string): Uint8Array | undefined {
    const found = this.#find(key)
    return found === null ? undefined : dataAt(found.chunk, found.at)
  }

  /**
   * Yields the outputs in the parts that another set does not share with this one: all outputs that the other set
   * lacks, and possibly some that it has.
   */
  *unshared(other: KeptOutputs): Generator<OutputBytes> {
    const shared = new Set(other.#chunks)
    for (const chunk of this.#chunks)
      if (!shared.has(chunk)) for (const [at, key] of chunk.keys.entries()) yield [key, dataAt(chunk, at)]
  }

  /** True when another set has the same outputs under the same keys. */
  isSame(other: KeptOutputs): boolean {
    if (other === this) return true
    if (other.size !== this.size) return false
    const theirs = other.#all()
    for (const [key, data] of this.#all()) {
      const [otherKey, otherData] = theirs.next().value as OutputBytes
      if (key !== otherKey || (data === undefined) !== (otherData === undefined)) return false
      if (data !== undefined && !equalBytes(data, otherData!)) return false
    }
    return true
  }

  *#all(): Generator<OutputBytes, undefined> {
    for (const chunk of this.#chunks) for (const [at, key] of chunk.keys.entries()) yield [key, dataAt(chunk, at)]
  }

  /** Returns the keys of the outputs at Byron addresses. */
  byron(): string[] {
    return this.#chunks.flatMap(({ keys, byron }) =>
      byron === 0 ? [] : keys.filter((key) => this.get(key) === undefined)
    )
  }

  /**
   * Computes the SHA-256 of the outputs in their order, in hex, and yields between steps, so that other work can run.
   */
  *hash(): Generator<undefined, string> {
    if (this.size === 0) return EMPTY_SET_HASH
    const hash = startSha256()
    let hashed = 0
    for (const { bytes } of this.#chunks) {
      hash.update(bytes)
      hashed += bytes.length
      if (hashed < BYTES_A_STEP) continue
      hashed = 0
      yield
    }
    return bytesToHex(hash.digest())
  }

  /**
   * Computes the roots of the accumulator's polynomial, one for each output, and yields between steps. Roots that were
   * computed before are reused.
   */
  *roots(): Generator<undefined, bigint[]> {
    const roots: bigint[] = []
    for (const chunk of this.#chunks) {
      for (let at = 0; at < chunk.keys.length; at++)
        roots.push((chunk.roots[at] ??= rootOf(elementOf(dataAt(chunk, at)))))
      yield
    }
    return roots
  }

  /** Returns the position of the last chunk that begins at a key or before it; -1 when all chunks begin after it. */
  #chunkOf(key: string): number {
    return lastNotAfter(this.#chunks.length, (at) => compareKeys(this.#chunks[at]!.keys[0]!, key))
  }

  #find(key: string): { chunk: Chunk; at: number } | null {
    const chunk = this.#chunks[this.#chunkOf(key)]
    if (chunk === undefined) return null
    const at = lastNotAfter(chunk.keys.length, (each) => compareKeys(chunk.keys[each]!, key))
    return chunk.keys[at] === key ? { chunk, at } : null
  }
}

/** Finds the last position whose comparison is 0 or less by binary search; -1 when there is none. */
function lastNotAfter(count: number, compare: (at: number) => number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(middle) <= 0) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * Returns the SHA-256 of a UTxO set, in hex, without keeping the encoded outputs. @throws {@link VerificationError}
 * with reason `output` that names the entry
 */
export function hashOfSet(utxo: unknown, what = 'The UTxO set'): string {
  const kept = reading('output', what, () => {
    const outputs = keyedOutputs(utxo, what)
    return runToEnd(KeptOutputs.of(() => outputs, new OutputEncoder()))
  })
  return runToEnd(kept.hash())
}
