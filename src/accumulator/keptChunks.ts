import type { OutputEncoder } from './OutputEncoder.js'
import type { KeyedOutput } from './utxoSet.js'
import { appendOutput, compareKeys, indexOfKey } from './utxoSet.js'

/** Number of outputs in one chunk of a new set. A chunk that grows to more than twice as many is split. */
const CHUNK = 256
/** Chunks that are encoded before other work may run: about a millisecond. */
const CHUNKS_A_STEP = 2
/** Consecutive outputs of a set in the ledger's order, with their encoded bytes. Its outputs never change. */
export interface Chunk {
  readonly keys: readonly string[]
  /** End of each output's bytes in {@link bytes}. */
  readonly ends: readonly number[]
  readonly bytes: Uint8Array
  /** Roots of the accumulator's polynomial, where they have been computed. */
  readonly roots: (bigint | undefined)[]
  /** Number of Byron outputs: they have no bytes. */
  readonly byron: number
}

/**
 * Encodes outputs one by one, without collecting them in a list. Returns null when they are not in the ledger's order,
 * the order in which nodes write them.
 */
export function* chunksInOrder(
  outputs: Iterable<KeyedOutput>,
  encoder: OutputEncoder
): Generator<undefined, Chunk[] | null> {
  const chunks: Chunk[] = []
  let chunk = new NewChunk(encoder)
  let last = ''
  for (const [key, output] of outputs) {
    if (compareKeys(last, key) >= 0) return null
    last = key
    if (chunk.size === CHUNK) {
      chunks.push(chunk.finish())
      if (chunks.length % CHUNKS_A_STEP === 0) yield
      chunk = new NewChunk(encoder)
    }
    chunk.add(key, output)
  }
  if (chunk.size > 0) chunks.push(chunk.finish())
  return chunks
}

/** Encodes outputs that are in the ledger's order, and yields between steps. */
export function* chunksOf(sorted: readonly KeyedOutput[], encoder: OutputEncoder): Generator<undefined, Chunk[]> {
  const chunks: Chunk[] = []
  for (let from = 0; from < sorted.length; from += CHUNK) {
    chunks.push(encodeChunk(sorted.slice(from, from + CHUNK), encoder))
    if (chunks.length % CHUNKS_A_STEP === 0) yield
  }
  return chunks
}

/** Sorts outputs into the ledger's order. */
export function sortedByKey(outputs: Iterable<KeyedOutput>): KeyedOutput[] {
  return [...outputs].sort(([a], [b]) => compareKeys(a, b))
}

/** Encodes outputs that are in order as a chunk. @throws {@link VerificationError} that names the entry */
export function encodeChunk(outputs: readonly KeyedOutput[], encoder: OutputEncoder): Chunk {
  const chunk = new NewChunk(encoder)
  for (const [key, output] of outputs) chunk.add(key, output)
  return chunk.finish()
}

/** A chunk that is being filled; it has the encoder for itself until it is finished. */
class NewChunk {
  readonly #encoder: OutputEncoder
  readonly #keys: string[] = []
  readonly #ends: number[] = []
  #byron = 0

  constructor(encoder: OutputEncoder) {
    this.#encoder = encoder
    encoder.begin()
  }

  get size(): number {
    return this.#keys.length
  }

  add(key: string, output: unknown): void {
    indexOfKey(key)
    if (!appendOutput(key, output, this.#encoder)) this.#byron++
    this.#keys.push(key)
    this.#ends.push(this.#encoder.length)
  }

  finish(): Chunk {
    return { keys: this.#keys, ends: this.#ends, bytes: this.#encoder.finish(), roots: [], byron: this.#byron }
  }
}

/** Bytes of an output of a chunk; undefined for a Byron output. */
export function dataAt({ bytes, ends }: Chunk, at: number): Uint8Array | undefined {
  const start = at === 0 ? 0 : ends[at - 1]!
  return ends[at]! > start ? bytes.subarray(start, ends[at]!) : undefined
}

interface Part {
  readonly key: string
  readonly data: Uint8Array | undefined
  readonly root: bigint | undefined
}

function partsOf(chunk: Chunk): Part[] {
  return chunk.keys.map((key, at) => ({ key, data: dataAt(chunk, at), root: chunk.roots[at] }))
}

/** Returns the outputs of a chunk without the removed ones and with those of `added`, in order. */
export function merge(chunk: Chunk, removed: ReadonlySet<string>, added: Chunk): Part[] {
  const parts: Part[] = []
  const fresh = partsOf(added)
  let next = 0
  for (const part of partsOf(chunk)) {
    while (next < fresh.length && compareKeys(fresh[next]!.key, part.key) < 0) parts.push(fresh[next++]!)
    if (!removed.has(part.key)) parts.push(part)
  }
  return [...parts, ...fresh.slice(next)]
}

/** Makes chunks of outputs: one, none for an empty list, or several when there are too many outputs for one. */
export function cut(parts: readonly Part[]): Chunk[] {
  if (parts.length === 0) return []
  if (parts.length > 2 * CHUNK) {
    const middle = parts.length >> 1
    return [...cut(parts.slice(0, middle)), ...cut(parts.slice(middle))]
  }
  const bytes = new Uint8Array(parts.reduce((sum, { data }) => sum + (data?.length ?? 0), 0))
  const ends: number[] = []
  let end = 0
  let byron = 0
  for (const { data } of parts) {
    if (data === undefined) byron++
    else bytes.set(data, end)
    ends.push((end += data?.length ?? 0))
  }
  return [{ keys: parts.map(({ key }) => key), ends, bytes, roots: parts.map(({ root }) => root), byron }]
}
