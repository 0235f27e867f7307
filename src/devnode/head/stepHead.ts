import type { DevNodeFaults } from '../faults.js'
import { onChainEvent } from './onChainEvent.js'
import { onInput } from './onInput.js'
import { finishOpenStep } from './snapshots.js'
import type { HeadAction, HeadEvent, NodeState, OpenHead } from './types.js'
import type { ProfileFeatures } from '../profiles.js'

/** A step of the machine: the state after it, and what is to be done, in order. */
export interface Step {
  readonly state: NodeState
  readonly actions: readonly HeadAction[]
}

/** What a step depends on besides the state: the version's features, and the faults that change its course. */
export type StepContext = ProfileFeatures & Partial<Pick<DevNodeFaults, 'repeatApprovals' | 'stuckDecommit'>>

/** A node without a head. */
export const IDLE_NODE: NodeState = { head: { status: 'Idle' }, deposits: [], synced: true, driftSeconds: 0 }

/**
 * The head's state machine (docs/protocol.md, head states). Pure: whatever the outside has to do or find out is an action, and
 * its result comes back as another event.
 */
export function stepHead(state: NodeState, event: HeadEvent, features: StepContext): Step {
  const actions: HeadAction[] = []
  const next = transition(state, event, features, actions)
  return { state: finishOpenStep(next, actions), actions }
}

/** Unix time in ms at which a Tick changes something, or `null`. */
export function nextTick({ head, deposits }: NodeState): number | null {
  const times: number[] = []
  if (head.status === 'Closed' && !head.ready) times.push(head.deadlineMs + 1)
  for (const { status, activatesMs, expiresMs } of deposits) {
    if (status === 'Inactive') times.push(Math.min(activatesMs, expiresMs) + 1)
    else if (status === 'Active') times.push(expiresMs + 1)
  }
  return times.length === 0 ? null : Math.min(...times)
}

function transition(state: NodeState, event: HeadEvent, features: StepContext, actions: HeadAction[]): NodeState {
  switch (event.type) {
    case 'Input':
      return onInput(state, event, features, actions)
    case 'TxValidated':
    case 'DecommitValidated':
    case 'SnapshotSigned':
    case 'TxsPruned':
      return state.head.status === 'Open' ? { ...state, head: onLedgerEvent(state.head, event, features, actions) } : state
    case 'SyncChanged': {
      const { synced, driftSeconds, slot, timeMs } = event
      if (!features.syncStatus) return state
      if (synced === state.synced) return { ...state, driftSeconds }
      actions.push({ do: 'publish', output: { tag: synced ? 'NodeSynced' : 'NodeUnsynced', slot, timeMs, driftSeconds } })
      return { ...state, synced, driftSeconds }
    }
    default:
      return onChainEvent(state, event, features, actions)
  }
}

type LedgerEvent = Extract<HeadEvent, { type: 'TxValidated' | 'DecommitValidated' | 'SnapshotSigned' | 'TxsPruned' }>

function onLedgerEvent(head: OpenHead, event: LedgerEvent, context: StepContext, actions: HeadAction[]): OpenHead {
  switch (event.type) {
    case 'TxValidated':
      return onTxValidated(head, event, actions)
    case 'DecommitValidated':
      return onDecommitValidated(head, event, context, actions)
    case 'SnapshotSigned':
      return onSnapshotSigned(head, event, context, actions)
    case 'TxsPruned':
      return { ...head, pendingTxs: head.pendingTxs - event.count }
  }
}

function onTxValidated(head: OpenHead, event: Extract<HeadEvent, { type: 'TxValidated' }>, actions: HeadAction[]): OpenHead {
  const { tx, failure, retriesLeft, localUtxo } = event
  const { headId } = head.head
  if (failure === null) {
    actions.push({ do: 'publish', output: { tag: 'TxValid', headId, txId: tx.txId } })
    return { ...head, pendingTxs: head.pendingTxs + 1 }
  }
  // Not applicable now may be applicable once another party's transaction has arrived: the node tries again before it gives up.
  if (retriesLeft > 0) actions.push({ do: 'retryTx', tx, retriesLeft: retriesLeft - 1 })
  else if (localUtxo !== null) actions.push({ do: 'publish', output: { tag: 'TxInvalid', headId, tx, utxo: localUtxo, reason: failure } })
  return head
}

function onDecommitValidated(
  head: OpenHead,
  event: Extract<HeadEvent, { type: 'DecommitValidated' }>,
  { stuckDecommit = false }: StepContext,
  actions: HeadAction[]
): OpenHead {
  const { tx, failure, localUtxo, utxoToDecommit } = event
  const { headId } = head.head
  if (failure !== null) {
    actions.push({ do: 'publish', output: { tag: 'DecommitInvalid', headId, tx, cause: { utxo: localUtxo, reason: failure } } })
    return { ...head, validatingDecommit: false }
  }
  actions.push({ do: 'publish', output: { tag: 'DecommitRequested', headId, tx, utxo: utxoToDecommit } })
  return { ...head, decommit: { tx, utxo: utxoToDecommit, approved: false, stuck: stuckDecommit && head.signing }, validatingDecommit: false }
}

function onSnapshotSigned(
  head: OpenHead,
  event: Extract<HeadEvent, { type: 'SnapshotSigned' }>,
  { repeatApprovals = false }: StepContext,
  actions: HeadAction[]
): OpenHead {
  const { snapshot } = event.signed
  const { headId } = head.head
  let { deposit, decommit } = head
  actions.push({ do: 'publish', output: { tag: 'SnapshotConfirmed', headId, signed: event.signed } })
  if (deposit !== null && (repeatApprovals || !deposit.approved) && snapshot.utxoToCommit !== null) {
    actions.push({ do: 'publish', output: { tag: 'CommitApproved', headId, utxo: deposit.utxo } })
    actions.push({ do: 'post', post: { tag: 'IncrementTx', head: head.head, depositTxId: deposit.txId, utxo: deposit.utxo } })
    deposit = { ...deposit, approved: true }
  }
  if (decommit !== null && (repeatApprovals || !decommit.approved) && snapshot.utxoToDecommit !== null) {
    actions.push({ do: 'publish', output: { tag: 'DecommitApproved', headId, txId: decommit.tx.txId, utxo: decommit.utxo } })
    actions.push({ do: 'post', post: { tag: 'DecrementTx', head: head.head, utxo: decommit.utxo } })
    decommit = { ...decommit, approved: true }
  }
  return { ...head, confirmed: event.signed, signing: false, pendingTxs: head.pendingTxs - snapshot.confirmed.length, deposit, decommit }
}
