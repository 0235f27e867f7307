import { addOldProperties, OLD_NAMES } from '../../errors/oldNames.js'
import type { RuleVersions } from '../../errors/verification.js'
import type { ConnectionState } from '../connection/reconnectPolicy.js'
import { INITIAL_HEAD_STATE, reduceHead } from './reducer.js'
import type { HeadState } from './reducer.js'
import { reduceSlotZero } from './slotClock.js'
import type { SlotZero } from './slotClock.js'
import type { CacheOutcome } from './CacheOutcome.js'
import type { SnapshotCache } from './SnapshotCache.js'
import type { TextOutputs } from './SnapshotTexts.js'
import { isKnownPayload } from '../protocol/messages.js'
import type { LayerPayload } from '../protocol/messages.js'
import { SeqFilter } from './seqFilter.js'

/** State of a bridge for user interfaces. */
export interface BridgeSnapshot extends Readonly<HeadState> {
  /** State of the connection. */
  readonly state: ConnectionState
  /** {@link LayerBridge.lastSnapshotNumber}; null where that is -1. */
  readonly snapshotNumber: number | null
  /** As {@link LayerBridge.slotZeroTimestamp}: ms since Unix epoch. */
  readonly slotZeroTimestamp: number | null
  /**
   * True when the cache holds a snapshot whose number is known, or for which no source has a number. Balances can be
   * read earlier, from Greetings on.
   */
  readonly ready: boolean
  /** Number of the newest verified snapshot of this head, null before the first; only with the option `verify`. */
  readonly verified?: number | null
  /**
   * Snapshots that wait to be verified while verification is two seconds or more behind, else 0. Only with the option
   * `verify`.
   */
  readonly waiting?: number
  /**
   * The node's version and the newest known one, while the node is newer than the verification knows, so that none of
   * its snapshots can be verified. Only with the option `verify`.
   */
  readonly unknownRule?: RuleVersions
}

/** State of a verifier for user interfaces. */
interface ShownVerifier {
  readonly verified: number
  readonly lag: { readonly waiting: number }
  readonly unknownRule: RuleVersions | null
}

/** State of the head according to the messages, and the listeners for its changes. */
export class HeadModel {
  readonly #cache: SnapshotCache
  readonly #state: () => ConnectionState
  readonly #verifier: ShownVerifier | null
  readonly #seqs = new SeqFilter()
  readonly #listeners = new Set<() => void>()
  #shown: BridgeSnapshot | null = null
  #announced = true
  head: HeadState = INITIAL_HEAD_STATE
  slotZero: SlotZero | null = null
  /** True when Greetings has arrived on this connection. */
  greetingsReceived = false
  /** True once a message that nodes send has arrived, on any connection of this bridge. */
  hasHeardNode = false

  constructor(cache: SnapshotCache, state: () => ConnectionState, verifier: ShownVerifier | null = null) {
    this.#verifier = verifier
    this.#cache = cache
    this.#state = state
  }

  get watched(): boolean {
    return this.#listeners.size > 0
  }

  get snapshot(): BridgeSnapshot {
    if (this.#shown !== null) return this.#shown
    const shown: BridgeSnapshot = {
      ...this.head,
      state: this.#state(),
      snapshotNumber: numberOrNull(this.#cache.number),
      slotZeroTimestamp: this.slotZero?.timestamp ?? null,
      ready: this.#cache.settled,
      ...(this.#verifier === null ? {} : shownOf(this.#verifier))
    }
    this.#shown = Object.freeze(addOldProperties(shown, OLD_NAMES.snapshot))
    return this.#shown
  }

  startConnection(): void {
    this.#seqs.reset()
    this.greetingsReceived = false
  }

  isRepeated(payload: LayerPayload): boolean {
    return this.#seqs.isRepeated(payload)
  }

  /**
   * Applies a message atomically. `weight`: characters of its text. `read`: its outputs, where they have been read from
   * it.
   *
   * @throws {@link ProtocolError} when its outputs cannot be read
   */
  apply(payload: LayerPayload, receivedAt: number, weight = 0, read: TextOutputs | null = null): CacheOutcome {
    this.hasHeardNode ||= isKnownPayload(payload)
    const outcome = this.#cache.apply(payload, weight, read)
    const { head, slotZero } = this
    this.head = reduceHead(head, payload)
    this.slotZero = reduceSlotZero(slotZero, payload, receivedAt)
    if (payload.tag === 'Greetings') this.greetingsReceived = true
    if (outcome === 'applied' || outcome === 'outOfStep' || this.head !== head || this.slotZero !== slotZero)
      this.changed()
    return outcome
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Notes that {@link snapshot} has changed. Listeners are called once, in a microtask. */
  changed(): void {
    this.#shown = null
    if (!this.#announced || this.#listeners.size === 0) return
    this.#announced = false
    void Promise.resolve().then(() => {
      this.#announced = true
      for (const listener of [...this.#listeners]) listener()
    })
  }
}

/** Returns a snapshot's number as it is shown: null for -1, by which the cache and the verifier mean none. */
const numberOrNull = (number: number): number | null => (number < 0 ? null : number)

function shownOf({
  verified,
  lag,
  unknownRule
}: ShownVerifier): Pick<BridgeSnapshot, 'verified' | 'waiting' | 'unknownRule'> {
  return { verified: numberOrNull(verified), waiting: lag.waiting, ...(unknownRule === null ? {} : { unknownRule }) }
}
