import type { GreetingsPayload, LayerPayload, PayloadOf, SnapshotConfirmedPayload } from '../protocol/messages.js'
import type { Snapshot, UTxOObject } from '../protocol/types.js'
import { CacheContent } from './CacheContent.js'
import { ageOf, snapshotChange } from './delta.js'
import { EndedHeads } from './EndedHeads.js'
import { gatewayStep } from './gatewayStep.js'
import type { GatewayStep } from './gatewayStep.js'
import { assertHeadId, DEFAULT_MAX_KEPT_TEXT } from './limits.js'
import type { Baseline } from './baseline.js'
import type { CacheOutcome } from './CacheOutcome.js'
import type { TextOutputs } from './SnapshotTexts.js'
import { outputSet } from './outputSet.js'
import { addsOutputs, isEmpty } from './UtxoIndex.js'
import { hasOutputs } from './WaitingSnapshots.js'

/**
 * The confirmed outputs of a head, those being committed included, kept up to date by the node's messages. It belongs
 * to one head and never returns to an older snapshot: messages older than its content are ignored, wherever they come
 * from. See {@link CacheState} for its states.
 */
export class SnapshotCache extends CacheContent {
  readonly #has = (key: string): boolean => this.index.has(key)
  readonly #endedHeads = new EndedHeads()
  readonly #counts: (headId: string) => boolean

  /**
   * @param followsTransactions - false: outputs come from whole snapshots and baselines alone, never from the
   * transactions of a snapshot
   * @param maxKeptText - characters of a snapshot's text that are kept, to read the next one faster
   * @param counts - returns true for a head whose outputs are to be cached; of any other, the cache holds no outputs
   */
  constructor(
    followsTransactions = true,
    maxKeptText: number = DEFAULT_MAX_KEPT_TEXT,
    counts: (headId: string) => boolean = () => true
  ) {
    super(followsTransactions, maxKeptText)
    this.#counts = counts
  }

  /**
   * Applies a message. Called for every message, in order, before any other part sees it.
   *
   * @param weight - characters of its text: the messages that wait for a baseline are bounded
   * @param read - its outputs, where they have been read from its text
   * @throws {@link ProtocolError} when its outputs cannot be read; no part of it is applied then.
   */
  apply(payload: LayerPayload, weight = 0, read: TextOutputs | null = null): CacheOutcome {
    const headId = payload.tag === 'Greetings' ? payload.layerHeadId : 'headId' in payload ? payload.headId : undefined
    assertHeadId(headId)
    if (headId !== undefined && !this.#counts(headId)) {
      if (payload.tag !== 'Greetings' && payload.tag !== 'HeadIsOpen') return 'ignored'
      // No outputs are known of the configured head.
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
        // the outputs are unknown.
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
        this.decommits.note(payload.decommitTx)
        return 'ignored'
      case 'SnapshotSideLoaded':
        // Without its head or number it may be of this one: the state is read again.
        return (payload.headId === undefined || payload.headId === this.head) &&
          this.seeded &&
          payload.snapshotNumber !== this.held
          ? this.fallBehind()
          : 'ignored'
      default:
        return 'ignored'
    }
  }

  /**
   * Applies requested outputs. Those older than the content are ignored.
   *
   * @throws {@link ProtocolError} when they cannot be read; none is applied then.
   */
  applyBaseline(baseline: Baseline): CacheOutcome {
    const { epoch, headId, number, version, read = null, utxoToCommit = null, utxoToDecommit } = baseline
    assertHeadId(headId)
    if (epoch !== this.drops || (headId !== null && (this.#endedHeads.has(headId) || !this.#counts(headId))))
      return 'ignored'
    if (headId !== null && this.head !== null && headId !== this.head) return 'ignored'
    if (
      this.state.name === 'numbered' &&
      (number === null || number < this.held || (number === this.held && !this.state.behind))
    )
      return 'ignored'
    if (number !== null && number < this.held) return 'ignored'
    const change = this.changeTo(() => baseline.utxo, utxoToCommit, read)
    this.put(change, read)
    this.head ??= headId
    const unnumbered = this.state.name === 'denied' ? 'denied' : 'unnumbered'
    this.state = { name: number === null ? unnumbered : 'numbered', behind: false }
    this.committing = utxoToCommit
    this.arriving.follow(baseline, baseline.isNew === true)
    // Its decommit is carried out in these outputs already.
    this.decommits.noteDone(utxoToDecommit)
    if (number !== null) this.held = number
    this.version = version
    return this.#catchUp()
  }

  /** Makes `headId` the present head, and drops the content of a different one. */
  #enter(headId: string): void {
    if (headId === this.head) return
    const last = this.head ?? this.lastHead
    if (last !== null && last !== headId) this.#endedHeads.add(last)
    if (this.head !== null || (this.kept !== null && this.kept.headId !== headId)) this.begin(headId)
    this.head = headId
  }

  #onEnd(headId: string): CacheOutcome {
    this.#endedHeads.add(headId)
    if (this.head !== null && this.head !== headId) return 'ignored'
    this.begin(null)
    return 'applied'
  }

  #onGreetings(greetings: GreetingsPayload, read: TextOutputs | null): CacheOutcome {
    const { layerHeadId } = greetings
    if (layerHeadId === undefined) return this.head === null ? 'ignored' : this.#onEnd(this.head)
    this.#endedHeads.delete(layerHeadId)
    this.#enter(layerHeadId)
    // Its outputs may not have been read yet.
    if (!Object.hasOwn(greetings, 'snapshotUtxo')) return this.seeded ? 'ignored' : 'needsBaseline'
    const change = this.changeTo(() => greetings.snapshotUtxo!, null, read)
    if (this.seeded && isEmpty(change)) return 'ignored'
    this.put(change, read)
    this.state = { name: 'provisional', behind: this.state.name !== 'cold' && this.state.behind }
    this.committing = null
    this.arriving.follow({}, true)
    return 'applied'
  }

  #onOpen(headId: string, utxo: UTxOObject | null): CacheOutcome {
    if (this.#endedHeads.has(headId) || (headId === this.head && this.seeded)) return 'ignored'
    this.#enter(headId)
    if (utxo === null) return 'needsBaseline'
    this.put(this.index.diff(outputSet(utxo)), null)
    this.state = { name: 'numbered', behind: false }
    // The outputs with which a head opens are its snapshot 0.
    this.held = 0
    return this.#catchUp()
  }

  /**
   * Applies a gateway's message: all outputs, even of a lower number, or changes to the present or the kept content.
   */
  #onGatewayStep(payload: GatewayStep): CacheOutcome {
    const isWhole = payload.tag === 'GatewaySnapshot'
    if (this.#endedHeads.has(payload.headId)) return 'ignored'
    this.#enter(payload.headId)
    if (!this.followsTransactions) return isWhole && payload.number > this.held ? 'needsBaseline' : 'ignored'
    if (isWhole && !this.seeded) this.begin(payload.headId)
    const step = gatewayStep(payload, {
      index: this.index,
      number: this.number,
      version: this.version,
      kept: this.kept
    })
    if (step === 'outOfStep') this.begin(payload.headId)
    if (typeof step === 'string') return step
    if (step.change !== null) this.put(step.change, null)
    // Answers to requests that were made before are about replaced content.
    if (step.number < this.held) this.drops++
    this.waiting.clear()
    this.arrive(step)
    return 'applied'
  }

  #applySnapshot(payload: SnapshotConfirmedPayload, weight: number, read: TextOutputs | null): CacheOutcome {
    const { headId, snapshot, delta } = payload
    // Its changes say more than its transactions, of which there may be none.
    if (delta !== undefined && this.followsTransactions && !hasOutputs(snapshot))
      return this.#onGatewayStep(payload as PayloadOf<'SnapshotConfirmed'>)
    if (this.#endedHeads.has(headId)) return 'ignored'
    this.#enter(headId)
    if (snapshot.number <= this.held) return 'ignored'
    if (!hasOutputs(snapshot) && !this.followsTransactions) return this.fallBehind()
    const outcome = this.#advance(snapshot, read)
    if (outcome === 'needsBaseline') this.waiting.push(snapshot, weight)
    return outcome
  }

  #advance(snapshot: Snapshot, read: TextOutputs | null = null): CacheOutcome {
    return hasOutputs(snapshot) ? this.#replace(snapshot, read) : this.#follow(snapshot)
  }

  /** Applies a snapshot that comes with all its outputs. */
  #replace(snapshot: Snapshot, read: TextOutputs | null): CacheOutcome {
    const change = this.changeTo(() => snapshot.utxo!, snapshot.utxoToCommit, read)
    const unfit =
      this.provisional && this.state.name !== 'denied' && !isEmpty(change)
        ? this.#unfit(snapshot, addsOutputs(change), change.removed.length > 0)
        : null
    if (unfit !== null) return unfit
    this.put(change, read)
    this.arrive(snapshot)
    return 'applied'
  }

  /**
   * Applies the transactions of a snapshot that comes without outputs. The cost does not depend on the size of the
   * head.
   */
  #follow(snapshot: Snapshot): CacheOutcome {
    if (this.state.name === 'cold' || this.state.behind) return 'needsBaseline'
    const next = snapshot.number === this.held + 1
    if (!this.provisional && !next) return this.fallBehind()
    const unfit = this.provisional ? this.#unfit(snapshot, false, false) : null
    if (unfit !== null) return unfit
    const change = snapshotChange(snapshot, {
      has: this.#has,
      spentByDecommit: (txId) => this.decommits.spentBy(txId),
      // A commit that is gone although the version has not moved was given up: it never came into the head.
      givenUp: snapshot.version !== undefined && snapshot.version === this.version ? this.committing : null
    })
    if (change === null) return this.fallBehind()
    this.put(change, null)
    this.arrive(snapshot)
    return 'applied'
  }

  /**
   * Returns the outcome for a snapshot that does not continue content without a number; null when it does continue it.
   */
  #unfit(snapshot: Snapshot, adds: boolean, removes: boolean): CacheOutcome | null {
    const age = ageOf(snapshot, adds, this.#has)
    if (age === 'unclear' && !this.isUnnumbered) return 'needsBaseline'
    // Without a number ever, a snapshot that would remove outputs although it spends none counts as the older one.
    return age === 'older' || (age === 'unclear' && removes && snapshot.confirmed.length === 0) ? 'ignored' : null
  }

  /** Applies the messages that have waited for the present content. */
  #catchUp(): CacheOutcome {
    for (let snapshot = this.waiting.first; snapshot !== undefined; snapshot = this.waiting.first) {
      let outcome: CacheOutcome = 'ignored'
      // One that cannot be read must not fail again with each baseline.
      try {
        if (snapshot.number > this.held) outcome = this.#advance(snapshot)
      } catch (error) {
        this.waiting.clear()
        throw error
      }
      // Content without a number is as new as the waiting messages, or nearly so: another request would bring no newer
      // one.
      if (outcome === 'needsBaseline' && !this.isUnnumbered) return outcome
      this.waiting.shift()
    }
    return 'applied'
  }
}
