import { snapshotNumber } from './snapshots.js'
import type { Deposit, HeadAction, HeadEvent, HeadIdentity, HeadOutput, HeadState, NodeState, OpenHead } from './types.js'
import type { ProfileFeatures } from '../profiles.js'
import type { UtxoView } from '../ledger/utxoSet.js'
import { EMPTY_VIEW } from '../ledger/utxoSet.js'

type ChainEvent = Exclude<HeadEvent, { type: 'Input' | 'TxValidated' | 'DecommitValidated' | 'SnapshotSigned' | 'TxsPruned' | 'SyncChanged' }>

/** What the base ledger does to the node (docs/protocol.md, head states; deposits and decommits). */
export function onChainEvent(state: NodeState, event: ChainEvent, features: ProfileFeatures, actions: HeadAction[]): NodeState {
  const publish = (output: HeadOutput): void => void actions.push({ do: 'publish', output })
  switch (event.type) {
    case 'Tick':
      return onTick(state, event.timeMs, publish)
    case 'DepositSeen':
      publish({ tag: 'CommitRecorded', headId: event.deposit.headId, deposit: event.deposit })
      return { ...state, deposits: [event.deposit, ...state.deposits] }
    case 'RecoverSeen':
      return onRecoverSeen(state, event.depositTxId, publish)
    case 'PostFailed':
      actions.push({ do: 'broadcast', message: { tag: 'PostTxOnChainFailed', post: event.post, error: event.error } })
      return { ...state, head: afterFailedPost(state.head, event) }
    case 'IncrementSeen':
      return onIncrementSeen(state, event.depositTxId, publish, actions)
    default:
      return { ...state, head: onHeadEvent(state.head, event, features, publish, actions) }
  }
}

type Publish = (output: HeadOutput) => void
type HeadChainEvent = Exclude<ChainEvent, { type: 'Tick' | 'DepositSeen' | 'RecoverSeen' | 'PostFailed' | 'IncrementSeen' }>

function onHeadEvent(head: HeadState, event: HeadChainEvent, features: ProfileFeatures, publish: Publish, actions: HeadAction[]): HeadState {
  switch (event.type) {
    case 'InitSeen':
      if (head.status !== 'Idle') return head
      return onInitSeen(event.head, features, publish, actions)
    case 'CommitSeen':
    case 'CollectSeen':
    case 'AbortSeen':
      return onInitializingEvent(head, event, publish, actions)
    case 'DecrementSeen':
      if (head.status !== 'Open') return head
      publish({ tag: 'DecommitFinalized', headId: head.head.headId, utxo: event.distributedUTxO })
      return { ...head, version: head.version + 1, decommit: null }
    case 'CloseSeen': {
      if (head.status !== 'Open') return head
      const { head: identity, version, confirmed, initialUtxo } = head
      publish({ tag: 'HeadIsClosed', headId: identity.headId, snapshotNumber: snapshotNumber(head), deadlineMs: event.deadlineMs })
      return { status: 'Closed', head: identity, version, confirmed, initialUtxo, deadlineMs: event.deadlineMs, ready: false }
    }
    case 'ContestSeen':
      if (head.status !== 'Closed') return head
      publish({ tag: 'HeadIsContested', headId: head.head.headId, snapshotNumber: event.snapshotNumber, deadlineMs: event.deadlineMs })
      return { ...head, deadlineMs: event.deadlineMs, ready: false }
    case 'FanoutSeen':
      return onFanoutSeen(head, event, publish, actions)
  }
}

function onInitSeen(head: HeadIdentity, features: ProfileFeatures, publish: Publish, actions: HeadAction[]): HeadState {
  const { headId, parties } = head
  if (features.initializing) {
    publish({ tag: 'HeadIsInitializing', headId, parties })
    return { status: 'Initializing', head, waitingFor: parties, committed: [] }
  }
  return open(head, EMPTY_VIEW, publish, actions)
}

function open(head: HeadIdentity, utxo: UtxoView, publish: Publish, actions: HeadAction[]): HeadState {
  publish({ tag: 'HeadIsOpen', headId: head.headId, parties: head.parties, utxo })
  actions.push({ do: 'resetLedger', utxo })
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

function onInitializingEvent(state: HeadState, event: InitializingEvent, publish: Publish, actions: HeadAction[]): HeadState {
  if (state.status !== 'Initializing') return state
  const { head } = state
  if (event.type === 'AbortSeen') {
    publish({ tag: 'HeadIsAborted', headId: head.headId, utxo: event.utxo })
    return { status: 'Idle' }
  }
  if (event.type === 'CollectSeen') return open(head, event.utxo, publish, actions)
  const { party, utxo } = event
  const waitingFor = state.waitingFor.filter((other) => other !== party)
  if (waitingFor.length === state.waitingFor.length) return state
  publish({ tag: 'Committed', headId: head.headId, party, utxo })
  if (waitingFor.length === 0) actions.push({ do: 'post', post: { tag: 'CollectComTx', head } })
  return { ...state, waitingFor, committed: [...state.committed, { party, utxo }] }
}

function onFanoutSeen(head: HeadState, event: Extract<HeadEvent, { type: 'FanoutSeen' }>, publish: Publish, actions: HeadAction[]): HeadState {
  if (head.status !== 'Closed' && head.status !== 'FanningOut') return head
  const { headId } = head.head
  const { step, remaining } = event
  if (remaining.size === 0) {
    // References in the head for the earlier steps, on the base ledger for the last one (HeadLogic.hs:1613).
    const utxo = head.status === 'FanningOut' ? head.distributed.concat(event.distributed) : event.distributed
    publish({ tag: 'HeadIsFinalized', headId, utxo })
    actions.push({ do: 'resetLedger', utxo: null })
    return { status: 'Idle' }
  }
  if (head.status !== 'FanningOut') return head
  const selection = head.selection === 'all' ? 'all' : null
  publish({ tag: 'HeadPartiallyFannedOut', headId, distributed: step, remaining, mode: selection === 'all' ? 'AutoFanningOut' : 'AwaitingFanoutSelection' })
  return { ...head, selection, distributed: head.distributed.concat(step), remaining, started: true }
}

/** A fanout that failed at its first step leaves the head closed, and the node takes ReadyToFanout as sent. */
function afterFailedPost(head: HeadState, { post }: Extract<HeadEvent, { type: 'PostFailed' }>): HeadState {
  const fanout = post.tag === 'FanoutTx' || post.tag === 'PartialFanoutTx'
  if (head.status !== 'FanningOut' || head.started || !fanout) return head
  const { head: identity, version, confirmed, initialUtxo, deadlineMs } = head
  return { status: 'Closed', head: identity, version, confirmed, initialUtxo, deadlineMs, ready: true }
}

function onIncrementSeen(state: NodeState, depositTxId: string, publish: Publish, actions: HeadAction[]): NodeState {
  const { head } = state
  if (head.status !== 'Open' || head.deposit?.txId !== depositTxId) return state
  publish({ tag: 'CommitFinalized', headId: head.head.headId, depositTxId })
  actions.push({ do: 'credit', utxo: head.deposit.utxo })
  const deposits = state.deposits.filter(({ txId }) => txId !== depositTxId)
  return { ...state, deposits, head: { ...head, version: head.version + 1, deposit: null } }
}

function onRecoverSeen(state: NodeState, depositTxId: string, publish: Publish): NodeState {
  const deposit = state.deposits.find(({ txId }) => txId === depositTxId)
  if (deposit === undefined) return state
  publish({ tag: 'CommitRecovered', headId: deposit.headId, depositTxId, utxo: deposit.deposited })
  return { ...state, deposits: state.deposits.filter((other) => other !== deposit) }
}

function onTick(state: NodeState, timeMs: number, publish: Publish): NodeState {
  let { head } = state
  if (head.status === 'Closed' && !head.ready && timeMs > head.deadlineMs) {
    publish({ tag: 'ReadyToFanout', headId: head.head.headId })
    head = { ...head, ready: true }
  }
  const approved = head.status === 'Open' && head.deposit?.approved === true ? head.deposit.txId : null
  const oldestFirst = [...state.deposits].reverse()
  const deposits = oldestFirst.map((deposit) => (deposit.txId === approved ? deposit : tickDeposit(deposit, timeMs, publish)))
  // What expired while its snapshot was being signed is not taken up any more.
  if (head.status === 'Open') head = withoutExpired(head, deposits)
  return { ...state, head, deposits: deposits.reverse() }
}

function withoutExpired(head: OpenHead, deposits: readonly Deposit[]): OpenHead {
  const own = deposits.find(({ txId }) => txId === head.deposit?.txId)
  return own?.status === 'Expired' ? { ...head, deposit: null } : head
}

function tickDeposit(deposit: Deposit, timeMs: number, publish: Publish): Deposit {
  const { headId, status } = deposit
  const now = timeMs > deposit.expiresMs ? 'Expired' : timeMs > deposit.activatesMs ? 'Active' : 'Inactive'
  if (now === status || status === 'Expired' || now === 'Inactive') return deposit
  const changed: Deposit = { ...deposit, status: now }
  publish({ tag: now === 'Active' ? 'DepositActivated' : 'DepositExpired', headId, deposit: changed, timeMs })
  return changed
}
