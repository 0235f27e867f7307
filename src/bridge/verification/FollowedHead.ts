import { now } from '../../net/timers.js'
import type { Baseline } from '../head/baseline.js'
import { SnapshotCache } from '../head/SnapshotCache.js'
import type { CacheOutcome } from '../head/CacheOutcome.js'
import type { LayerPayload } from '../protocol/messages.js'
import type { UTxOObject } from '../protocol/types.js'
import type { ArrivedMessage } from './ArrivedMessage.js'
import { recordOf } from './ArrivedMessage.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'

/** Maximum number of messages that wait for a check. */
const MAX_HELD = 10_000

/** A waiting message: one with a snapshot without outputs, or one that came after such a message. */
export interface HeldMessage {
  readonly message: ArrivedMessage
  /**
   * Its snapshot; `isSigned`: true when the signatures have been checked already. Null for a message that only waits
   * for its turn.
   */
  readonly about: { readonly snapshot: WireRecord; readonly isSigned: boolean } | null
}

/**
 * Snapshots that came without outputs, and the outputs that are computed from their transactions. Those transactions
 * are not signed by the parties, so no output is passed on before the outputs have been compared with the signed
 * accumulator.
 */
export class FollowedHead {
  readonly #cache: SnapshotCache
  #heldMessages: HeldMessage[] = []
  #checkedAt = -Infinity
  #checkTookMs = 0

  /** @param counts - returns true for the configured head, and for any head where none is configured */
  constructor(counts: (headId: string) => boolean) {
    this.#cache = new SnapshotCache(true, undefined, counts)
  }

  /**
   * True when the outputs can be compared with the newest snapshot: neither a gap nor an unreadable transaction lies
   * between.
   */
  get isComplete(): boolean {
    return this.#cache.current
  }

  /** Number of the snapshot that the outputs are of; -1 while there are none. */
  get number(): number {
    return this.#cache.seeded ? this.#cache.number : -1
  }

  /** True while messages wait. */
  get isHolding(): boolean {
    return this.#heldMessages.length > 0
  }

  /** True when no more messages may wait. */
  get isFull(): boolean {
    return this.#heldMessages.length >= MAX_HELD
  }

  /** Clears the state, because the connection is a new one, or the computed outputs were wrong. */
  reset(): void {
    this.#cache.reset()
    this.#heldMessages = []
  }

  /**
   * Applies a message, as the bridge's own cache would. @throws {@link ProtocolError} when its outputs cannot be read
   */
  apply(payload: LayerPayload, weight = 0): CacheOutcome {
    return this.#cache.apply(payload, weight)
  }

  /** Applies outputs that are proven, and the messages that waited for them. */
  applyBaseline(baseline: Omit<Baseline, 'epoch'>): void {
    this.#cache.applyBaseline({ ...baseline, epoch: this.#cache.epoch })
  }

  /** Keeps a message until its turn. */
  hold(message: ArrivedMessage, about: HeldMessage['about'] = null): void {
    this.#heldMessages.push({ message, about })
  }

  /** Removes the waiting messages and returns them in their order. */
  release(): HeldMessage[] {
    const messages = this.#heldMessages
    this.#heldMessages = []
    return messages
  }

  /** Returns the snapshots that wait. */
  snapshots(): WireRecord[] {
    return this.#heldMessages.flatMap(({ about }) => (about === null ? [] : [about.snapshot]))
  }

  /**
   * Returns the time to wait before the next check, ms: 0 when it is due. With an interval, the pause is at least four
   * times as long as the last check, so that the checks of a large head do not occupy the program.
   */
  untilCheck(intervalMs: number): number {
    const pauseMs = intervalMs === 0 ? 0 : Math.max(intervalMs, 4 * this.#checkTookMs)
    return Math.max(0, this.#checkedAt + pauseMs - now())
  }

  /**
   * Returns the newest waiting snapshot as a message with the computed outputs; null where these belong to no snapshot
   * that waits.
   */
  whole(): WireRecord | null {
    const newest = this.#heldMessages
      .filter(({ about }) => about !== null && getOwn(about.snapshot, 'number') === this.number)
      .at(-1)
    if (newest === undefined) return null
    const utxo: UTxOObject = Object.fromEntries(this.#cache.entries())
    const snapshot: WireRecord = { ...newest.about!.snapshot, utxo }
    for (const set of ['utxoToCommit', 'utxoToDecommit'])
      if (isRecord(snapshot[set])) snapshot[set] = { ...snapshot[set] }
    // The cache shows outputs that are being committed; the snapshot's own outputs do not include it yet.
    for (const key of Object.keys((snapshot['utxoToCommit'] as WireRecord | null) ?? {})) delete utxo[key]
    return { ...recordOf(newest.message.payload), snapshot }
  }

  /** Notes that a check, begun at `startedAt`, has ended. */
  markChecked(startedAt: number): void {
    this.#checkedAt = now()
    this.#checkTookMs = this.#checkedAt - startedAt
  }
}
