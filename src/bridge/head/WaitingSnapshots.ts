import type { Snapshot } from '../protocol/types.js'

/** Maximum number of waiting snapshots; beyond it a new baseline is cheaper. */
const MAX_WAITING = 1_000
/** Maximum total weight, characters of message text. One snapshot is kept whatever its weight. */
const MAX_WEIGHT = 8_000_000

/** Returns true when a snapshot comes with its outputs. Does not access them, as that may parse their text. */
export function hasOutputs(snapshot: Snapshot): boolean {
  return Object.hasOwn(snapshot, 'utxo')
}

/**
 * Snapshots that cannot be applied before a baseline. The oldest are dropped beyond a bound; the next baseline contains
 * their effect.
 */
export class WaitingSnapshots {
  #waiting: { readonly snapshot: Snapshot; readonly weight: number }[] = []
  #weight = 0

  push(snapshot: Snapshot, weight: number): void {
    // A full snapshot supersedes all earlier ones; each can be as large as the head.
    if (hasOutputs(snapshot)) this.clear()
    this.#waiting.push({ snapshot, weight })
    this.#weight += weight
    while (this.#waiting.length > MAX_WAITING || (this.#weight > MAX_WEIGHT && this.#waiting.length > 1)) this.shift()
  }

  /** The oldest waiting snapshot; it is not removed. */
  get first(): Snapshot | undefined {
    return this.#waiting[0]?.snapshot
  }

  /** Drops the oldest. */
  shift(): void {
    this.#weight -= this.#waiting.shift()?.weight ?? 0
  }

  clear(): void {
    this.#waiting = []
    this.#weight = 0
  }
}
