import { snapshotNumber } from './snapshots.js'
import type { StepContext } from './StepContext.js'
import type { Deposit, HeadEvent, HeadIdentity, LocalHeadState, NodeState, OpenHead } from './types.js'
import type { UtxoView } from '../rules/utxoSet.js'
import { EMPTY_VIEW } from '../rules/utxoSet.js'

type ChainEvent = Exclude<
  HeadEvent,
  {
    type:
      | 'Input'
      | 'TxValidated'
      | 'DecommitValidated'
      | 'SnapshotSigned'
      | 'TxsPruned'
      | 'SyncChanged'
      | 'DecommitReceived'
      | 'DecommitRefused'
  }
>

/** Applies an event of the base ledger (docs/protocol.md, head states; deposits and decommits). */
export function onChainEvent(state: NodeState, event: ChainEvent, step: StepContext): NodeState {
  switch (event.type) {
    case 'Tick':
      return onTick(state, event.timeMs, step)
    case 'DepositSeen':
      return onDepositSeen(state, event.deposit, step)
    case 'RecoverSeen':
      return onRecoverSeen(state, event.depositTxId, step)
    case 'PostFailed':
      step.broadcast({ tag: 'PostTxOnChainFailed', post: event.post, error: event.error })
      return { ...state, head: afterFailedPost(state.head, event) }
    case 'IncrementSeen':
      return onIncrementSeen(state, event.depositTxId, step)
    default: {
      const head = onHeadEvent(state.head, event, step)
      const closed = state.head.status === 'Open' && head.status !== 'Open'
      return closed && step.features.depositsRecorded === 'openHead'
        ? { ...state, head, deposits: state.deposits.map(forgotten) }
        : { ...state, head }
    }
  }
}

/**
 * Records a deposit and publishes CommitRecorded (HeadLogic.hs:1371 at 0.22.4, 1598 at 1.3.0, 1747 at 2.2.0, 1768 at
 * 2.3.0, and 2065).
 */
function onDepositSeen(state: NodeState, deposit: Deposit, step: StepContext): NodeState {
  const { head } = state
  const { depositsRecorded } = step.features
  const isOwnHead = head.status !== 'Idle' && head.head.headId === deposit.headId
  const recorded =
    depositsRecorded === 'all' || (isOwnHead && (depositsRecorded === 'ownHead' || head.status === 'Open'))
  if (!recorded) return state
  step.publish({ tag: 'CommitRecorded', headId: deposit.headId, deposit })
  return { ...state, deposits: [deposit, ...state.deposits] }
}

/**
 * Returns a deposit that is still listed but no longer changes: before 1.0 deposits are part of the open head's state
 * (HeadLogic.hs:1617 at 0.22.4).
 */
const forgotten = (deposit: Deposit): Deposit => ({ ...deposit, status: 'Expired' })

type HeadChainEvent = Exclude<
  ChainEvent,
  { type: 'Tick' | 'DepositSeen' | 'RecoverSeen' | 'PostFailed' | 'IncrementSeen' }
>

function onHeadEvent(head: LocalHeadState, event: HeadChainEvent, step: StepContext): LocalHeadState {
  switch (event.type) {
    case 'InitSeen':
      if (head.status !== 'Idle') return head
      return onInitSeen(event.head, step)
    case 'CommitSeen':
    case 'CollectSeen':
    case 'AbortSeen':
      return onInitializingEvent(head, event, step)
    case 'DecrementSeen':
      if (head.status !== 'Open') return head
      step.publish({ tag: 'DecommitFinalized', headId: head.head.headId, utxo: event.distributedUTxO })
      return { ...head, version: head.version + 1, decommit: null }
    case 'CloseSeen': {
      if (head.status !== 'Open') return head
      const { head: identity, version, confirmed, initialUtxo } = head
      step.publish({
        tag: 'HeadIsClosed',
        headId: identity.headId,
        snapshotNumber: event.snapshotNumber ?? snapshotNumber(head),
        deadlineMs: event.deadlineMs
      })
      return {
        status: 'Closed',
        head: identity,
        version,
        confirmed,
        initialUtxo,
        deadlineMs: event.deadlineMs,
        ready: false
      }
    }
    case 'ContestSeen':
      if (head.status !== 'Closed') return head
      step.publish({
        tag: 'HeadIsContested',
        headId: head.head.headId,
        snapshotNumber: event.snapshotNumber,
        deadlineMs: event.deadlineMs
      })
      return { ...head, deadlineMs: event.deadlineMs, ready: false }
    case 'FanoutSeen':
      return onFanoutSeen(head, event, step)
  }
}

function onInitSeen(head: HeadIdentity, step: StepContext): LocalHeadState {
  const { headId, parties } = head
  if (step.features.initializing) {
    step.publish({ tag: 'HeadIsInitializing', headId, parties })
    return { status: 'Initializing', head, waitingFor: parties, committed: [] }
  }
  return open(head, EMPTY_VIEW, step)
}

function open(head: HeadIdentity, utxo: UtxoView, step: StepContext): LocalHeadState {
  step.publish({ tag: 'HeadIsOpen', headId: head.headId, parties: head.parties, utxo })
  step.actions.push({ do: 'resetLedger', utxo })
  return {
    status: 'Open',
    head,
    version: 0,
    confirmed: null,
    initialUtxo: utxo,
    signing: false,
    pendingTxs: 0,
    deposit: null,
    decommit: null,
    waitingDecommits: [],
    validatingDecommit: false
  }
}

type InitializingEvent = Extract<HeadEvent, { type: 'CommitSeen' | 'CollectSeen' | 'AbortSeen' }>

function onInitializingEvent(state: LocalHeadState, event: InitializingEvent, step: StepContext): LocalHeadState {
  if (state.status !== 'Initializing') return state
  const { head } = state
  if (event.type === 'AbortSeen') {
    step.publish({ tag: 'HeadIsAborted', headId: head.headId, utxo: event.utxo })
    return { status: 'Idle' }
  }
  if (event.type === 'CollectSeen') return open(head, event.utxo, step)
  const { party, utxo } = event
  const waitingFor = state.waitingFor.filter((other) => other !== party)
  if (waitingFor.length === state.waitingFor.length) return state
  step.publish({ tag: 'Committed', headId: head.headId, party, utxo })
  if (waitingFor.length === 0) step.post({ tag: 'CollectComTx', head })
  return { ...state, waitingFor, committed: [...state.committed, { party, utxo }] }
}

function onFanoutSeen(
  head: LocalHeadState,
  event: Extract<HeadEvent, { type: 'FanoutSeen' }>,
  step: StepContext
): LocalHeadState {
  if (head.status !== 'Closed' && head.status !== 'FanningOut') return head
  const { headId } = head.head
  const { remaining } = event
  if (remaining.size === 0) {
    // References in the head for the earlier steps, on the base ledger for the last one (HeadLogic.hs:1613).
    const utxo = head.status === 'FanningOut' ? head.distributed.concat(event.distributed) : event.distributed
    step.publish({ tag: 'HeadIsFinalized', headId, utxo })
    step.actions.push({ do: 'resetLedger', utxo: null })
    return { status: 'Idle' }
  }
  if (head.status !== 'FanningOut') return head
  const selection = head.selection === 'all' ? 'all' : null
  step.publish({
    tag: 'HeadPartiallyFannedOut',
    headId,
    distributed: event.step,
    remaining,
    mode: selection === 'all' ? 'AutoFanningOut' : 'AwaitingFanoutSelection'
  })
  return { ...head, selection, distributed: head.distributed.concat(event.step), remaining, started: true }
}

/**
 * Returns the head after a post failed: a fanout that fails at its first step leaves the head closed, and the node
 * treats ReadyToFanout as sent.
 */
function afterFailedPost(head: LocalHeadState, { post }: Extract<HeadEvent, { type: 'PostFailed' }>): LocalHeadState {
  const fanout = post.tag === 'FanoutTx' || post.tag === 'PartialFanoutTx'
  if (head.status !== 'FanningOut' || head.started || !fanout) return head
  const { head: identity, version, confirmed, initialUtxo, deadlineMs } = head
  return { status: 'Closed', head: identity, version, confirmed, initialUtxo, deadlineMs, ready: true }
}

function onIncrementSeen(state: NodeState, depositTxId: string, step: StepContext): NodeState {
  const { head } = state
  if (head.status !== 'Open' || head.deposit?.txId !== depositTxId) return state
  step.publish({ tag: 'CommitFinalized', headId: head.head.headId, depositTxId })
  step.actions.push({ do: 'credit', utxo: head.deposit.utxo })
  const deposits = state.deposits.filter(({ txId }) => txId !== depositTxId)
  return { ...state, deposits, head: { ...head, version: head.version + 1, deposit: null } }
}

function onRecoverSeen(state: NodeState, depositTxId: string, step: StepContext): NodeState {
  const deposit = state.deposits.find(({ txId }) => txId === depositTxId)
  // Before 1.0 only the open head sees it (HeadLogic.hs:1382 at 0.22.4).
  if (deposit === undefined || (step.features.depositsRecorded === 'openHead' && state.head.status !== 'Open'))
    return state
  step.publish({ tag: 'CommitRecovered', headId: deposit.headId, depositTxId, utxo: deposit.deposited })
  const { head } = state
  const isCurrent = head.status === 'Open' && head.deposit?.txId === depositTxId
  return {
    ...state,
    head: isCurrent ? { ...head, deposit: null } : head,
    deposits: state.deposits.filter((other) => other !== deposit)
  }
}

/**
 * Updates the deposits, then the head: first deposits that become active, then those that expire (HeadLogic.hs:2038,
 * onChainTick).
 */
function onTick(state: NodeState, timeMs: number, step: StepContext): NodeState {
  const deposits = state.deposits.map((deposit) => ({ ...deposit, status: statusAt(deposit, timeMs) }))
  const changed = (status: Deposit['status']): Deposit[] =>
    deposits.filter((each, i) => each.status === status && state.deposits[i]!.status !== status).reverse()
  for (const deposit of changed('Active'))
    step.publish({ tag: 'DepositActivated', headId: deposit.headId, deposit, timeMs })
  for (const deposit of changed('Expired'))
    step.publish({ tag: 'DepositExpired', headId: deposit.headId, deposit, timeMs })
  const { head } = state
  if (head.status === 'Closed' && !head.ready && timeMs > head.deadlineMs) {
    step.publish({ tag: 'ReadyToFanout', headId: head.head.headId })
    return { ...state, head: { ...head, ready: true }, deposits }
  }
  return { ...state, head: head.status === 'Open' ? withoutExpired(head, deposits) : head, deposits }
}

function statusAt({ status, expiresMs, activatesMs }: Deposit, timeMs: number): Deposit['status'] {
  if (status === 'Expired' || timeMs > expiresMs) return 'Expired'
  return timeMs > activatesMs ? 'Active' : status
}

/**
 * Skips a deposit that expired while its snapshot was being signed; the increment of one that was approved may still
 * arrive.
 */
function withoutExpired(head: OpenHead, deposits: readonly Deposit[]): OpenHead {
  if (head.deposit === null || head.deposit.approved) return head
  const headDeposit = deposits.find(({ txId }) => txId === head.deposit?.txId)
  return headDeposit?.status === 'Expired' ? { ...head, deposit: null } : head
}
