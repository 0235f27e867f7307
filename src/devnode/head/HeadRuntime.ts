import { BaseLedger } from '../ledger/baseLedger.js'
import type { ChainContext } from './chainTxs.js'
import { settlePost } from './chainTxs.js'
import type { DevNodeFaults } from '../faults.js'
import { useUp } from '../faults.js'
import type { HeadRules } from '../ledger/headLedger.js'
import { HeadLedger, outputsOf } from '../ledger/headLedger.js'
import { IDLE_NODE, nextTick, stepHead } from './stepHead.js'
import type { ChainPost, ClientMessage, ClientRef, HeadAction, HeadEvent } from './types.js'
import type { HeadIdentity, HeadOutput, HeadTx, NodeState } from './types.js'
import { deriveId } from '../keys.js'
import type { LedgerParameters } from '../ledger/validateTx.js'
import { showFailures } from '../ledger/failures.js'
import type { ResolvedOptions } from '../options.js'
import { PROFILES, type ProfileFeatures } from '../profiles.js'
import type { PreparedTx } from '../ledger/preparedTx.js'
import { EMPTY_VIEW } from '../ledger/utxoSet.js'
import { BASE_PARAMETERS } from '../ledger/protocolParameters.js'
import type { SnapshotSigner } from './snapshotSigner.js'
import { blake2b224 } from '../../hash/blake2b.js'
import { bigIntegerOutputs } from '../wire/bigIntegers.js'

/** Whom the runtime tells. */
export interface HeadRuntimePort {
  publish(output: HeadOutput): void
  tell(message: ClientMessage): void
  refuse(client: ClientRef | null, reason: string, input: string): void
}

/** What the runtime is made of. */
export interface HeadRuntimeParts {
  readonly options: ResolvedOptions
  readonly parameters: LedgerParameters
  readonly signer: SnapshotSigner
  readonly faults: DevNodeFaults
  readonly port: HeadRuntimePort
}

/** Between two looks at whether snapshots may be signed again, ms. */
const HOLD_MS = 25

/** Runs the head machine: carries out its actions and feeds back what comes of them. All effects and timers are here. */
export class HeadRuntime {
  readonly ledger: HeadLedger = new HeadLedger()
  readonly base: BaseLedger
  readonly features: ProfileFeatures
  readonly #parts: HeadRuntimeParts
  #state: NodeState = IDLE_NODE
  readonly #queue: HeadEvent[] = []
  #running = false
  #stopped = false
  readonly #timers = new Set<() => void>()
  #cancelTick: (() => void) | null = null
  #tickAt: number | null = null
  #cancelSign: (() => void) | null = null
  #heads = 0
  #produced = 0

  constructor(parts: HeadRuntimeParts) {
    this.#parts = parts
    this.features = PROFILES[parts.options.profile]
    this.base = new BaseLedger({
      parameters: BASE_PARAMETERS,
      networkId: parts.options.networkId,
      duplicateCheck: this.features.duplicateCheck,
      slot: () => BigInt(this.slot),
      newTxId: () => deriveId(parts.options.seed, `base transaction ${++this.#produced}`)
    })
  }

  get state(): NodeState {
    return this.#state
  }

  /** Slot of the base ledger now. */
  get slot(): number {
    return Math.floor((this.#parts.options.clock.now() - this.#parts.options.slotZeroMs) / 1000)
  }

  /** Block hash of the tip. */
  get blockHash(): string {
    return deriveId(this.#parts.options.seed, `block ${this.slot}`)
  }

  /** What a transaction is judged by, besides a UTxO. */
  get rules(): HeadRules {
    return { parameters: this.#parts.parameters, networkId: this.#parts.options.networkId, slot: BigInt(this.slot), duplicateCheck: this.features.duplicateCheck }
  }

  /** Lets an event happen; events that it causes follow before this returns. */
  dispatch(event: HeadEvent): void {
    this.#queue.push(event)
    if (this.#running) return
    this.#running = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, actions } = stepHead(this.#state, next, this.features)
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
    const cancel = this.#parts.options.clock.after(delayMs, () => {
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
    const { port, options } = this.#parts
    switch (action.do) {
      case 'emit':
        return port.publish(action.output)
      case 'tell':
        return port.tell(action.message)
      case 'refuseInput':
        return port.refuse(action.client, action.reason, action.input)
      case 'post':
        this.later(options.timings.blockMs, () => this.#settle(action.post))
        return
      case 'judgeTx':
        return this.#judgeTx(action.tx, options.timings.invalidRetries)
      case 'retryTx':
        this.later(options.timings.invalidRetryMs, () => this.#judgeTx(action.tx, action.retriesLeft))
        return
      case 'judgeDecommit':
        return this.#judgeDecommit(action.tx)
      case 'sign':
        return this.#sign(action)
      case 'resetLedger':
        this.#cancelSign?.()
        this.ledger.reset(action.utxo ?? undefined)
        if (action.utxo !== null && this.#parts.faults.bigIntegers) this.ledger.credit(bigIntegerOutputs(options.networkId))
        return
      case 'credit':
        return this.ledger.credit(action.utxo)
      case 'prune':
        this.#cancelSign?.()
        return this.ledger.prune()
    }
  }

  #settle(post: ChainPost): void {
    const seen = settlePost(post, this.#chainContext())
    this.dispatch(seen)
    if (seen.type !== 'InitSeen' || !this.features.initializing) return
    // The parties that the node plays commit nothing, and that at once.
    const others = seen.head.parties.slice(1)
    this.later(this.#parts.options.timings.blockMs, () => {
      for (const party of others) this.dispatch({ type: 'CommitSeen', party, utxo: EMPTY_VIEW })
    })
  }

  #chainContext(): ChainContext {
    const { options } = this.#parts
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
    const { seed } = this.#parts.options
    const label = `head ${++this.#heads}`
    return { headId: deriveId(seed, label, blake2b224), headSeed: deriveId(seed, `${label} seed`), parties: this.#parts.signer.parties }
  }

  // The machine hands back the very transactions it was given.
  #judgeTx(headTx: HeadTx, retriesLeft: number): void {
    if (this.#state.head.status !== 'Open') return
    const tx = headTx as PreparedTx
    const { faults } = this.#parts
    const lose = faults.loseTransactions > 0 && this.ledger.judge(tx, this.rules).length === 0
    const failures = lose ? [] : this.ledger.apply(tx, this.rules)
    const failure = failures.length === 0 ? null : showFailures(failures)
    const localUtxo = failure !== null && retriesLeft === 0 ? this.ledger.local : null
    this.dispatch({ type: 'TxJudged', tx, failure, retriesLeft, localUtxo })
    if (lose && useUp(faults, 'loseTransactions')) this.dispatch({ type: 'TxsPruned', count: 1 })
  }

  #judgeDecommit(headTx: HeadTx): void {
    const tx = headTx as PreparedTx
    const failures = this.ledger.applyDecommit(tx, this.rules)
    const failure = failures.length === 0 ? null : showFailures(failures)
    this.dispatch({ type: 'DecommitJudged', tx, failure, localUtxo: this.ledger.local, utxoToDecommit: outputsOf(tx) })
  }

  #sign(action: Extract<HeadAction, { do: 'sign' }>): void {
    const { timings } = this.#parts.options
    const limit = timings.snapshotSize ?? this.features.snapshotSize
    // What is pending now goes into this snapshot; what comes meanwhile into the next.
    const count = this.ledger.nextBatch(limit)
    const complete = (): void => {
      if (this.#parts.faults.holdSnapshots) this.#cancelSign = this.later(HOLD_MS, complete)
      else this.#complete(action, count)
    }
    this.#cancelSign?.()
    this.#cancelSign = this.later(timings.snapshotIntervalMs, complete)
  }

  #complete(action: Extract<HeadAction, { do: 'sign' }>, count: number): void {
    const { head } = this.#state
    if (head.status !== 'Open' || head.head.headId !== action.headId) return
    const { headId, number } = action
    // An increment or decrement seen since then has changed the version, and what it moved is no longer on its way.
    const utxoToCommit = head.deposit === null ? null : action.utxoToCommit
    const utxoToDecommit = head.decommit === null ? null : action.utxoToDecommit
    const confirmed = this.ledger.confirm(count)
    const utxo = this.ledger.confirmed
    const signed = this.#parts.signer.sign({ headId, version: head.version, number, confirmed, utxo, utxoToCommit, utxoToDecommit })
    this.dispatch({ type: 'SnapshotSigned', signed })
    for (const tx of confirmed) {
      if (!useUp(this.#parts.faults, 'invalidAfterConfirm')) break
      const reason = showFailures(this.ledger.judge(tx, this.rules))
      this.#parts.port.publish({ tag: 'TxInvalid', headId, tx, utxo: this.ledger.local, reason })
    }
  }

  #scheduleTick(): void {
    const at = nextTick(this.#state)
    if (at === this.#tickAt) return
    this.#cancelTick?.()
    this.#tickAt = at
    if (at === null) return
    const { clock } = this.#parts.options
    this.#cancelTick = this.later(Math.min(at - clock.now(), 0x7fffffff), () => {
      this.#tickAt = null
      this.dispatch({ type: 'Tick', timeMs: clock.now() })
    })
  }
}
