import { accumulateInParts, MAX_ELEMENTS, OutputEncoder } from '../../accumulator/inner.js'
import { bytesToHex } from '../../codec/hex.js'
import { utf8ToBytes } from '../../codec/utf8.js'
import { blake2b256 } from '../../hash/blake2b.js'
import { nextTask } from '../../net/nextTask.js'
import { accumulatorElement } from '../rules/outputHash.js'
import type { LedgerEntry } from '../rules/utxoSet.js'

/** Commitment to no outputs: the generator of G1, compressed. */
export const EMPTY_COMMITMENT =
  '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'

/** Most commitments kept; the oldest are dropped first. */
const MAX_KEPT = 256

/** Computes and keeps the commitments to the outputs of heads, each once, because they need time. */
export class Commitments {
  readonly #cache = new Map<string, string>()
  #working: Promise<void> | undefined

  /** Returns the commitment to outputs; undefined while it is being computed, or when there are too many outputs. */
  of(entries: readonly LedgerEntry[]): string | undefined {
    if (entries.length === 0) return EMPTY_COMMITMENT
    if (entries.length > MAX_ELEMENTS) return undefined
    const key = keyOf(entries)
    const cached = this.#cache.get(key)
    if (cached === undefined && this.#working === undefined) this.#work(entries)
    return cached
  }

  /** Keeps a commitment that has been computed elsewhere. */
  readonly keep = (entries: readonly LedgerEntry[], commitment: string): void => {
    if (this.#cache.size >= MAX_KEPT) this.#cache.delete(this.#cache.keys().next().value!)
    this.#cache.set(keyOf(entries), commitment)
  }

  /** Resolves when the commitment under computation is known; undefined when there is none. */
  working(): Promise<void> | undefined {
    return this.#working
  }

  #work(entries: readonly LedgerEntry[]): void {
    const pause = (): Promise<void> => new Promise<void>(nextTask)
    const encoder = new OutputEncoder()
    const elements = entries.map((entry) => accumulatorElement(entry, encoder))
    this.#working = accumulateInParts(elements, pause).then(({ commitment }) => {
      this.#working = undefined
      this.keep(entries, commitment)
    })
  }
}

function keyOf(entries: readonly LedgerEntry[]): string {
  const refs = entries.map(({ ref }) => ref).sort()
  return bytesToHex(blake2b256(utf8ToBytes(refs.join())))
}
