import { blake2b224 } from '../../hash/blake2b.js'
import type { HeadIdentity } from '../head/types.js'
import { deriveId } from '../settings/keys.js'

/** Settings of a head's identity. */
export interface HeadIdSource {
  readonly seed: string
  /** Verification keys of the parties, hex. */
  readonly parties: readonly string[]
  readonly contestationPeriodMs: number
  /** The head that the heads start from, and share no id with; null for most nodes. */
  readonly forkedHeadId: string | null
}

/** Names the heads of a node, one after another. */
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

  /** Continues after so many heads. */
  restore(count: number): void {
    this.#count = count
  }
}
