import { blake2b224 } from '../../hash/blake2b.js'
import type { HeadIdentity } from '../head/types.js'
import { deriveId } from '../settings/keys.js'

/** Settings from which the identity of a head is derived. */
export interface HeadIdSource {
  readonly seed: string
  /** Verification keys of the parties, hex. */
  readonly parties: readonly string[]
  readonly contestationPeriodMs: number
  /** Id of the head that the heads were forked from, which none of them may have; null without a fork. */
  readonly forkedHeadId: string | null
}

/** Derives the identities of a node's heads, one after another. */
export class HeadIds {
  readonly #source: HeadIdSource
  #count = 0

  constructor(source: HeadIdSource) {
    this.#source = source
  }

  /** Number of heads so far. */
  get count(): number {
    return this.#count
  }

  /** Returns the identity of a new head. */
  next(): HeadIdentity {
    const { seed, parties, contestationPeriodMs, forkedHeadId } = this.#source
    const label = `${forkedHeadId === null ? '' : `fork of ${forkedHeadId}, `}head ${++this.#count}`
    return {
      headId: deriveId(seed, label, blake2b224),
      headSeed: deriveId(seed, `${label} seed`),
      parties,
      contestationPeriodMs
    }
  }

  /** Continues the sequence after `count` heads. */
  restore(count: number): void {
    this.#count = count
  }
}
