import type { Agenda } from '../chain/Agenda.js'
import type { Chain } from '../chain/Chain.js'
import type { HeadLedger } from '../head/headLedger.js'
import type { DevNodeFaults } from '../settings/faults.js'
import { consumeFault } from '../settings/faults.js'
import { showFailures } from '../rules/failures.js'
import { ledgerOutputsOf } from '../head/headLedger.js'
import { headRules } from '../chain/rulesAt.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import { VerdictQueue } from '../chain/VerdictQueue.js'
import { bigIntegerOutputs } from './bigIntegers.js'
import { invalidInputText } from '../wire/json/messages.js'
import type { AgendaTask } from './AgendaTask.js'
import type { ClientHub } from './clientHub.js'
import type { Head } from './Head.js'
import { confirmAt } from './followLeader.js'
import type { PartyMessage } from './PartyMessage.js'
import { startsUnsynced } from './startNode.js'
import { IDLE_NODE, nextTick, stepHead } from '../head/stepHead.js'
import type { HeadAction } from '../head/HeadAction.js'
import type { HeadMessage } from '../head/messages.js'
import type { ChainTx, HeadEvent, HeadTx, NodeState } from '../head/types.js'

/** The part of the runtime that is saved in the node's state. */
export interface SavedRuntime {
  readonly state: NodeState
  readonly initializedMs: number | null
}

/** The party of a runtime. */
interface RuntimeContext {
  readonly index: number
  readonly chain: Chain
  readonly head: Head
  readonly faults: DevNodeFaults
  readonly agenda: Agenda<AgendaTask>
  readonly ledger: HeadLedger
  readonly hub: ClientHub
}

/**
 * Runs the head's state machine for a party: carries out its actions and feeds their results back as events. All side
 * effects of the head are here.
 */
export class HeadRuntime {
  readonly #context: RuntimeContext
  #state: NodeState
  readonly #queue: HeadEvent[] = []
  readonly #verdicts = new VerdictQueue()
  #running = false
  #cancelTick: (() => void) | null = null
  #tickAt: number | null = null
  /** Time at which the last head began, ms since Unix epoch. */
  initializedMs: number | null = null
  #stalled = false

  constructor(context: RuntimeContext) {
    this.#context = context
    this.#state = { ...IDLE_NODE, synced: !startsUnsynced(context) }
  }

  get state(): NodeState {
    return this.#state
  }

  /** Applies an event; the events that it causes are applied before this returns. */
  dispatch(event: HeadEvent): void {
    this.#queue.push(event)
    if (this.#running) return
    const { index, chain, head, faults } = this.#context
    const settings = { features: chain.features, faults }
    this.#running = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, actions } = stepHead(this.#state, next, settings)
        this.#state = state
        for (const action of actions) this.#run(action)
      }
    } finally {
      this.#running = false
    }
    head.signing.lookAgain(index)
    this.#scheduleTick()
  }

  /** Publishes that the node's messages have stopped reaching its peers, or reach them again. */
  noticeStall(): void {
    const { chain, faults, hub } = this.#context
    const stalled = chain.features.broadcastStalls && faults.broadcastStalled
    if (stalled === this.#stalled) return
    this.#stalled = stalled
    hub.publish({ tag: stalled ? 'NetworkBroadcastStalled' : 'NetworkBroadcastResumed' })
  }

  /** Goes back to Idle and drops the head. */
  abandonHead(): void {
    this.#context.head.signing.cancel()
    this.#state = IDLE_NODE
    this.#context.ledger.reset()
    this.#scheduleTick()
    this.#context.hub.break('abandoned')
  }

  /** Resolves when no script runs and no accumulator is being worked out; undefined when that is so now. */
  idle(): Promise<void> | undefined {
    const { signing, txs } = this.#context.head
    return this.#verdicts.idle() ?? signing.working() ?? txs.commitments.working()
  }

  /** Posts a transaction of the head; the node sees it a block later. */
  post(tx: ChainTx): void {
    const { agenda, chain, head, faults } = this.#context
    if (tx.tag === 'CloseTx' && consumeFault(faults, 'loseCloses')) return
    const pendingMs = tx.tag === 'IncrementTx' ? head.faults.pendingWindowMs : 0
    agenda.add(chain.options.timings.blockMs + pendingMs, { do: 'settle', post: tx })
  }

  /** Handles a message of a party, which may be the node itself. */
  receive(message: PartyMessage): void {
    const { index, chain, head } = this.#context
    switch (message.tag) {
      case 'ReqTx':
        return this.#validateTx(message.tx, chain.options.timings.invalidRetries)
      case 'ReqDec':
        return this.#receiveDecommit(message.tx)
      case 'ReqSn':
        return head.signing.onRequest(message.round, index)
      case 'AckSn':
        return head.signing.onSigned(message.round, message.party, index)
      case 'Confirmed':
        return confirmAt({ ledger: this.#context.ledger, runtime: this }, message)
    }
  }

  /**
   * Handles a requested decommit. A party that still sees a different decommit in flight waits for a while before it
   * gives up (HeadLogic.hs, waitOnApplicableDecommit).
   */
  #receiveDecommit(tx: PreparedTx): void {
    const { index, chain, agenda } = this.#context
    const { network } = this.#context.head
    const { invalidRetries, invalidRetryMs } = chain.options.timings
    const { head } = this.#state
    if (!network.lags(index) || head.status !== 'Open' || head.decommit === null)
      return this.dispatch({ type: 'DecommitReceived', tx })
    agenda.add(invalidRetries * invalidRetryMs, { do: 'lateDecommit', tx })
  }

  /**
   * Handles a decommit that had to wait for a different one: accepts it, or gives it up if that one is still in flight.
   */
  lateDecommit(tx: PreparedTx): void {
    const { head } = this.#state
    if (head.status !== 'Open') return
    if (head.decommit === null) return this.dispatch({ type: 'DecommitReceived', tx })
    const cause = { otherTxId: head.decommit.tx.txId }
    this.#context.hub.publish({ tag: 'DecommitInvalid', headId: head.head.headId, tx, cause })
  }

  #run(action: HeadAction): void {
    const { index, chain, head, hub, ledger, agenda, faults } = this.#context
    const { timings, networkId } = chain.options
    switch (action.do) {
      case 'publish':
        return hub.publish(this.#asShown(action.output))
      case 'broadcast':
        return hub.broadcast(action.message)
      case 'refuseInput':
        return hub.sendTo(action.client, invalidInputText(action.reason, action.input))
      case 'post':
        // Every party posts the content of its confirmed snapshot: the base ledger accepts the first, and the others
        // fail (HeadLogic.hs:599-604).
        return this.post(action.post)
      case 'validateTx':
        return head.network.broadcast(index, { tag: 'ReqTx', tx: action.tx as PreparedTx })
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
        return head.signing.request(action, index)
      case 'resetLedger':
        head.signing.cancel()
        ledger.reset(action.utxo ?? undefined)
        if (action.utxo !== null && faults.bigIntegers) ledger.credit(bigIntegerOutputs(networkId))
        return
      case 'credit':
        return ledger.credit(action.utxo)
      case 'prune':
        head.signing.leave(index)
        return ledger.prune()
    }
  }

  /** Tries a transaction again that could not be applied before. */
  retryTx(tx: PreparedTx, retriesLeft: number): void {
    this.#validateTx(tx, retriesLeft)
  }

  /** Returns the part of the runtime that belongs to the node's state. */
  saved(): SavedRuntime {
    return { state: this.#state, initializedMs: this.initializedMs }
  }

  /** Restores a saved state. */
  restore({ state, initializedMs }: SavedRuntime): void {
    this.#state = state
    this.initializedMs = initializedMs
    this.#scheduleTick(true)
  }

  // The machine hands back the very transactions it was given.
  #validateTx(headTx: HeadTx, retriesLeft: number): void {
    this.#afterScripts(headTx as PreparedTx, (tx) => this.#applyTx(tx, retriesLeft))
  }

  /**
   * Applies a transaction after its scripts have run. Those that come meanwhile wait, so that verdicts are in the order
   * of the transactions; without such a run there is no wait.
   */
  #afterScripts(tx: PreparedTx, apply: (tx: PreparedTx) => void): void {
    const { chain, ledger } = this.#context
    const { timers } = chain
    const applyIfOpen = (): void => {
      if (this.#state.head.status === 'Open' && !timers.stopped) apply(tx)
    }
    this.#verdicts.add(() => {
      const run = this.#state.head.status === 'Open' ? ledger.runScripts(tx, () => headRules(chain)) : undefined
      return run === undefined ? applyIfOpen() : run.then(applyIfOpen)
    })
  }

  #applyTx(tx: PreparedTx, retriesLeft: number): void {
    const { chain, faults, ledger } = this.#context
    const rules = headRules(chain)
    const lose = faults.loseTransactions > 0 && ledger.validate(tx, rules).length === 0
    const failures = lose ? [] : ledger.apply(tx, rules)
    const failure = failures.length === 0 ? null : showFailures(failures)
    const localUtxo = failure !== null && retriesLeft === 0 ? ledger.local : null
    this.dispatch({ type: 'TxValidated', tx, failure, retriesLeft, localUtxo })
    if (lose && consumeFault(faults, 'loseTransactions')) this.dispatch({ type: 'TxsPruned', count: 1 })
  }

  #checkDecommit(tx: PreparedTx): void {
    const { index, chain, head, ledger } = this.#context
    const failures = ledger.validate(tx, headRules(chain))
    if (failures.length === 0) head.network.broadcast(index, { tag: 'ReqDec', tx })
    else this.dispatch({ type: 'DecommitRefused', tx, failure: showFailures(failures), localUtxo: ledger.local })
  }

  #applyDecommit(tx: PreparedTx): void {
    const { chain, ledger } = this.#context
    const { features } = chain
    const rules = headRules(chain)
    // Without an output the decrement could never settle (HeadLogic/Snapshot.hs, requireDecommitOutputs).
    const isRefused = features.refusesEmptyDecommits && ledgerOutputsOf(tx).size === 0
    const failures = isRefused ? ledger.validate(tx, rules) : ledger.applyDecommit(tx, rules)
    const failure =
      failures.length > 0 ? showFailures(failures) : isRefused ? 'decommit transaction has no outputs' : null
    this.dispatch({
      type: 'DecommitValidated',
      tx,
      failure,
      localUtxo: ledger.local,
      utxoToDecommit: ledgerOutputsOf(tx)
    })
  }

  #asShown(output: HeadMessage): HeadMessage {
    const { head, faults } = this.#context
    return output.tag === 'SnapshotConfirmed'
      ? { ...output, signed: head.signing.shown(output.signed, faults) }
      : output
  }

  #scheduleTick(always = false): void {
    const at = nextTick(this.#state)
    if (at === this.#tickAt && !always) return
    this.#cancelTick?.()
    this.#tickAt = at
    if (at === null) return
    const { timers, clock } = this.#context.chain
    this.#cancelTick = timers.later(Math.min(at - clock.now(), 0x7fffffff), () => {
      this.#tickAt = null
      this.dispatch({ type: 'Tick', timeMs: clock.now() })
    })
  }
}
