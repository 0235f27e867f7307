import type { VerificationError } from '../../errors/verification.js'
import { VerificationError as Refused } from '../../errors/verification.js'
import { now } from '../../net/timers.js'
import type { SignedSnapshot } from '../../verify/inner.js'
import type { ArrivedMessage, ClaimedSnapshot } from './ArrivedMessage.js'
import { recordOf } from './ArrivedMessage.js'
import { Lag } from './Lag.js'
import { baselineOf } from './HeldSnapshots.js'
import type { SnapshotChecks } from './SnapshotChecks.js'
import { confirmedOf, refused } from './snapshotMembers.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { getOwn } from '../protocol/wireRecord.js'
import type { VerificationListener } from './types.js'

/** Maximum characters of the waiting texts. Beyond it, the outputs of the oldest snapshots are dropped. */
const MAX_TEXT = 67_108_864
/** Maximum number of messages that wait. */
const MAX_WAITING = 100_000
/**
 * Snapshots whose outputs themselves are signed are checked one by one, unless the oldest has waited longer than this,
 * ms.
 */
const SKIP_AFTER_MS = 1_000
/** Messages that change the present head. No check covers snapshots on both sides of one. */
const BOUNDARIES = /^(Greetings|HeadIs\w+|SnapshotSideLoaded)$/

/** A snapshot that waits to be checked. */
interface Claim {
  readonly snapshot: WireRecord
  /** Null where its outputs themselves are signed. */
  readonly signed: SignedSnapshot | null
  readonly arrivedAt: number
  /** Null once its outputs have been dropped. */
  claimed: ClaimedSnapshot | null
}

interface Waiting {
  readonly message: ArrivedMessage
  readonly claim: Claim | null
}

/** Functions that {@link WholeSnapshots} calls with the messages that it has decided on. */
export interface WholeSnapshotsOptions {
  /** Passes on a message that is verified, or needs no verification. */
  pass(message: ArrivedMessage): void
  /** Reports a snapshot that could not be verified. */
  refuse(error: VerificationError, snapshot: WireRecord): void
}

/**
 * Queue of snapshots with their outputs, and of the messages between them. Their signatures have been checked already.
 * Only the outputs of the newest snapshot are checked; those before it are passed on without their outputs. So a bridge
 * is never behind by more than two checks. A snapshot that fails is refused alone, and the one before it is checked.
 */
export class WholeSnapshots {
  readonly #checks: SnapshotChecks
  readonly #listener: VerificationListener
  readonly #options: WholeSnapshotsOptions
  readonly #lag: Lag
  #queue: Waiting[] = []
  #running: Promise<void> | null = null
  /** Grows when the waiting snapshots are dropped. */
  #generation = 0

  constructor(checks: SnapshotChecks, listener: VerificationListener, options: WholeSnapshotsOptions) {
    this.#checks = checks
    this.#listener = listener
    this.#options = options
    this.#lag = new Lag(listener)
  }

  /** Drops the waiting messages, because the connection is a new one. */
  reset(): void {
    this.#generation++
    this.#queue = []
    this.#lag.update(null, 0)
  }

  /** Resolves when no snapshot waits. */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  /** Adds a message behind those that wait; passes it on at once where none waits. */
  push(message: ArrivedMessage): void {
    if (this.#queue.length === 0) return this.#options.pass(message)
    this.#queue.push({ message, claim: null })
    if (this.#queue.length > MAX_WAITING) this.#refuseAll()
  }

  /** Adds a snapshot. `signed`: null where its outputs themselves are signed. */
  pushSnapshot(message: ArrivedMessage, snapshot: WireRecord, signed: SignedSnapshot | null): void {
    const { payload, outputs, text } = message
    const claimed: ClaimedSnapshot = { holder: recordOf(payload), outputs, text }
    const claim: Claim = { snapshot, signed, arrivedAt: now(), claimed }
    this.#queue.push({ message: { ...message, outputs: null, text: null }, claim })
    this.#boundTexts()
    this.#noteLag()
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  async #run(): Promise<void> {
    const generation = this.#generation
    while (this.#queue.length > 0) {
      if (this.#queue[0]!.claim === null) {
        this.#options.pass(this.#queue.shift()!.message)
        if (generation !== this.#generation) return
        continue
      }
      await this.#checkNewest(generation)
      // Snapshots that were dropped meanwhile have been replaced by the waiting ones.
      if (generation !== this.#generation) return this.#queue.length > 0 ? this.#run() : undefined
      this.#noteLag()
    }
  }

  async #checkNewest(generation: number): Promise<void> {
    const picked = this.#pick()
    const claim = picked.claim!
    const earlier = this.#before(picked)
    const confirmed = [...earlier, picked].flatMap(({ claim: each }) => confirmedOf(each!.snapshot))
    const passed =
      claim.claimed === null
        ? refused('rule', 'Its outputs were not checked in time: newer snapshots came, and failed.')
        : await this.#checks.check(claim.claimed, { signed: claim.signed, confirmed })
    if (generation !== this.#generation) return
    if (passed instanceof Refused) {
      this.#queue.splice(this.#queue.indexOf(picked), 1)
      this.#options.refuse(passed, claim.snapshot)
      if (claim.claimed === null) this.#listener.onBehind(true)
      return
    }
    const released = this.#queue.splice(0, this.#queue.indexOf(picked) + 1)
    // From here on without a pause: handlers find the outputs of the newest of these snapshots.
    if (earlier.length > 0)
      this.#listener.onOutputs({ ...baselineOf(recordOf(picked.message.payload), passed.outputs), isNew: true })
    this.#release(released, { ...picked.message, outputs: earlier.length > 0 ? null : passed.outputs }, generation)
    this.#checks.noteApplied()
  }

  #release(released: readonly Waiting[], newest: ArrivedMessage, generation: number): void {
    let missed = false
    for (const { message, claim } of released.slice(0, -1)) {
      if (generation !== this.#generation) return
      if (claim === null || claim.signed !== null) {
        if (claim !== null) delete claim.snapshot['utxo']
        this.#options.pass(message)
      } else {
        const detail = 'Its outputs, which are what the parties sign, were not known in time.'
        this.#options.refuse(refused('rule', detail), claim.snapshot)
        missed = true
      }
    }
    if (generation !== this.#generation) return
    this.#options.pass(newest)
    if (missed) this.#listener.onBehind(true)
  }

  /**
   * Returns the snapshot to check: the newest of those that one check decides, or the one that has to be checked by
   * itself.
   */
  #pick(): Waiting {
    const [first] = this.#queue as [Waiting]
    const isSkipping = first.claim!.signed === null && now() - first.claim!.arrivedAt > SKIP_AFTER_MS
    let picked = first
    for (const each of this.#queue) {
      const { claim, message } = each
      if (claim === null) {
        if (BOUNDARIES.test(message.payload.tag)) break
        continue
      }
      const isOneKind = (claim.signed === null) === (first.claim!.signed === null)
      if (!isOneKind || getOwn(claim.snapshot, 'headId') !== getOwn(first.claim!.snapshot, 'headId')) break
      if (claim.signed === null && !isSkipping) break
      if (claim.claimed !== null && (numberOf(claim) >= numberOf(picked.claim!) || picked.claim!.claimed === null))
        picked = each
    }
    return picked
  }

  /** Returns the snapshots that wait before the picked one and are checked with it. */
  #before(picked: Waiting): Waiting[] {
    return this.#queue.slice(0, this.#queue.indexOf(picked)).filter(({ claim }) => claim?.signed)
  }

  /** Drops the texts of the oldest snapshots beyond the bound, but not that of the newest. */
  #boundTexts(): void {
    const claims = this.#queue.flatMap(({ claim }) => (claim?.claimed ? [claim] : []))
    let weight = claims.reduce((sum, { claimed }) => sum + (claimed!.text?.length ?? 0), 0)
    for (const claim of claims.slice(0, -1)) {
      if (weight <= MAX_TEXT) return
      weight -= claim.claimed!.text?.length ?? 0
      claim.claimed = null
      delete claim.snapshot['utxo']
    }
  }

  #refuseAll(): void {
    const waiting = this.#queue
    this.reset()
    for (const { message, claim } of waiting) {
      if (claim === null) this.#options.pass(message)
      else
        this.#options.refuse(refused('rule', 'Too many messages wait for the outputs of a snapshot.'), claim.snapshot)
    }
    this.#listener.onBehind(true)
  }

  #noteLag(): void {
    const claims = this.#queue.flatMap(({ claim }) => (claim === null ? [] : [claim]))
    this.#lag.update(claims[0]?.arrivedAt ?? null, claims.length)
  }
}

function numberOf({ snapshot }: Claim): number {
  return getOwn(snapshot, 'number') as number
}
