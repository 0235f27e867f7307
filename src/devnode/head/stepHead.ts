import { onChainEvent } from './onChainEvent.js'
import { onInput } from './onInput.js'
import { finishOpenStep } from './snapshots.js'
import type { StepSettings } from './StepContext.js'
import { StepContext } from './StepContext.js'
import type { HeadAction } from './HeadAction.js'
import type { HeadEvent, NodeState, OpenHead } from './types.js'

/** A step of the machine: the state after it, and its actions, in order. */
export interface Step {
  readonly state: NodeState
  readonly actions: readonly HeadAction[]
}

/** A node without a head. */
export const IDLE_NODE: NodeState = { head: { status: 'Idle' }, deposits: [], synced: true, driftSeconds: 0 }

/**
 * Applies an event to the head's state machine (docs/protocol.md, head states). The function is pure: it returns
 * effects as actions, and their results come back as further events.
 */
export function stepHead(state: NodeState, event: HeadEvent, settings: StepSettings): Step {
  const step = new StepContext(settings)
  const next = finishOpenStep(transition(state, event, step), step)
  return { state: next, actions: step.actions }
}

/** Returns the Unix time in ms at which a Tick next changes the state, or `null`. */
export function nextTick({ head, deposits }: NodeState): number | null {
  const times: number[] = []
  if (head.status === 'Closed' && !head.ready) times.push(head.deadlineMs + 1)
  for (const { status, activatesMs, expiresMs } of deposits) {
    if (status === 'Inactive') times.push(Math.min(activatesMs, expiresMs) + 1)
    else if (status === 'Active') times.push(expiresMs + 1)
  }
  return times.length === 0 ? null : Math.min(...times)
}

function transition(state: NodeState, event: HeadEvent, step: StepContext): NodeState {
  switch (event.type) {
    case 'Input':
      return onInput(state, event, step)
    case 'TxValidated':
    case 'DecommitValidated':
    case 'SnapshotSigned':
    case 'TxsPruned':
    case 'DecommitReceived':
    case 'DecommitRefused':
      return state.head.status === 'Open' ? { ...state, head: onLedgerEvent(state.head, event, step) } : state
    case 'SyncChanged': {
      const { synced, driftSeconds, slot, timeMs } = event
      if (!step.features.syncStatus) return state
      if (synced === state.synced) return { ...state, driftSeconds }
      step.publish({ tag: synced ? 'NodeSynced' : 'NodeUnsynced', slot, timeMs, driftSeconds })
      return { ...state, synced, driftSeconds }
    }
    default:
      return onChainEvent(state, event, step)
  }
}

type LedgerEvent = Extract<
  HeadEvent,
  {
    type: 'TxValidated' | 'DecommitValidated' | 'SnapshotSigned' | 'TxsPruned' | 'DecommitReceived' | 'DecommitRefused'
  }
>

function onLedgerEvent(head: OpenHead, event: LedgerEvent, step: StepContext): OpenHead {
  switch (event.type) {
    case 'TxValidated':
      return onTxValidated(head, event, step)
    case 'DecommitValidated':
      return onDecommitValidated(head, event, step)
    case 'SnapshotSigned':
      return onSnapshotSigned(head, event, step)
    case 'DecommitReceived':
      return { ...head, waitingDecommits: [...head.waitingDecommits, event.tx] }
    case 'DecommitRefused':
      step.publish({
        tag: 'DecommitInvalid',
        headId: head.head.headId,
        tx: event.tx,
        cause: { utxo: event.localUtxo, reason: event.failure }
      })
      return head
    case 'TxsPruned':
      return { ...head, pendingTxs: head.pendingTxs - event.count }
  }
}

function onTxValidated(
  head: OpenHead,
  event: Extract<HeadEvent, { type: 'TxValidated' }>,
  step: StepContext
): OpenHead {
  const { tx, failure, retriesLeft, localUtxo } = event
  const { headId } = head.head
  if (failure === null) {
    step.publish({ tag: 'TxValid', headId, txId: tx.txId })
    return { ...head, pendingTxs: head.pendingTxs + 1 }
  }
  // Not applicable now may be applicable once another party's transaction has arrived: the node tries again before it
  // gives up.
  if (retriesLeft > 0) step.actions.push({ do: 'retryTx', tx, retriesLeft: retriesLeft - 1 })
  else if (localUtxo !== null) step.publish({ tag: 'TxInvalid', headId, tx, utxo: localUtxo, reason: failure })
  return head
}

function onDecommitValidated(
  head: OpenHead,
  event: Extract<HeadEvent, { type: 'DecommitValidated' }>,
  step: StepContext
): OpenHead {
  const { tx, failure, localUtxo, utxoToDecommit } = event
  const { headId } = head.head
  if (failure !== null) {
    step.publish({ tag: 'DecommitInvalid', headId, tx, cause: { utxo: localUtxo, reason: failure } })
    return { ...head, validatingDecommit: false }
  }
  step.publish({ tag: 'DecommitRequested', headId, tx, utxo: utxoToDecommit })
  const stuck = step.faults.stuckDecommit && head.signing
  return { ...head, decommit: { tx, utxo: utxoToDecommit, approved: false, stuck }, validatingDecommit: false }
}

function onSnapshotSigned(
  head: OpenHead,
  event: Extract<HeadEvent, { type: 'SnapshotSigned' }>,
  step: StepContext
): OpenHead {
  const { repeatApprovals } = step.faults
  const { snapshot } = event.signed
  const { headId } = head.head
  let { deposit, decommit } = head
  const accumulator = snapshot.appliedAccumulator ?? snapshot.accumulator
  step.publish({ tag: 'SnapshotConfirmed', headId, signed: event.signed })
  if (deposit !== null && (repeatApprovals || !deposit.approved) && snapshot.utxoToCommit !== null) {
    step.publish({ tag: 'CommitApproved', headId, utxo: deposit.utxo })
    step.post({ tag: 'IncrementTx', head: head.head, depositTxId: deposit.txId, utxo: deposit.utxo, accumulator })
    deposit = { ...deposit, approved: true }
  }
  if (decommit !== null && (repeatApprovals || !decommit.approved) && snapshot.utxoToDecommit !== null) {
    step.publish({ tag: 'DecommitApproved', headId, txId: decommit.tx.txId, utxo: decommit.utxo })
    const { version } = snapshot
    step.post({ tag: 'DecrementTx', head: head.head, utxo: decommit.utxo, accumulator, version })
    decommit = { ...decommit, approved: true }
  }
  return {
    ...head,
    confirmed: event.signed,
    signing: false,
    pendingTxs: head.pendingTxs - snapshot.confirmed.length,
    deposit,
    decommit
  }
}
