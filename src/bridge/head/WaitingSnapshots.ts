import type { Snapshot } from '../protocol/types.js'

/** Beyond this many another seed is cheaper. */
const MAX_WAITING = 1_000
/** Greatest weight together, characters of message text. One snapshot is kept whatever its weight. */
const MAX_WEIGHT = 8_000_000

/** Snapshots that cannot be applied before a seed. The oldest are dropped beyond a bound; what they did is then in the next seed. */
export class WaitingSnapshots {
  #waiting: { readonly snapshot: Snapshot; readonly weight: number }[] = []
  #weight = 0

  push(snapshot: Snapshot, weight: number): void {
    // A full snapshot supersedes all earlier ones; each can be as large as the head.
    if (snapshot.utxo !== undefined) this.clear()
    this.#waiting.push({ snapshot, weight })
    this.#weight += weight
    while (this.#waiting.length > MAX_WAITING || (this.#weight > MAX_WEIGHT && this.#waiting.length > 1)) this.shift()
  }

  /** The oldest, which stays. */
  get first(): Snapshot | undefined { return this.#waiting[0]?.snapshot }

  /** Drops the oldest. */
  shift(): void {
    this.#weight -= this.#waiting.shift()?.weight ?? 0
  }

  clear(): void {
    this.#waiting = []
    this.#weight = 0
  }
}
