import { isLayerError } from '../../errors/base.js'
import type { RuleVersions } from '../../errors/verification.js'
import { VerificationError } from '../../errors/verification.js'
import { nextTask, runInTasks } from '../../net/nextTask.js'
import type { SignedSnapshot } from '../../verify/inner.js'
import type { Connector } from '../connection/Connector.js'
import type { TextOutputs } from '../head/SnapshotTexts.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'
import type { ClaimedSnapshot } from './ArrivedMessage.js'
import { snapshotOf, withoutOutputs } from './ArrivedMessage.js'
import { confirmedOf, omitOutputs, pendingOf, refused } from './snapshotMembers.js'
import { EncodedHead } from './EncodedHead.js'
import { HeadOutputs } from './HeadOutputs.js'
import { NewestSnapshots } from './NewestSnapshots.js'
import { PartyKeys } from './PartyKeys.js'
import type { ResolvedVerification, VerificationListener, VerifyModule } from './types.js'

/** Options of a check of a snapshot. */
export interface CheckOptions {
  /** Lowest number that it may have. @default that of the newest verified one, unless the cache holds that */
  readonly least?: number
  /** True for a snapshot of the past, which may have any number. */
  readonly isPast?: boolean
  /** Transactions that led to it. @default those that it names */
  readonly confirmed?: readonly WireRecord[]
  /** The result of {@link SnapshotChecks.sign}, where its signatures have been checked. */
  readonly signed?: SignedSnapshot | null
}

/** A snapshot that has passed, with its outputs as the cache may read them. */
export interface PassedSnapshot {
  /** Null where some outputs were left out: the snapshot's own members are to be read. */
  readonly outputs: TextOutputs | null
}

/** Checks snapshots with the keys of the parties, and remembers the newest that is verified. */
export class SnapshotChecks {
  readonly #options: ResolvedVerification
  readonly #listener: VerificationListener
  readonly #verify: VerifyModule
  readonly #encoded: EncodedHead
  readonly #newest: NewestSnapshots
  readonly #parties: PartyKeys
  /** Outputs of the newest verified snapshot. */
  #lastVerified: {
    readonly headId: string
    readonly number: number
    readonly pending: string
    readonly outputs: HeadOutputs
  } | null = null
  #nodeVersion: string | undefined
  /** Reason why no snapshot of this node can be verified; null while one can. */
  #unknown: VerificationError | null = null
  /** As `#unknown`, but shown by the newer form of a snapshot; null again once a snapshot is verified. */
  #unknownForm: VerificationError | null = null
  /** End of the running check: checks of outputs run one at a time, because each changes the kept ones. */
  #checking: Promise<unknown> = Promise.resolve()

  constructor(
    connector: Connector,
    options: ResolvedVerification,
    listener: VerificationListener,
    verify: VerifyModule
  ) {
    this.#parties = new PartyKeys(connector, options.parties, verify)
    this.#options = options
    this.#listener = listener
    this.#newest = new NewestSnapshots(listener)
    this.#verify = verify
    this.#encoded = new EncodedHead(listener.texts, verify)
  }

  /** Number of the newest verified snapshot of the present head; -1 before the first. */
  get verified(): number {
    return this.#newest.verified
  }

  /**
   * True when the node signs the outputs themselves and no accumulator (up to 2.1), so that a snapshot without outputs
   * cannot be verified.
   */
  get needsOutputs(): boolean {
    return /^v?[01]\.|^v?2\.[01]\./.test(this.#nodeVersion ?? '')
  }

  /**
   * Reason why no snapshot of this node can be verified: it is newer than the rules that are known. Null while it is
   * not.
   */
  get unknown(): VerificationError | null {
    return this.#unknown
  }

  /** The node's version and the newest known one, where the node is newer than the known rules; else null. */
  get unknownRule(): RuleVersions | null {
    return (this.#unknown ?? this.#unknownForm)?.versions ?? null
  }

  /** Sets the node's version. @returns the error if the node is newer than the rules that are known, else null */
  enterNode(nodeVersion: string | undefined): VerificationError | null {
    this.#nodeVersion = nodeVersion
    let error: VerificationError | null = null
    try {
      if (this.#options.rule === undefined && nodeVersion !== undefined) this.#verify.verificationRule(nodeVersion)
    } catch (failure) {
      // A text that is no version is named with each snapshot.
      if ((failure as VerificationError).reason === 'unknown-rule') error = failure as VerificationError
    }
    this.#noteUnknown(error, null)
    return error
  }

  #noteUnknown(ofNode: VerificationError | null, ofForm: VerificationError | null): void {
    const changed = ofNode?.message !== this.#unknown?.message || ofForm?.message !== this.#unknownForm?.message
    this.#unknown = ofNode
    this.#unknownForm = ofForm
    if (changed) this.#listener.onVerified()
  }

  /** Enters the node's present head; undefined: it has none. */
  enterHead(headId: string | undefined): void {
    this.#newest.enterHead(headId)
  }

  /** Leaves a head that has ended: later snapshots of it no longer change {@link verified}. */
  leaveHead(headId: string): void {
    this.#newest.leaveHead(headId)
  }

  /** Returns true for the configured head, and for any head where none is configured. */
  isWanted(headId: unknown): boolean {
    return this.#options.headId === undefined || headId === this.#options.headId
  }

  /** Returns null when the snapshot names the configured head, and its message the same one; else the error. */
  headProblem(message: WireRecord): VerificationError | null {
    const snapshot = getOwn(message, 'snapshot')
    if (!isRecord(snapshot)) return refused('input', 'A snapshot is missing.')
    const [headId, headIdOfMessage] = [getOwn(snapshot, 'headId'), getOwn(message, 'headId')]
    const isWanted = typeof headId === 'string' && (headIdOfMessage ?? headId) === headId && this.isWanted(headId)
    return isWanted ? null : refused('input', 'The snapshot is of another head.')
  }

  /**
   * Checks the signatures of a snapshot without its outputs. @returns null when that is impossible, because the outputs
   * themselves are signed
   */
  async sign(holder: WireRecord): Promise<SignedSnapshot | VerificationError | null> {
    const problem = this.headProblem(holder)
    if (problem !== null) return problem
    const signed = await this.#signatures(holder)
    return signed === 'needsOutputs' ? null : signed
  }

  async #signatures(
    holder: WireRecord,
    utxo?: Parameters<VerifyModule['verifySignatures']>[1]
  ): Promise<SignedSnapshot | VerificationError | 'needsOutputs'> {
    const snapshot = snapshotOf(holder)!
    try {
      const parties = await this.#parties.of(getOwn(snapshot, 'headId') as string)
      const signatures = getOwn(holder, 'signatures')
      const { rule } = this.#options
      const claim = { snapshot: withoutOutputs(snapshot), signatures, parties, rule, nodeVersion: this.#nodeVersion }
      const signed = await this.#verify.verifySignatures(claim, utxo)
      if (signed !== 'needsOutputs' && this.#unknownForm !== null) this.#noteUnknown(this.#unknown, null)
      return signed
    } catch (error) {
      return this.#typed(error)
    }
  }

  #typed(error: unknown): VerificationError {
    if (!isLayerError(error, 'VERIFICATION'))
      return new VerificationError('parties', 'The parties of the head could not be read.', { cause: error })
    // By the form of its snapshots: a build between two releases calls itself by the earlier one.
    if (error.reason === 'unknown-rule') this.#noteUnknown(this.#unknown, error)
    return error
  }

  /** Checks a snapshot with its outputs, and removes unproven outputs from it. */
  check(claimed: ClaimedSnapshot, options: CheckOptions = {}): Promise<PassedSnapshot | VerificationError> {
    const done = this.#checking.then(() => this.#check(claimed, options))
    this.#checking = done.catch(() => undefined)
    return done
  }

  async #check(
    claimed: ClaimedSnapshot,
    { least, isPast = false, confirmed, signed: known = null }: CheckOptions
  ): Promise<PassedSnapshot | VerificationError> {
    const problem = this.headProblem(claimed.holder)
    if (problem !== null) return problem
    const snapshot = snapshotOf(claimed.holder)!
    let outputs: TextOutputs | null
    let next: HeadOutputs
    try {
      const kept = await this.#encoded.read(claimed, this.#lastVerified?.outputs.utxo ?? null)
      const utxo = this.#verify.hashedKept(kept.utxo, {
        run: runInTasks,
        pause,
        accelerator: this.#options.accelerator
      })
      const signed = known ?? (await this.#signatures(claimed.holder, utxo))
      if (signed instanceof VerificationError) return signed
      if (signed === 'needsOutputs') return refused('rule', 'The snapshot has no outputs that could be verified.')
      await this.#verify.checkOutputSets(signed, utxo)
      next = new HeadOutputs(kept.utxo, signed.snapshot.toCommit)
      // Outputs at Byron addresses have no proof: they go no further.
      const { toCommit, toDecommit } = signed.snapshot
      const pending = [...toCommit, ...toDecommit].flatMap(({ key, data }) => (data === undefined ? [key] : []))
      const unproven = [...kept.utxo.byron(), ...pending]
      const error = await this.#follow(snapshot, next, { least, isPast, confirmed: confirmed ?? confirmedOf(snapshot) })
      if (error !== null) return error
      omitOutputs(snapshot, unproven)
      outputs = unproven.length > 0 ? null : kept.outputs
    } catch (error) {
      return this.#typed(error)
    }
    return { outputs }
  }

  /** Compares the outputs of a signed snapshot with those before it, and remembers them. */
  async #follow(
    snapshot: WireRecord,
    next: HeadOutputs,
    { least, isPast, confirmed }: { least: number | undefined; isPast: boolean; confirmed: readonly WireRecord[] }
  ): Promise<VerificationError | null> {
    const stale = isPast ? null : this.stalenessOf(snapshot, least)
    if (stale !== null) return stale
    const [headId, number] = [getOwn(snapshot, 'headId') as string, getOwn(snapshot, 'number') as number]
    if (isPast || number < this.#newest.of(headId)) {
      await this.#markProven(confirmed, null, next)
      return null
    }
    const previous = this.#lastVerified?.headId === headId ? this.#lastVerified : null
    // The signatures do not bind inputs. The cache keeps its output of a known input, so that output must be the same.
    const other = previous === null ? null : next.otherThan(previous.outputs)
    if (other !== null) return refused('output', `The output ${other} is another than in the snapshot before.`)
    const renamed = await this.#markProven(confirmed, previous?.outputs ?? null, next)
    const pending = pendingOf(snapshot)
    // After the very snapshot before it, with the same pending outputs, every output that is gone was spent by its
    // owner.
    if (renamed !== null && previous?.number === number - 1 && previous.pending === pending)
      return refused('output', `The output ${renamed} has come from no transaction of the snapshot.`)
    this.#lastVerified = { headId, number, pending, outputs: next }
    this.#newest.note(headId, number)
    return null
  }

  /**
   * Called when the cache may have the outputs of the newest verified snapshot; the next text is then compared with
   * them.
   */
  noteApplied(): void {
    if (this.#lastVerified !== null && this.#listener.shows(this.#lastVerified.headId, this.#lastVerified.number))
      this.#encoded.noteApplied(this.#lastVerified.outputs.utxo)
  }

  /**
   * Marks each transaction whose effect the outputs show. @returns an output whose reference cannot be true, or null
   */
  async #markProven(
    said: readonly WireRecord[],
    before: HeadOutputs | null,
    after: HeadOutputs
  ): Promise<string | null> {
    const { proven, renamed } = await this.#verify.provenTxs({
      before,
      after,
      gone: before?.notIn(after) ?? [],
      added: before === null ? [] : after.notIn(before),
      confirmed: said
    })
    for (const transaction of said) transaction['verified'] = proven.has(transaction['txId'] as string)
    return renamed
  }

  /** Returns the error of a snapshot that is older than a verified one, else null. */
  stalenessOf(snapshot: WireRecord, least?: number): VerificationError | null {
    return this.#newest.stalenessOf(snapshot, least)
  }
}

/** Lets other work run. */
const pause = (): Promise<void> => new Promise((resolve) => nextTask(resolve))
