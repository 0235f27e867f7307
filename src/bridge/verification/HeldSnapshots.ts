import { VerificationError } from '../../errors/verification.js'
import type { StopTimer } from '../../net/timers.js'
import { now, startTimer } from '../../net/timers.js'
import type { Baseline } from '../head/baseline.js'
import { baselineFromSnapshot } from '../head/baseline.js'
import type { CacheOutcome } from '../head/CacheOutcome.js'
import type { LayerPayload } from '../protocol/messages.js'
import type { TextOutputs } from '../head/SnapshotTexts.js'
import type { ConfirmedSnapshot } from '../protocol/types.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { getOwn } from '../protocol/wireRecord.js'
import type { ArrivedMessage } from './ArrivedMessage.js'
import { FollowedHead } from './FollowedHead.js'
import type { SnapshotChecks } from './SnapshotChecks.js'
import { confirmedOf, omitOutputs, refused } from './snapshotMembers.js'
import type { VerificationListener } from './types.js'

/** Time limit of the GET /snapshot request that closes a gap, ms. */
const BASELINE_TIMEOUT_MS = 10_000

/** Callbacks of {@link HeldSnapshots} for messages. */
interface HeldSnapshotsOptions {
  /** Least time between two checks, ms. */
  readonly checkInterval: number
  /** Returns true for the configured head, and for any head where none is configured. */
  counts(headId: string): boolean
  /** Passes on a message that is verified, or needs no verification. */
  pass(message: ArrivedMessage): void
  /** Reports a snapshot that could not be verified. */
  refuse(error: VerificationError, snapshot: WireRecord): void
  /** Runs a step after those before it, unless the connection has changed by then. */
  inTurn(step: () => Promise<void> | void): void
}

/**
 * Queue of snapshots that came without outputs. They wait until the outputs that are computed from their transactions
 * have been compared with the accumulator that the parties signed. The messages after them wait too, which keeps the
 * order. The methods must be called one after another.
 */
export class HeldSnapshots {
  readonly #checks: SnapshotChecks
  readonly #listener: VerificationListener
  readonly #options: HeldSnapshotsOptions
  readonly #followed: FollowedHead
  #stopTimer: StopTimer = () => undefined
  /** True when the waiting snapshots need GET /snapshot. */
  #awaitsBaseline = false
  #whenReleased: (() => void)[] = []

  constructor(checks: SnapshotChecks, listener: VerificationListener, options: HeldSnapshotsOptions) {
    this.#checks = checks
    this.#listener = listener
    this.#options = options
    this.#followed = new FollowedHead((headId) => options.counts(headId))
  }

  /** Drops all waiting messages, because messages may have been missed. */
  reset(): void {
    this.#stopWaiting()
    this.#followed.reset()
    this.#announceRelease()
  }

  /** Resolves when no message waits. */
  async whenReleased(): Promise<void> {
    if (this.#followed.isHolding) await new Promise<void>((resolve) => this.#whenReleased.push(resolve))
  }

  /** Adds a message behind the waiting ones. @returns false when none waits: the message may be passed on at once */
  hold(message: ArrivedMessage): boolean {
    if (!this.#followed.isHolding) return false
    this.#followed.hold(message)
    if (this.#followed.isFull) this.#refuseAll(refused('rule', 'Too many messages wait for the outputs of a snapshot.'))
    return true
  }

  /** Applies a message about the head, after the snapshots before it. Null: the message cannot be decoded. */
  async follow(payload: LayerPayload | null): Promise<void> {
    await this.settle()
    if (payload !== null) this.#tryApply(payload)
  }

  /**
   * Receives a snapshot that has passed the checks that its form allows.
   *
   * @param about - `isWhole`: it has its outputs, which are proven; `isSigned`: its signatures have been checked.
   */
  async receive(
    message: ArrivedMessage,
    payload: LayerPayload,
    about: { snapshot: WireRecord; isWhole: boolean; isSigned: boolean }
  ): Promise<void> {
    const { snapshot, isWhole, isSigned } = about
    const followed = this.#followed
    const outcome = this.#tryApply(payload, message.weight)
    if (outcome instanceof Error) return this.#options.refuse(refused('output', outcome.message), snapshot)
    if (outcome === 'ignored') {
      if (!isSigned)
        return this.#options.refuse(
          refused('stale', `The snapshot is not newer than number ${followed.number}.`),
          snapshot
        )
      if (!this.hold(message)) this.#options.pass(message)
      return
    }
    if (isWhole && !followed.isHolding) return this.#options.pass(message)
    followed.hold(message, about)
    if (!followed.isComplete) return this.#awaitBaseline()
    const waitMs = isWhole || !isSigned ? 0 : followed.untilCheck(this.#options.checkInterval)
    return waitMs === 0 ? this.settle() : this.#later(waitMs, () => this.settle())
  }

  /** Applies the proven outputs of an answer to GET /snapshot, from which the waiting snapshots continue. */
  async applyProven(body: WireRecord): Promise<void> {
    const followed = this.#followed
    try {
      followed.applyBaseline(baselineOf(body))
    } catch (error) {
      return this.#refuseAll(refused('output', (error as Error).message))
    }
    if (!followed.isHolding) return
    if (followed.isComplete) return this.settle()
    // It was older than the waiting snapshots.
    this.#listener.onBehind(false)
  }

  /** Refuses the waiting snapshots if they need outputs, because GET /snapshot brought no proven ones. */
  onNoBaseline(error: VerificationError): void {
    if (!this.#followed.isComplete) this.#refuseAll(error)
  }

  /** Compares the computed outputs with the newest waiting snapshot, and passes on the waiting messages. */
  async settle(): Promise<void> {
    const followed = this.#followed
    if (!followed.isHolding || !followed.isComplete) return
    this.#stopWaiting()
    const whole = followed.whole()
    if (whole !== null) {
      const startedAt = now()
      const confirmed = followed.snapshots().flatMap(confirmedOf)
      const passed = await this.#checks.check({ holder: whole, outputs: null, text: null }, { confirmed })
      followed.markChecked(startedAt)
      if (passed instanceof VerificationError) return this.#refuseAll(passed)
    }
    const unproven = await unprovenOf(followed)
    // From here on without a pause: handlers find the outputs of the newest of these snapshots.
    if (whole !== null) this.#listener.onOutputs({ ...baselineOf(whole), isNew: true })
    this.#releaseAll(whole, unproven)
  }

  #releaseAll(checked: WireRecord | null, unproven: readonly string[]): void {
    const checkedNumber = checked === null ? undefined : getOwn(getOwn(checked, 'snapshot') as WireRecord, 'number')
    let missed = false
    for (const { message, about } of this.#followed.release()) {
      if (about !== null && !about.isSigned && getOwn(about.snapshot, 'number') !== checkedNumber) {
        this.#options.refuse(
          refused('rule', 'Its outputs, which are what the parties sign, were not known in time.'),
          about.snapshot
        )
        missed = true
        continue
      }
      if (about !== null) omitOutputs(about.snapshot, unproven)
      this.#options.pass(message)
    }
    if (missed) this.#listener.onBehind(true)
    this.#announceRelease()
  }

  /** Refuses the waiting snapshots, and passes on the other messages. */
  #refuseAll(error: VerificationError): void {
    const followed = this.#followed
    this.#stopWaiting()
    const heldMessages = followed.release()
    followed.reset()
    for (const { message, about } of heldMessages) {
      if (about === null) this.#options.pass(message)
      else this.#options.refuse(error, about.snapshot)
    }
    if (heldMessages.some(({ about }) => about !== null)) this.#listener.onBehind(true)
    this.#announceRelease()
  }

  #announceRelease(): void {
    for (const resolve of this.#whenReleased.splice(0)) resolve()
  }

  #stopWaiting(): void {
    this.#stopTimer()
    this.#awaitsBaseline = false
  }

  #awaitBaseline(): void {
    if (this.#awaitsBaseline) return
    this.#later(BASELINE_TIMEOUT_MS, () =>
      this.#refuseAll(
        refused(
          'rule',
          'The outputs of the snapshot do not follow from what came before, and GET /snapshot has not brought them.'
        )
      )
    )
    this.#awaitsBaseline = true
    this.#listener.onBehind(false)
  }

  #tryApply(payload: LayerPayload, weight = 0): CacheOutcome | Error {
    try {
      return this.#followed.apply(payload, weight)
    } catch (error) {
      return error as Error
    }
  }

  #later(waitMs: number, step: () => Promise<void> | void): void {
    this.#stopTimer()
    this.#stopTimer = startTimer(waitMs, () => this.#options.inTurn(step))
  }
}

/** Returns the keys of those pending outputs of the waiting snapshots that have no proof. */
async function unprovenOf(followed: FollowedHead): Promise<string[]> {
  const { readUtxoSet } = await import('../../accumulator/utxoSet.js')
  const sets = followed
    .snapshots()
    .flatMap((snapshot) => [getOwn(snapshot, 'utxoToCommit'), getOwn(snapshot, 'utxoToDecommit')])
  return sets.flatMap((set) => readUtxoSet(set)).flatMap(({ key, data }) => (data === undefined ? [key] : []))
}

/** Returns the number and outputs of a message, or of an answer to GET /snapshot. */
export function baselineOf(body: WireRecord, outputs: TextOutputs | null = null): Omit<Baseline, 'epoch'> {
  const confirmed = { tag: 'ConfirmedSnapshot', ...withTag(body) } as unknown as ConfirmedSnapshot
  return baselineFromSnapshot(confirmed, 0, outputs)
}

/** Returns an answer to GET /snapshot, or a message in the form of one. */
function withTag(body: WireRecord): WireRecord {
  return getOwn(body, 'tag') === 'InitialSnapshot' ? body : { snapshot: getOwn(body, 'snapshot') }
}
