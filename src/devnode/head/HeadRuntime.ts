import { BaseLedger } from '../ledger/baseLedger.js'
import type { ChainContext } from './chainTxs.js'
import { applyChainTx } from './chainTxs.js'
import { consumeFault } from '../faults.js'
import type { HeadRules } from '../ledger/headLedger.js'
import { HeadLedger, outputsOf } from '../ledger/headLedger.js'
import type { RuntimeContext } from './RuntimeContext.js'
import { startsUnsynced } from './startNode.js'
import type { StepContext } from './stepHead.js'
import { IDLE_NODE, nextTick, stepHead } from './stepHead.js'
import type { ChainTx, HeadAction, HeadEvent } from './types.js'
import type { HeadIdentity, HeadOutput, HeadTx, NodeState, SignedSnapshot, Snapshot } from './types.js'
import { deriveId } from '../keys.js'
import { showFailures } from '../ledger/failures.js'
import { PROFILES, type ProfileFeatures } from '../profiles.js'
import type { PreparedTx } from '../ledger/preparedTx.js'
import { EMPTY_VIEW } from '../ledger/utxoSet.js'
import { BASE_PARAMETERS } from '../ledger/protocolParameters.js'
import { OrderedOutputs } from '../ledger/orderedOutputs.js'
import { forgeSnapshot } from './forgeSnapshot.js'
import type { SnapshotInFlight } from '../wire/headStateJson.js'
import type { SnapshotRequest } from './inFlight.js'
import { inFlightSnapshot } from './inFlight.js'
import { accumulatorOf, EMPTY_ACCUMULATOR, snapshotHashes } from './snapshotHashes.js'
import { blake2b224 } from '../../hash/blake2b.js'
import { bigIntegerOutputs } from '../wire/bigIntegers.js'

type SignAction = Extract<HeadAction, { do: 'sign' }>
type SnapshotContent = Pick<Snapshot, 'headId' | 'version' | 'number' | 'utxoToCommit' | 'utxoToDecommit'>

/** Between two looks at whether snapshots may be signed again, ms. */
const HOLD_MS = 25

/** Runs the head machine: carries out its actions and feeds back what comes of them. All effects and timers are here. */
export class HeadRuntime {
  readonly ledger: HeadLedger
  readonly base: BaseLedger
  readonly features: ProfileFeatures
  readonly #context: RuntimeContext
  #state: NodeState
  readonly #queue: HeadEvent[] = []
  #running = false
  #stopped = false
  readonly #timers = new Set<() => void>()
  #cancelTick: (() => void) | null = null
  #tickAt: number | null = null
  #cancelSign: (() => void) | null = null
  // Up to 2.1 the parties sign the hash of all outputs.
  readonly #ordered: OrderedOutputs | null
  #requested: SnapshotRequest | null = null
  /** When the last head began, ms since Unix epoch. */
  initializedMs: number | null = null
  #previous: SignedSnapshot | null = null
  #heads = 0
  #produced = 0

  constructor(context: RuntimeContext) {
    this.#context = context
    this.features = PROFILES[context.options.profile]
    this.#state = { ...IDLE_NODE, synced: !startsUnsynced(context, this.features.syncStatus) }
    this.#ordered = this.features.signingRule === '0.20-2.1' ? new OrderedOutputs() : null
    this.ledger = new HeadLedger(this.#ordered)
    this.base = new BaseLedger({
      parameters: BASE_PARAMETERS,
      networkId: context.options.networkId,
      duplicateCheck: this.features.duplicateCheck,
      slot: () => BigInt(this.slot),
      newTxId: () => deriveId(context.options.seed, `base transaction ${++this.#produced}`)
    })
  }

  get state(): NodeState {
    return this.#state
  }

  /** Slot of the base ledger now. */
  get slot(): number {
    return Math.floor((this.#context.options.clock.now() - this.#context.options.slotZeroMs) / 1000)
  }

  /** Block hash of the tip. */
  get blockHash(): string {
    return deriveId(this.#context.options.seed, `block ${this.slot}`)
  }

  /** What a transaction is validated by, besides a UTxO. */
  get rules(): HeadRules {
    return {
      parameters: this.#context.parameters,
      networkId: this.#context.options.networkId,
      slot: BigInt(this.slot),
      duplicateCheck: this.features.duplicateCheck
    }
  }

  /** Lets an event happen; events that it causes follow before this returns. */
  dispatch(event: HeadEvent): void {
    this.#queue.push(event)
    if (this.#running) return
    this.#running = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, actions } = stepHead(this.#state, next, this.#stepContext())
        this.#state = state
        for (const action of actions) this.#run(action)
      }
    } finally {
      this.#running = false
    }
    this.#scheduleTick()
  }

  /** Runs `callback` after `delayMs` unless the node has been stopped. */
  later(delayMs: number, callback: () => void): () => void {
    if (this.#stopped) return () => {}
    const cancel = this.#context.options.clock.after(delayMs, () => {
      this.#timers.delete(stop)
      callback()
    })
    const stop = (): void => {
      this.#timers.delete(stop)
      cancel()
    }
    this.#timers.add(stop)
    return stop
  }

  /** Goes back to Idle with nothing known. */
  abandonHead(): void {
    this.#cancelSign?.()
    this.#state = IDLE_NODE
    this.ledger.reset()
    this.#scheduleTick()
  }

  /** Cancels every timer. */
  stop(): void {
    this.#stopped = true
    for (const cancel of [...this.#timers]) cancel()
  }

  #run(action: HeadAction): void {
    const { messages, options } = this.#context
    switch (action.do) {
      case 'publish':
        return messages.publish(this.#asShown(action.output))
      case 'broadcast':
        return messages.broadcast(action.message)
      case 'refuseInput':
        return messages.refuse(action.client, action.reason, action.input)
      case 'post':
        this.later(options.timings.blockMs, () => this.#settle(action.post))
        return
      case 'validateTx':
        return this.#validateTx(action.tx, options.timings.invalidRetries)
      case 'retryTx':
        this.later(options.timings.invalidRetryMs, () => this.#validateTx(action.tx, action.retriesLeft))
        return
      case 'validateDecommit':
        return this.#validateDecommit(action.tx)
      case 'sign':
        return this.#sign(action)
      case 'resetLedger':
        this.#cancelSign?.()
        this.ledger.reset(action.utxo ?? undefined)
        if (action.utxo !== null && this.#context.faults.bigIntegers) this.ledger.credit(bigIntegerOutputs(options.networkId))
        return
      case 'credit':
        return this.ledger.credit(action.utxo)
      case 'prune':
        this.#cancelSign?.()
        return this.ledger.prune()
    }
  }

  #stepContext(): StepContext {
    const { repeatApprovals, stuckDecommit } = this.#context.faults
    return repeatApprovals || stuckDecommit ? { ...this.features, repeatApprovals, stuckDecommit } : this.features
  }

  #settle(post: ChainTx): void {
    const seen = applyChainTx(post, this.#chainContext())
    if (seen.type === 'InitSeen') this.initializedMs = this.#context.options.clock.now()
    this.dispatch(seen)
    if (seen.type !== 'InitSeen' || !this.features.initializing) return
    // The parties that the node plays commit nothing, and that at once.
    const others = seen.head.parties.slice(1)
    this.later(this.#context.options.timings.blockMs, () => {
      for (const party of others) this.dispatch({ type: 'CommitSeen', party, utxo: EMPTY_VIEW })
    })
  }

  #chainContext(): ChainContext {
    const { options } = this.#context
    return {
      state: this.#state,
      ledger: this.ledger,
      base: this.base,
      nowMs: options.clock.now(),
      contestationPeriodMs: options.timings.contestationPeriodMs,
      newHead: () => this.#newHead()
    }
  }

  #newHead(): HeadIdentity {
    const { seed } = this.#context.options
    const label = `head ${++this.#heads}`
    return { headId: deriveId(seed, label, blake2b224), headSeed: deriveId(seed, `${label} seed`), parties: this.#context.signer.parties }
  }

  // The machine hands back the very transactions it was given.
  #validateTx(headTx: HeadTx, retriesLeft: number): void {
    if (this.#state.head.status !== 'Open') return
    const tx = headTx as PreparedTx
    const { faults } = this.#context
    const lose = faults.loseTransactions > 0 && this.ledger.validate(tx, this.rules).length === 0
    const failures = lose ? [] : this.ledger.apply(tx, this.rules)
    const failure = failures.length === 0 ? null : showFailures(failures)
    const localUtxo = failure !== null && retriesLeft === 0 ? this.ledger.local : null
    this.dispatch({ type: 'TxValidated', tx, failure, retriesLeft, localUtxo })
    if (lose && consumeFault(faults, 'loseTransactions')) this.dispatch({ type: 'TxsPruned', count: 1 })
  }

  #validateDecommit(headTx: HeadTx): void {
    const tx = headTx as PreparedTx
    const failures = this.ledger.applyDecommit(tx, this.rules)
    const failure = failures.length === 0 ? null : showFailures(failures)
    this.dispatch({ type: 'DecommitValidated', tx, failure, localUtxo: this.ledger.local, utxoToDecommit: outputsOf(tx) })
  }

  #sign(action: SignAction): void {
    const { timings } = this.#context.options
    const limit = timings.snapshotSize ?? this.features.snapshotSize
    // What is pending now goes into this snapshot; what comes meanwhile into the next.
    const count = this.ledger.nextBatch(limit)
    const complete = (): void => {
      if (this.#context.faults.holdSnapshots) this.#cancelSign = this.later(HOLD_MS, complete)
      else this.#complete(action, count)
    }
    this.#requested = { action, count }
    this.#cancelSign?.()
    this.#cancelSign = this.later(timings.snapshotIntervalMs, complete)
  }

  #complete(action: SignAction, count: number): void {
    const { head } = this.#state
    if (head.status !== 'Open' || head.head.headId !== action.headId) return
    const { headId, number } = action
    // An increment or decrement seen since then has changed the version, and what it moved is no longer on its way.
    const utxoToCommit = head.deposit === null ? null : action.utxoToCommit
    const utxoToDecommit = head.decommit === null ? null : action.utxoToDecommit
    const content = { headId, version: head.version, number, utxoToCommit, utxoToDecommit }
    const { accumulator } = this.#context.options
    if (this.#ordered !== null || accumulator === 'off') this.#confirm(content, count, EMPTY_ACCUMULATOR)
    else this.#accumulate(action, content, count)
  }

  /** Works out the accumulator, which takes its time, and starts again if the base ledger has changed the head meanwhile. */
  #accumulate(action: SignAction, content: SnapshotContent, count: number): void {
    let cancelled = false
    this.#cancelSign = () => (cancelled = true)
    const { utxo } = this.ledger.preview(count)
    void accumulatorOf({ ...content, utxo }).then((accumulator) => {
      // Too large: no party signs, and the node says nothing about it to its clients.
      if (cancelled || this.#stopped || accumulator === undefined) return
      const { head } = this.#state
      if (head.status !== 'Open' || head.version !== content.version) this.#complete(action, count)
      else this.#confirm(content, count, accumulator)
    })
  }

  #confirm(content: SnapshotContent, count: number, accumulator: string): void {
    const confirmed = this.ledger.confirm(count)
    const outputs = { ...content, confirmed, utxo: this.ledger.confirmed }
    const { head } = this.#state
    this.#previous = head.status === 'Open' ? head.confirmed : null
    this.dispatch({ type: 'SnapshotSigned', signed: this.#context.signer.sign(outputs, snapshotHashes(outputs, this.#ordered, accumulator)) })
    for (const tx of confirmed) {
      if (!consumeFault(this.#context.faults, 'invalidAfterConfirm')) break
      const reason = showFailures(this.ledger.validate(tx, this.rules))
      this.#context.messages.publish({ tag: 'TxInvalid', headId: content.headId, tx, utxo: this.ledger.local, reason })
    }
  }

  /** A snapshot as clients get to see it. */
  shown(signed: SignedSnapshot): SignedSnapshot {
    const { forgeSnapshot: forgery } = this.#context.faults
    const { signer, options } = this.#context
    return forgery === null ? signed : forgeSnapshot(signed, forgery, { seed: options.seed, signer, previous: this.#previous })
  }

  /** The snapshot that has been requested. */
  inFlight(): SnapshotInFlight | null {
    const { signer, options } = this.#context
    return inFlightSnapshot(this.#requested, { head: this.#state.head, ledger: this.ledger, signer, options })
  }

  #asShown(output: HeadOutput): HeadOutput {
    return output.tag === 'SnapshotConfirmed' ? { ...output, signed: this.shown(output.signed) } : output
  }

  #scheduleTick(): void {
    const at = nextTick(this.#state)
    if (at === this.#tickAt) return
    this.#cancelTick?.()
    this.#tickAt = at
    if (at === null) return
    const { clock } = this.#context.options
    this.#cancelTick = this.later(Math.min(at - clock.now(), 0x7fffffff), () => {
      this.#tickAt = null
      this.dispatch({ type: 'Tick', timeMs: clock.now() })
    })
  }
}
