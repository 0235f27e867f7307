import type { SnapshotPosition } from '../connection/Connector.js'
import type { GreetingsPayload, LayerPayload, PayloadOf, SnapshotConfirmedPayload } from '../protocol/messages.js'
import type { Snapshot, UTxOObject } from '../protocol/types.js'
import type { CommitPart } from './Arriving.js'
import { Decommits } from './Decommits.js'
import { ageOf, snapshotChange } from './delta.js'
import { EndedHeads } from './EndedHeads.js'
import { gatewayStep } from './gatewayStep.js'
import type { GatewayStep } from './gatewayStep.js'
import { assertHeadId, DEFAULT_MAX_KEPT_TEXT } from './limits.js'
import type { Baseline } from './baseline.js'
import type { CacheOutcome } from './CacheOutcome.js'
import { ShownOutputs } from './ShownOutputs.js'
import { SnapshotTexts } from './SnapshotTexts.js'
import type { TextOutputs } from './SnapshotTexts.js'
import { addsOutputs, isEmpty, outputSet, UtxoIndex } from './UtxoIndex.js'
import type { UtxoChange } from './UtxoIndex.js'
import { hasOutputs, WaitingSnapshots } from './WaitingSnapshots.js'

/**
 * The confirmed outputs of a head, those being committed included, kept up to date by the node's messages. It belongs
 * to one head and never steps back: what is older than its content is ignored, wherever it comes from.
 */
export class SnapshotCache extends ShownOutputs {
  /** Reads the outputs of messages against those that are here. */
  readonly texts: SnapshotTexts
  readonly #index: UtxoIndex
  readonly #has = (key: string): boolean => this.#index.has(key)
  readonly #endedHeads = new EndedHeads()
  readonly #decommits = new Decommits()
  readonly #waiting = new WaitingSnapshots()
  #headId: string | null = null
  /** Head of the connection before this one. */
  #lastHead: string | null = null
  #epoch = 0
  #number = -1
  #version: number | undefined
  #seeded = false
  /** The content is from Greetings or another source without a number: it may be newer than messages still to come. */
  #provisional = false
  /** No source gives the content's number, so it is shown without one. */
  #unnumbered = false
  /** The node has content by Greetings and none by GET /snapshot. */
  #denied = false
  /** The content lags behind; a baseline of the same number is applied. */
  #behind = false
  /** Outputs of the last snapshot that were being committed. */
  #committing: UTxOObject | null = null
  readonly #followsTransactions: boolean
  readonly #counts: (headId: string) => boolean
  /** Snapshot whose outputs are still in the index although they are not shown: messages may have been missed. */
  #kept: (SnapshotPosition & { readonly version: number | undefined }) | null = null

  /**
   * @param followsTransactions - false: outputs come from whole snapshots and baselines alone, never from the
   * transactions of a snapshot
   * @param maxKeptText - characters of a snapshot's text that are kept, to read the next one faster
   * @param counts - whether anything of a head counts; of one that does not, nothing is here
   */
  constructor(
    followsTransactions = true,
    maxKeptText: number = DEFAULT_MAX_KEPT_TEXT,
    counts: (headId: string) => boolean = () => true
  ) {
    const index = new UtxoIndex()
    super(index)
    this.#index = index
    this.#followsTransactions = followsTransactions
    this.#counts = counts
    this.texts = new SnapshotTexts(this.#index, maxKeptText, !followsTransactions)
  }

  /** Grows when the content is dropped: after a loss of the connection, and with each head. */
  get epoch(): number {
    return this.#epoch
  }

  /** Head whose outputs these are. */
  get headId(): string | null {
    return this.#headId
  }

  /** Number of the snapshot in the cache; -1 before the first, and while the content has none. */
  get number(): number {
    return this.#provisional ? -1 : this.#number
  }

  /** Snapshot whose outputs are kept, for a connection that goes on from there; undefined when there is none. */
  get since(): SnapshotPosition | undefined {
    return this.#kept ?? undefined
  }

  /** Whether there is content: from then on balances and outputs can be read. */
  get seeded(): boolean {
    return this.#seeded
  }

  /** Whether the content has no number yet: a baseline from GET /snapshot gives it one. */
  get provisional(): boolean {
    return this.#provisional
  }

  /** Whether the content has its number, or is known to get none. */
  get settled(): boolean {
    return this.#seeded && (!this.#provisional || this.#unnumbered)
  }

  /** Whether the content is that of the last message: nothing waits for a baseline. */
  get current(): boolean {
    return this.#seeded && !this.#behind && this.#waiting.first === undefined
  }

  /** As {@link reset}, but a numbered content is kept aside: a gateway may send what has been missed. */
  suspend(): void {
    const { headId, number } = this
    if (headId !== null && number >= 0 && !this.#behind && this.#followsTransactions)
      this.#kept = { headId, number, version: this.#version }
    if (this.#kept === null) return this.reset()
    this.#lastHead = headId ?? this.#lastHead
    this.#hide(null)
  }

  /** Forgets everything: the connection dropped, so messages may have been missed. */
  reset(): void {
    this.#lastHead = this.#headId ?? this.#lastHead
    this.#begin(null)
  }

  /**
   * Applies a message. Called for every message, in order, before any other part sees it.
   *
   * @param weight - characters of its text: what waits for a baseline is bounded
   * @param read - its outputs, where they have been read from its text
   * @throws {@link ProtocolError} when its outputs cannot be read; nothing of it is applied then.
   */
  apply(payload: LayerPayload, weight = 0, read: TextOutputs | null = null): CacheOutcome {
    const headId = payload.tag === 'Greetings' ? payload.layerHeadId : 'headId' in payload ? payload.headId : undefined
    assertHeadId(headId)
    if (headId !== undefined && !this.#counts(headId)) {
      if (payload.tag !== 'Greetings' && payload.tag !== 'HeadIsOpen') return 'ignored'
      // Nothing is known of the head that would count.
      this.reset()
      return 'needsBaseline'
    }
    switch (payload.tag) {
      case 'SnapshotConfirmed':
        return this.#applySnapshot(payload, weight, read)
      case 'Greetings':
        return this.#onGreetings(payload, read)
      case 'HeadIsOpen':
        // Nodes from 2.0 open a head without outputs and name its parties; older ones give the outputs. With neither,
        // nothing is known.
        return this.#onOpen(payload.headId, payload.utxo ?? (payload.parties === undefined ? null : {}))
      case 'HeadIsFinalized':
      case 'HeadIsAborted':
        return this.#onEnd(payload.headId)
      case 'GatewaySnapshot':
      case 'GatewayResumed':
      case 'GatewayProgress':
        return this.#onGatewayStep(payload)
      case 'CommitRecorded':
        this.arriving.record(payload)
        return 'ignored'
      case 'CommitFinalized':
        return this.arriving.finalize(payload.depositTxId) ? 'applied' : 'ignored'
      case 'DecommitRequested':
        this.#decommits.note(payload.decommitTx)
        return 'ignored'
      case 'SnapshotSideLoaded':
        // Without its head or number it may be of this one: the state is read again.
        return (payload.headId === undefined || payload.headId === this.#headId) &&
          this.#seeded &&
          payload.snapshotNumber !== this.#number
          ? this.#fallBehind()
          : 'ignored'
      default:
        return 'ignored'
    }
  }

  /**
   * Applies requested outputs. Those older than the content are ignored.
   *
   * @throws {@link ProtocolError} when they cannot be read; nothing is applied then.
   */
  applyBaseline(baseline: Baseline): CacheOutcome {
    const { epoch, headId, number, version, read = null, utxoToCommit = null, utxoToDecommit } = baseline
    assertHeadId(headId)
    if (epoch !== this.#epoch || (headId !== null && (this.#endedHeads.has(headId) || !this.#counts(headId))))
      return 'ignored'
    if (headId !== null && this.#headId !== null && headId !== this.#headId) return 'ignored'
    const numbered = this.#seeded && !this.#provisional
    if (numbered && (number === null || number < this.#number || (number === this.#number && !this.#behind)))
      return 'ignored'
    if (number !== null && number < this.#number) return 'ignored'
    const change = this.#changeTo(() => baseline.utxo, utxoToCommit, read)
    this.#put(change, read)
    this.#headId ??= headId
    this.#seeded = true
    this.#provisional = this.#unnumbered = number === null
    this.#behind = false
    this.#committing = utxoToCommit
    this.arriving.follow(baseline, baseline.isNew === true)
    // Its decommit is carried out in these outputs already.
    this.#decommits.noteDone(utxoToDecommit)
    if (number !== null) this.#number = number
    this.#version = version
    return this.#catchUp()
  }

  /**
   * No source gives the content a number: it is shown without one.
   *
   * @param denied - the node says that it has no snapshot: the next whole one is then followed, whatever Greetings had
   * @returns whether that is a change
   */
  settle(denied = false): boolean {
    const changes = this.#seeded && !this.settled
    this.#unnumbered ||= changes
    this.#denied = denied && this.#unnumbered
    return changes
  }

  /** The change to the outputs of a message: `read`, or what `utxo` gives. */
  #changeTo(utxo: () => UTxOObject, commit: UTxOObject | null, read: TextOutputs | null): UtxoChange {
    return (read && this.texts.changeTo(read, commit)) ?? this.#index.diff(outputSet(utxo()), commit)
  }

  /** Applies a change, after which the outputs are those that have been read, or others. */
  #put(change: UtxoChange, read: TextOutputs | null): void {
    this.#index.apply(change)
    this.#kept = null
    this.texts.applied(read)
  }

  #begin(headId: string | null): void {
    this.#index.clear()
    this.texts.applied(null)
    this.#kept = null
    this.#hide(headId)
  }

  /** Everything is as before a first message, but for what the index still has. */
  #hide(headId: string | null): void {
    this.#decommits.clear()
    this.#waiting.clear()
    this.#headId = headId
    this.#epoch++
    this.#number = -1
    this.#version = undefined
    this.#seeded = this.#provisional = this.#unnumbered = this.#denied = this.#behind = false
    this.#committing = null
    this.arriving.follow({}, true)
  }

  /** Leaves the present head, if it is another one, for `headId`. */
  #enter(headId: string): void {
    if (headId === this.#headId) return
    const last = this.#headId ?? this.#lastHead
    if (last !== null && last !== headId) this.#endedHeads.add(last)
    if (this.#headId !== null || (this.#kept !== null && this.#kept.headId !== headId)) this.#begin(headId)
    this.#headId = headId
  }

  #onEnd(headId: string): CacheOutcome {
    this.#endedHeads.add(headId)
    if (this.#headId !== null && this.#headId !== headId) return 'ignored'
    this.#begin(null)
    return 'applied'
  }

  #onGreetings(greetings: GreetingsPayload, read: TextOutputs | null): CacheOutcome {
    const { layerHeadId } = greetings
    if (layerHeadId === undefined) return this.#headId === null ? 'ignored' : this.#onEnd(this.#headId)
    this.#endedHeads.delete(layerHeadId)
    this.#enter(layerHeadId)
    // Its outputs may not have been read yet.
    if (!Object.hasOwn(greetings, 'snapshotUtxo')) return this.#seeded ? 'ignored' : 'needsBaseline'
    const change = this.#changeTo(() => greetings.snapshotUtxo!, null, read)
    if (this.#seeded && isEmpty(change)) return 'ignored'
    this.#put(change, read)
    this.#seeded = this.#provisional = true
    this.#unnumbered = this.#denied = false
    this.#committing = null
    this.arriving.follow({}, true)
    return 'applied'
  }

  #onOpen(headId: string, utxo: UTxOObject | null): CacheOutcome {
    if (this.#endedHeads.has(headId) || (headId === this.#headId && this.#seeded)) return 'ignored'
    this.#enter(headId)
    if (utxo === null) return 'needsBaseline'
    this.#put(this.#index.diff(outputSet(utxo)), null)
    this.#seeded = true
    this.#provisional = false
    // What a head opens with is its snapshot 0.
    this.#number = 0
    return this.#catchUp()
  }

  /** All outputs, of a lower number too, or what leads on from the content or from what was kept of it. */
  #onGatewayStep(payload: GatewayStep): CacheOutcome {
    const isWhole = payload.tag === 'GatewaySnapshot'
    if (this.#endedHeads.has(payload.headId)) return 'ignored'
    this.#enter(payload.headId)
    if (!this.#followsTransactions) return isWhole && payload.number > this.#number ? 'needsBaseline' : 'ignored'
    if (isWhole && !this.#seeded) this.#begin(payload.headId)
    const step = gatewayStep(payload, {
      index: this.#index,
      number: this.number,
      version: this.#version,
      kept: this.#kept
    })
    if (step === 'outOfStep') this.#begin(payload.headId)
    if (typeof step === 'string') return step
    if (step.change !== null) this.#put(step.change, null)
    // Answers to requests that were made before are about what has been replaced.
    if (step.number < this.#number) this.#epoch++
    this.#kept = null
    this.#waiting.clear()
    this.#arrive(step)
    return 'applied'
  }

  #applySnapshot(payload: SnapshotConfirmedPayload, weight: number, read: TextOutputs | null): CacheOutcome {
    const { headId, snapshot, delta } = payload
    // What it changes says more than its transactions, of which there may be none.
    if (delta !== undefined && this.#followsTransactions && !hasOutputs(snapshot))
      return this.#onGatewayStep(payload as PayloadOf<'SnapshotConfirmed'>)
    if (this.#endedHeads.has(headId)) return 'ignored'
    this.#enter(headId)
    if (snapshot.number <= this.#number) return 'ignored'
    if (!hasOutputs(snapshot) && !this.#followsTransactions) return this.#fallBehind()
    const outcome = this.#advance(snapshot, read)
    if (outcome === 'needsBaseline') this.#waiting.push(snapshot, weight)
    return outcome
  }

  #advance(snapshot: Snapshot, read: TextOutputs | null = null): CacheOutcome {
    return hasOutputs(snapshot) ? this.#replace(snapshot, read) : this.#follow(snapshot)
  }

  /** A snapshot with all its outputs. */
  #replace(snapshot: Snapshot, read: TextOutputs | null): CacheOutcome {
    const change = this.#changeTo(() => snapshot.utxo!, snapshot.utxoToCommit, read)
    const unfit =
      this.#provisional && !this.#denied && !isEmpty(change)
        ? this.#unfit(snapshot, addsOutputs(change), change.removed.length > 0)
        : null
    if (unfit !== null) return unfit
    this.#put(change, read)
    this.#arrive(snapshot)
    return 'applied'
  }

  /**
   * A snapshot without outputs: its transactions are applied. What it costs does not depend on the size of the head.
   */
  #follow(snapshot: Snapshot): CacheOutcome {
    if (!this.#seeded || this.#behind) return 'needsBaseline'
    const next = snapshot.number === this.#number + 1
    if (!this.#provisional && !next) return this.#fallBehind()
    const unfit = this.#provisional ? this.#unfit(snapshot, false, false) : null
    if (unfit !== null) return unfit
    const change = snapshotChange(snapshot, {
      has: this.#has,
      spentByDecommit: (txId) => this.#decommits.spentBy(txId),
      // A commit that is gone although the version has not moved was given up: it never came into the head.
      givenUp: snapshot.version !== undefined && snapshot.version === this.#version ? this.#committing : null
    })
    if (change === null) return this.#fallBehind()
    this.#put(change, null)
    this.#arrive(snapshot)
    return 'applied'
  }

  /** Why a snapshot does not lead on from content without a number; null where it does. */
  #unfit(snapshot: Snapshot, adds: boolean, removes: boolean): CacheOutcome | null {
    const age = ageOf(snapshot, adds, this.#has)
    if (age === 'unclear' && !this.#unnumbered) return 'needsBaseline'
    // Without a number ever, what would remove outputs although it spends none is taken for the older one.
    return age === 'older' || (age === 'unclear' && removes && snapshot.confirmed.length === 0) ? 'ignored' : null
  }

  #arrive(snapshot: Pick<Snapshot, 'number' | 'utxoToCommit'> & CommitPart & { version?: number | undefined }): void {
    const { number, version, utxoToCommit } = snapshot
    this.#number = number
    this.#version = version
    this.#seeded = true
    this.#provisional = this.#unnumbered = this.#denied = this.#behind = false
    this.#committing = utxoToCommit
    this.arriving.follow(snapshot, true)
  }

  #fallBehind(): CacheOutcome {
    this.#behind = true
    return 'needsBaseline'
  }

  /** Applies what has waited for the content that is there now. */
  #catchUp(): CacheOutcome {
    for (let snapshot = this.#waiting.first; snapshot !== undefined; snapshot = this.#waiting.first) {
      let outcome: CacheOutcome = 'ignored'
      // One that cannot be read must not fail again with each baseline.
      try {
        if (snapshot.number > this.#number) outcome = this.#advance(snapshot)
      } catch (error) {
        this.#waiting.clear()
        throw error
      }
      // Content without a number is as new as what waits, or nearly so: another request would bring nothing newer.
      if (outcome === 'needsBaseline' && !this.#unnumbered) return outcome
      this.#waiting.shift()
    }
    return 'applied'
  }
}
