import { consumeFault } from '../settings/faults.js'
import { deriveId } from '../settings/keys.js'
import { showFailures } from '../rules/failures.js'
import { outputsOf } from '../head/headLedger.js'
import { headRules } from '../chain/rulesAt.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import { VerdictQueue } from '../chain/VerdictQueue.js'
import { blake2b224 } from '../../hash/blake2b.js'
import type { NodeContext } from './NodeContext.js'
import { bigIntegerOutputs } from './bigIntegers.js'
import { invalidInputText } from '../wire/json/messages.js'
import { applyChainTx, creditApproved } from './chainTxs.js'
import { confirmAt } from './followLeader.js'
import type { PartyMessage } from './PartyNetwork.js'
import { snapshotNumber } from '../head/snapshots.js'
import type { SavedSigning } from './SnapshotSigning.js'
import { SnapshotSigning } from './SnapshotSigning.js'
import { startsUnsynced } from './startNode.js'
import { IDLE_NODE, nextTick, stepHead } from '../head/stepHead.js'
import type { ChainTx, HeadAction, HeadEvent, HeadIdentity, HeadOutput, HeadTx, NodeState } from '../head/types.js'

/** What of the runtime belongs to the node's state. */
export interface SavedRuntime {
  readonly state: NodeState
  readonly initializedMs: number | null
  /** Heads so far: the next gets another id. */
  readonly heads: number
  /** Of the first party, which keeps the account of the signatures; null for the others. */
  readonly signing: SavedSigning | null
}

/**
 * Runs the head machine: carries out its actions and feeds back what comes of them. All effects of the head are here.
 */
export class HeadRuntime {
  readonly signing: SnapshotSigning
  readonly #context: NodeContext
  #state: NodeState
  readonly #queue: HeadEvent[] = []
  readonly #verdicts = new VerdictQueue()
  #running = false
  #cancelTick: (() => void) | null = null
  #tickAt: number | null = null
  /** When the last head began, ms since Unix epoch. */
  initializedMs: number | null = null
  #heads = 0
  #stalled = false

  constructor(context: NodeContext) {
    this.#context = context
    this.#state = { ...IDLE_NODE, synced: !startsUnsynced(context) }
    // The parties sign together: the first one's keeps the account.
    this.signing = context.party === 0 ? new SnapshotSigning(context) : context.network.contexts[0]!.runtime.signing
  }

  get state(): NodeState {
    return this.#state
  }

  /** Lets an event happen; events that it causes follow before this returns. */
  dispatch(event: HeadEvent): void {
    this.#queue.push(event)
    if (this.#running) return
    this.#running = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, actions } = stepHead(this.#state, next, this.#context)
        this.#state = state
        for (const action of actions) this.#run(action)
      }
    } finally {
      this.#running = false
    }
    this.signing.lookAgain(this.#context.party)
    this.#scheduleTick()
  }

  /** Tells clients that the node's messages have stopped reaching its peers, or reach them again. */
  noticeStall(): void {
    const { features, faults, hub } = this.#context
    const stalled = features.broadcastStalls && faults.broadcastStalled
    if (stalled === this.#stalled) return
    this.#stalled = stalled
    hub.publish({ tag: stalled ? 'NetworkBroadcastStalled' : 'NetworkBroadcastResumed' })
  }

  /** Goes back to Idle with nothing known. */
  abandonHead(): void {
    this.signing.cancel()
    this.#state = IDLE_NODE
    this.#context.ledger.reset()
    this.#scheduleTick()
    this.#context.hub.break('abandoned')
  }

  /** Resolves when no script runs and no accumulator is being worked out; undefined when that is so now. */
  idle(): Promise<void> | undefined {
    return this.#verdicts.idle() ?? this.signing.working()
  }

  /** Names the next head. */
  newHead(): HeadIdentity {
    const { options, signer, forkedHeadId, party, network } = this.#context
    if (party > 0) return network.contexts[0]!.runtime.newHead()
    const label = `${forkedHeadId === null ? '' : `fork of ${forkedHeadId}, `}head ${++this.#heads}`
    const { contestationPeriodMs } = options.timings
    return {
      headId: deriveId(options.seed, label, blake2b224),
      headSeed: deriveId(options.seed, `${label} seed`),
      parties: signer.parties,
      contestationPeriodMs
    }
  }

  /** Posts a transaction of the head; the node sees it a block later. */
  post(tx: ChainTx): void {
    const { agenda, options, faults, network } = this.#context
    if (tx.tag === 'CloseTx' && consumeFault(faults, 'loseCloses')) return
    const pendingMs = tx.tag === 'IncrementTx' ? network.contexts[0]!.faults.pendingWindowMs : 0
    agenda.add(options.timings.blockMs + pendingMs, { do: 'settle', post: tx })
  }

  /** A message of a party, which may be the node itself. */
  receive(message: PartyMessage): void {
    const { party, options } = this.#context
    switch (message.tag) {
      case 'ReqTx':
        return this.#validateTx(message.tx, options.timings.invalidRetries)
      case 'ReqDec':
        return this.#receiveDecommit(message.tx)
      case 'ReqSn':
        return this.signing.onRequest(message.round, party)
      case 'AckSn':
        return this.signing.onSigned(message.round, message.party, party)
      case 'Confirmed':
        return confirmAt(this.#context, message)
    }
  }

  /**
   * A party that still sees another decommit in flight tries for a while before it gives up (HeadLogic.hs,
   * waitOnApplicableDecommit).
   */
  #receiveDecommit(tx: PreparedTx): void {
    const { party, network, options, agenda } = this.#context
    const { head } = this.#state
    if (party === 0 || !network.isLagging || head.status !== 'Open' || head.decommit === null)
      return this.dispatch({ type: 'DecommitReceived', tx })
    agenda.add(options.timings.invalidRetries * options.timings.invalidRetryMs, { do: 'lateDecommit', tx })
  }

  /** A decommit that had to wait for another is received, or given up. */
  lateDecommit(tx: PreparedTx): void {
    const { head } = this.#state
    if (head.status !== 'Open') return
    if (head.decommit === null) return this.dispatch({ type: 'DecommitReceived', tx })
    const cause = { otherTxId: head.decommit.tx.txId }
    this.#context.hub.publish({ tag: 'DecommitInvalid', headId: head.head.headId, tx, cause })
  }

  #run(action: HeadAction): void {
    const { hub, ledger, agenda, options, faults, party, network } = this.#context
    const { timings } = options
    switch (action.do) {
      case 'publish':
        return hub.publish(this.#asShown(action.output))
      case 'broadcast':
        return hub.broadcast(action.message)
      case 'refuseInput':
        return hub.sendTo(action.client, invalidInputText(action.reason, action.input))
      case 'post':
        // Every party posts what its confirmed snapshot carries: the base ledger takes the first, and the others fail
        // (HeadLogic.hs:599-604).
        return this.post(action.post)
      case 'validateTx':
        return network.broadcast(party, { tag: 'ReqTx', tx: action.tx as PreparedTx })
      case 'checkDecommit':
        return this.#afterScripts(action.tx as PreparedTx, (tx) => this.#checkDecommit(tx))
      case 'retryTx':
        return agenda.add(timings.invalidRetryMs, {
          do: 'retryTx',
          tx: action.tx as PreparedTx,
          retriesLeft: action.retriesLeft
        })
      case 'validateDecommit':
        return this.#afterScripts(action.tx as PreparedTx, (tx) => this.#applyDecommit(tx))
      case 'sign':
        return this.signing.request(action, party)
      case 'resetLedger':
        this.signing.cancel()
        ledger.reset(action.utxo ?? undefined)
        if (action.utxo !== null && faults.bigIntegers) ledger.credit(bigIntegerOutputs(options.networkId))
        return
      case 'credit':
        return ledger.credit(action.utxo)
      case 'prune':
        this.signing.leave(party)
        return ledger.prune()
    }
  }

  /** A transaction of the head arrives at the base ledger. */
  settle(post: ChainTx): void {
    const { options, features, agenda, network } = this.#context
    const seen = applyChainTx(post, this.#context)
    if (seen.type === 'PostFailed') return this.dispatch(seen)
    if (seen.type === 'CloseSeen') return this.#onClosed(seen)
    if (seen.type === 'InitSeen')
      for (const { runtime } of network.contexts) runtime.initializedMs = options.clock.now()
    network.onChain(seen as Parameters<typeof network.onChain>[0])
    if (seen.type !== 'InitSeen' || !features.initializing) return
    // The parties that the node plays commit nothing, and that at once.
    agenda.add(options.timings.blockMs, { do: 'commitOthers', parties: seen.head.parties.slice(1) })
  }

  #onClosed(seen: Extract<HeadEvent, { type: 'CloseSeen' }>): void {
    const { network, party, options, agenda } = this.#context
    const { head } = this.#state
    const latest = head.status === 'Open' ? snapshotNumber(head) : 0
    const isOld = network.settings(party).closeWithOld && latest > 0
    // A decommit that was approved and has not left yet is fanned out with the rest: the poster's ledger has it
    // already.
    for (const { runtime, ledger, party: other } of network.contexts)
      if (other !== party) creditApproved(runtime.state.head, ledger)
    network.onChain(isOld ? { ...seen, snapshotNumber: latest - 1 } : seen)
    if (isOld) agenda.add(options.timings.blockMs, { do: 'contest' })
  }

  /** A transaction that could not be applied is tried again. */
  retryTx(tx: PreparedTx, retriesLeft: number): void {
    this.#validateTx(tx, retriesLeft)
  }

  /** What of the runtime belongs to the node's state. */
  saved(): SavedRuntime {
    const signing = this.#context.party === 0 ? this.signing.saved() : null
    return { state: this.#state, initializedMs: this.initializedMs, heads: this.#heads, signing }
  }

  /** Becomes what was saved. */
  restore({ state, initializedMs, heads, signing }: SavedRuntime): void {
    this.#state = state
    this.initializedMs = initializedMs
    this.#heads = heads
    if (signing !== null) this.signing.restore(signing)
    this.#scheduleTick(true)
  }

  // The machine hands back the very transactions it was given.
  #validateTx(headTx: HeadTx, retriesLeft: number): void {
    this.#afterScripts(headTx as PreparedTx, (tx) => this.#applyTx(tx, retriesLeft))
  }

  /** Verdicts come in the order of their transactions: what comes while scripts run waits, and nothing else does. */
  #afterScripts(tx: PreparedTx, apply: (tx: PreparedTx) => void): void {
    const { ledger, timers } = this.#context
    const applyIfOpen = (): void => {
      if (this.#state.head.status === 'Open' && !timers.stopped) apply(tx)
    }
    this.#verdicts.add(() => {
      const run = this.#state.head.status === 'Open' ? ledger.runScripts(tx, () => headRules(this.#context)) : undefined
      return run === undefined ? applyIfOpen() : run.then(applyIfOpen)
    })
  }

  #applyTx(tx: PreparedTx, retriesLeft: number): void {
    const { faults, ledger } = this.#context
    const rules = headRules(this.#context)
    const lose = faults.loseTransactions > 0 && ledger.validate(tx, rules).length === 0
    const failures = lose ? [] : ledger.apply(tx, rules)
    const failure = failures.length === 0 ? null : showFailures(failures)
    const localUtxo = failure !== null && retriesLeft === 0 ? ledger.local : null
    this.dispatch({ type: 'TxValidated', tx, failure, retriesLeft, localUtxo })
    if (lose && consumeFault(faults, 'loseTransactions')) this.dispatch({ type: 'TxsPruned', count: 1 })
  }

  #checkDecommit(tx: PreparedTx): void {
    const { ledger, network, party } = this.#context
    const failures = ledger.validate(tx, headRules(this.#context))
    if (failures.length === 0) network.broadcast(party, { tag: 'ReqDec', tx })
    else this.dispatch({ type: 'DecommitRefused', tx, failure: showFailures(failures), localUtxo: ledger.local })
  }

  #applyDecommit(tx: PreparedTx): void {
    const { features, ledger } = this.#context
    const rules = headRules(this.#context)
    // Without an output the decrement could never settle (HeadLogic/Snapshot.hs, requireDecommitOutputs).
    const isRefused = features.refusesEmptyDecommits && outputsOf(tx).size === 0
    const failures = isRefused ? ledger.validate(tx, rules) : ledger.applyDecommit(tx, rules)
    const failure =
      failures.length > 0 ? showFailures(failures) : isRefused ? 'decommit transaction has no outputs' : null
    this.dispatch({ type: 'DecommitValidated', tx, failure, localUtxo: ledger.local, utxoToDecommit: outputsOf(tx) })
  }

  #asShown(output: HeadOutput): HeadOutput {
    // The faults of the node are its own.
    return output.tag === 'SnapshotConfirmed' && this.#context.party === 0
      ? { ...output, signed: this.signing.shown(output.signed) }
      : output
  }

  #scheduleTick(anew = false): void {
    const at = nextTick(this.#state)
    if (at === this.#tickAt && !anew) return
    this.#cancelTick?.()
    this.#tickAt = at
    if (at === null) return
    const { timers, options } = this.#context
    this.#cancelTick = timers.later(Math.min(at - options.clock.now(), 0x7fffffff), () => {
      this.#tickAt = null
      this.dispatch({ type: 'Tick', timeMs: options.clock.now() })
    })
  }
}
