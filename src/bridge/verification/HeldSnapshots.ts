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
import { confirmedOf, leaveOut, refused } from './snapshotMembers.js'
import type { VerificationListener } from './types.js'

/** Time limit of GET /snapshot that closes a gap. */
const BASELINE_TIMEOUT_MS = 10_000

/** Callbacks of {@link HeldSnapshots} for messages. */
interface HeldSnapshotsOptions {
  /** Least time between two checks, ms. */
  readonly checkInterval: number
  /** Returns true unless a head is another than the wanted one. */
  counts(headId: string): boolean
  /** Passes on a message that may go on. */
  pass(message: ArrivedMessage): void
  /** Reports a snapshot that may not. */
  refuse(error: VerificationError, snapshot: WireRecord): void
  /** Runs a step after those that are running, unless the connection has become another. */
  inTurn(step: () => Promise<void> | void): void
}

/**
 * Snapshots that came without outputs wait here until the outputs that follow from them have been compared with the
 * accumulator that the parties signed; the messages after them wait with them, so that their order stays. All methods
 * are called one after another.
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

  /** Forgets everything: messages may have been missed. */
  reset(): void {
    this.#stopWaiting()
    this.#followed.reset()
    this.#announceRelease()
  }

  /** Resolves when no message waits. */
  async whenReleased(): Promise<void> {
    if (this.#followed.isHolding) await new Promise<void>((resolve) => this.#whenReleased.push(resolve))
  }

  /** Lets a message wait for its turn. @returns false when no message waits: then it passes on at once */
  hold(message: ArrivedMessage): boolean {
    if (!this.#followed.isHolding) return false
    this.#followed.hold(message)
    if (this.#followed.isFull) this.#refuseAll(refused('rule', 'Too many messages wait for the outputs of a snapshot.'))
    return true
  }

  /** Applies a message about the head, after the snapshots before it. Null: it cannot be decoded. */
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

  /** Applies proven outputs, of the answer to GET /snapshot: the waiting snapshots follow them. */
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

  /** GET /snapshot brought no proven outputs. */
  onNoBaseline(error: VerificationError): void {
    if (!this.#followed.isComplete) this.#refuseAll(error)
  }

  /** Compares the outputs that follow with the newest snapshot that waits, and passes on the messages that waited. */
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
      if (about !== null) leaveOut(about.snapshot, unproven)
      this.#options.pass(message)
    }
    if (missed) this.#listener.onBehind(true)
    this.#announceRelease()
  }

  /** The snapshots that wait go no further; the other messages do. */
  #refuseAll(error: VerificationError): void {
    const followed = this.#followed
    this.#stopWaiting()
    const held = followed.release()
    followed.reset()
    for (const { message, about } of held) {
      if (about === null) this.#options.pass(message)
      else this.#options.refuse(error, about.snapshot)
    }
    if (held.some(({ about }) => about !== null)) this.#listener.onBehind(true)
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

/** Keys of pending outputs, in the snapshots that wait, without a proof. */
async function unprovenOf(followed: FollowedHead): Promise<string[]> {
  const { readUtxoSet } = await import('../../accumulator/utxoSet.js')
  const sets = followed
    .snapshots()
    .flatMap((snapshot) => [getOwn(snapshot, 'utxoToCommit'), getOwn(snapshot, 'utxoToDecommit')])
  return sets.flatMap((set) => readUtxoSet(set)).flatMap(({ key, data }) => (data === undefined ? [key] : []))
}

/** Number and outputs of a message, or of the answer to GET /snapshot. */
export function baselineOf(body: WireRecord, outputs: TextOutputs | null = null): Omit<Baseline, 'epoch'> {
  const confirmed = { tag: 'ConfirmedSnapshot', ...withTag(body) } as unknown as ConfirmedSnapshot
  return baselineFromSnapshot(confirmed, 0, outputs)
}

/** The answer to GET /snapshot, or a message as one. */
function withTag(body: WireRecord): WireRecord {
  return getOwn(body, 'tag') === 'InitialSnapshot' ? body : { snapshot: getOwn(body, 'snapshot') }
}
