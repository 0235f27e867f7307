import { snapshotNumber } from './snapshots.js'
import type { StepContext } from './StepContext.js'
import type { ClosedHead, FanningOutHead, HeadEvent, NodeState, OpenHead } from './types.js'
import type { UtxoView } from '../rules/utxoSet.js'
import { EMPTY_VIEW } from '../rules/utxoSet.js'

type InputEvent = Extract<HeadEvent, { type: 'Input' }>

/** Applies a client's input in each state (docs/protocol.md, head states). */
export function onInput(state: NodeState, event: InputEvent, step: StepContext): NodeState {
  const { head } = state
  const { input } = event
  // The WebSocket server checks before the node looks at anything, an unsynced one too (WSServer.hs:198).
  if (input.tag === 'SafeClose' && input.assets !== null) {
    const reason = `Cannot SafeClose with non-ADA assets present: ${input.assets}`
    step.actions.push({ do: 'refuseInput', client: event.client, reason, input: event.text })
    return state
  }
  if (!state.synced) {
    const { driftSeconds } = state
    step.broadcast({ tag: 'RejectedInputBecauseUnsynced', inputTag: input.tag, echo: event.echo, driftSeconds })
    return state
  }
  if (input.tag === 'Recover') return onRecover(state, event, step)
  switch (head.status) {
    case 'Idle':
      if (input.tag !== 'Init') return refuse(state, event, step)
      step.post({ tag: 'InitTx' })
      return state
    case 'Initializing':
      if (input.tag !== 'Abort') return refuse(state, event, step)
      step.post({ tag: 'AbortTx', head: head.head })
      return state
    case 'Open':
      return isStalled(event, step) ? state : onOpenInput(state, head, event, step)
    case 'Closed':
      return onClosedInput(state, head, event, step)
    case 'FanningOut':
      return onFanningOutInput(state, head, event, step)
  }
}

/** True for an input that would wait in the node while no message reaches its peers (Node.hs, refuseWhenStalled). */
function isStalled({ input, echo }: InputEvent, step: StepContext): boolean {
  if (
    !step.features.broadcastStalls ||
    !step.faults.broadcastStalled ||
    (input.tag !== 'NewTx' && input.tag !== 'Decommit')
  )
    return false
  step.broadcast({ tag: 'RejectedInputBecauseBroadcastStalled', inputTag: input.tag, txId: input.tx.txId, echo })
  return true
}

/** Answers an input that this state does not allow with CommandFailed. */
function refuse(state: NodeState, event: InputEvent, step: StepContext): NodeState {
  step.broadcast({ tag: 'CommandFailed', inputTag: event.input.tag, echo: event.echo })
  return state
}

function onRecover(state: NodeState, event: InputEvent, step: StepContext): NodeState {
  const { input } = event
  if (!step.features.recoverAnywhere && state.head.status !== 'Open') return refuse(state, event, step)
  const recordedDeposit =
    input.tag === 'Recover' ? state.deposits.find(({ txId }) => txId === input.depositTxId) : undefined
  const { head } = state
  const forgotten =
    step.features.depositsRecorded === 'openHead' &&
    (head.status === 'Idle' || head.head.headId !== recordedDeposit?.headId)
  const deposit = forgotten ? undefined : recordedDeposit
  // An unknown deposit is a logic error in the node: logged, and no message at all.
  if (deposit !== undefined) step.post({ tag: 'RecoverTx', deposit })
  return state
}

function onOpenInput(state: NodeState, head: OpenHead, event: InputEvent, step: StepContext): NodeState {
  const { input } = event
  switch (input.tag) {
    case 'NewTx':
      step.actions.push({ do: 'validateTx', tx: input.tx })
      return state
    case 'Decommit':
      onDecommit(head, input.tx, step)
      return state
    case 'SafeClose':
    case 'Close':
      step.post({ tag: 'CloseTx', head: head.head })
      return state
    case 'SideLoadSnapshot':
      return onSideLoad(state, head, event, step)
    default:
      return refuse(state, event, step)
  }
}

function onDecommit(head: OpenHead, tx: OpenHead['waitingDecommits'][number], step: StepContext): void {
  if (head.decommit === null) step.actions.push({ do: 'checkDecommit', tx })
  else {
    const cause = { otherTxId: head.decommit.tx.txId }
    step.publish({ tag: 'DecommitInvalid', headId: head.head.headId, tx, cause })
  }
}

function onSideLoad(state: NodeState, head: OpenHead, event: InputEvent, step: StepContext): NodeState {
  const { input } = event
  if (input.tag !== 'SideLoadSnapshot' || input.headId !== head.head.headId) return state
  if (input.failure !== null) {
    // Before 1.3 a refusal is logged, and no message at all.
    if (step.features.sideLoadRejections)
      step.broadcast({ tag: 'SideLoadSnapshotRejected', echo: event.echo, failure: input.failure })
    return state
  }
  const { headId } = head.head
  step.actions.push({ do: 'prune' })
  if (head.confirmed !== null) step.publish({ tag: 'SnapshotConfirmed', headId, signed: head.confirmed })
  step.publish({ tag: 'SnapshotSideLoaded', headId, snapshotNumber: snapshotNumber(head) })
  return { ...state, head: { ...head, signing: false, pendingTxs: 0 } }
}

function onClosedInput(state: NodeState, head: ClosedHead, event: InputEvent, step: StepContext): NodeState {
  const { input } = event
  const selection = input.tag === 'PartialFanout' ? input.selection : null
  const full = input.tag === 'Fanout' ? input.full : selection?.all === true ? selection.full : null
  if (full !== null) {
    step.post({ tag: 'FanoutTx', head: head.head, selection: null })
    return step.features.partialFanout ? { ...state, head: fanningOut(head, full, null) } : state
  }
  if (selection === null) return refuse(state, event, step)
  step.post({ tag: 'PartialFanoutTx', head: head.head, selection: selection.utxo })
  return { ...state, head: fanningOut(head, selection.full, selection.utxo) }
}

function onFanningOutInput(state: NodeState, head: FanningOutHead, event: InputEvent, step: StepContext): NodeState {
  const { input } = event
  // A drain can be turned into a selection (HeadLogic.hs:1490).
  const selection = input.tag === 'PartialFanout' ? input.selection : null
  if (selection === null) return refuse(state, event, step)
  const tag = selection.all ? 'FinalPartialFanoutTx' : 'PartialFanoutTx'
  step.post({ tag, head: head.head, selection: selection.all ? null : selection.utxo })
  return { ...state, head: { ...head, selection: selection.utxo } }
}

/**
 * Returns the head at the start of a fanout. `remaining`: all outputs before the first step (HeadLogic.hs:1472);
 * `selection`: the outputs to pay first, null pays all.
 */
function fanningOut(head: ClosedHead, remaining: UtxoView, selection: UtxoView | null): FanningOutHead {
  return {
    ...head,
    status: 'FanningOut',
    selection: selection ?? 'all',
    remaining,
    distributed: EMPTY_VIEW,
    started: false
  }
}
