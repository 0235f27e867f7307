import { equalBytes } from '../../codec/bytes.js'
import type { KeptOutputs, OutputBytes, SetEntry } from '../../accumulator/inner.js'

/** The outputs of a snapshot that reach the cache, encoded: those of the head, and those of the pending deposit. */
export class HeadOutputs {
  readonly utxo: KeptOutputs
  readonly #toCommit: ReadonlyMap<string, Uint8Array | undefined>

  constructor(utxo: KeptOutputs, toCommit: readonly SetEntry[]) {
    this.utxo = utxo
    this.#toCommit = new Map(toCommit.map(({ key, data }) => [key, data]))
  }

  has(key: string): boolean {
    return this.utxo.has(key) || this.#toCommit.has(key)
  }

  get(key: string): Uint8Array | undefined {
    return this.utxo.get(key) ?? this.#toCommit.get(key)
  }

  /** Yields the outputs that another snapshot does not have. */
  *notIn(other: HeadOutputs): Generator<OutputBytes> {
    for (const entry of this.#unshared(other)) if (!other.has(entry[0])) yield entry
  }

  /** Returns the key of an output that is a different one in the snapshot before; null where there is none. */
  otherThan(before: HeadOutputs): string | null {
    for (const [key, data] of this.#unshared(before)) {
      const earlierData = before.get(key)
      if (data !== undefined && earlierData !== undefined && !equalBytes(data, earlierData)) return key
    }
    return null
  }

  *#unshared(other: HeadOutputs): Generator<OutputBytes> {
    yield* this.utxo.unshared(other.utxo)
    yield* this.#toCommit
  }
}
