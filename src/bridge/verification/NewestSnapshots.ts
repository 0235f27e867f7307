import type { VerificationError } from '../../errors/verification.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { getOwn } from '../protocol/wireRecord.js'
import { refused } from './snapshotMembers.js'
import type { VerificationListener } from './types.js'

/** Maximum number of heads whose newest snapshot is remembered. */
const MAX_HEADS = 100

/** Numbers of the newest verified snapshots by head; older snapshots are rejected. */
export class NewestSnapshots {
  readonly #listener: VerificationListener
  readonly #numbers = new Map<string, number>()
  readonly #ended = new Set<string>()
  #verified = -1

  constructor(listener: VerificationListener) {
    this.#listener = listener
  }

  /** Number of the newest verified snapshot of the present head; -1 before the first. */
  get verified(): number {
    return this.#verified
  }

  /** Returns the number of the newest verified snapshot of a head; -1 before the first. */
  of(headId: string): number {
    return this.#numbers.get(headId) ?? -1
  }

  /** Makes a head the present one, whose number {@link verified} returns; undefined: there is none. */
  enterHead(headId: string | undefined): void {
    if (headId !== undefined) this.#ended.delete(headId)
    this.#show(headId === undefined ? -1 : this.of(headId))
  }

  /** Marks a head as ended: later snapshots of it no longer change {@link verified}. */
  leaveHead(headId: string): void {
    this.#ended.add(headId)
    if (this.#ended.size > MAX_HEADS) this.#ended.delete(this.#ended.values().next().value!)
    this.#show(-1)
  }

  /** Remembers a verified snapshot as the newest of its head. */
  note(headId: string, number: number): void {
    this.#numbers.delete(headId)
    this.#numbers.set(headId, number)
    if (this.#numbers.size > MAX_HEADS) this.#numbers.delete(this.#numbers.keys().next().value!)
    if (!this.#ended.has(headId)) this.#show(number)
  }

  /**
   * Returns the error of a snapshot that is older than a verified one, else null. Where the cache holds the verified
   * one, there is no error: the cache ignores older snapshots by itself.
   *
   * @param least - lowest number that the snapshot may have. Default: that of the newest verified one, unless the cache
   * holds that.
   */
  stalenessOf(snapshot: WireRecord, least?: number): VerificationError | null {
    const [headId, number] = [getOwn(snapshot, 'headId') as string, getOwn(snapshot, 'number') as number]
    const newest = least ?? this.of(headId)
    if (number >= newest || (least === undefined && this.#listener.holds(headId, newest))) return null
    return refused('stale', `The snapshot is older than number ${newest}, which was verified before.`)
  }

  #show(number: number): void {
    if (number === this.#verified) return
    this.#verified = number
    this.#listener.onVerified()
  }
}
