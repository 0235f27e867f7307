import type { HeadState, NodeState, OpenHead, SignedSnapshot } from '../head/types.js'
import type { HeadLedger } from '../ledger/headLedger.js'
import type { JsonValue } from './jsonText.js'
import { partiesJson, signedFields, utcTime } from './messages.js'
import type { ProfileFeatures } from '../profiles.js'
import type { UtxoView } from '../ledger/utxoSet.js'

/** What the head state shows besides the machine's own state. */
export interface HeadStateDetails {
  readonly features: ProfileFeatures
  readonly ledger: HeadLedger
  readonly contestationPeriodMs: number
  readonly slot: number
  readonly blockHash: string
}

/** The latest confirmed snapshot as GET /snapshot shows it, or the initial one. */
export function confirmedSnapshotJson(
  headId: string,
  signed: SignedSnapshot | null,
  initialUtxo: UtxoView,
  features: ProfileFeatures
): JsonValue {
  if (signed !== null) return { tag: 'ConfirmedSnapshot', ...signedFields(signed, features) }
  return { tag: 'InitialSnapshot', headId, initialUTxO: features.initializing ? initialUtxo : undefined }
}

/** Body of GET /snapshot/last-seen. */
export function lastSeenJson(head: HeadState): JsonValue {
  const number = 'confirmed' in head ? (head.confirmed?.snapshot.number ?? 0) : 0
  if (head.status === 'Open' && head.signing) return { tag: 'RequestedSnapshot', lastSeen: number, requested: number + 1 }
  return number === 0 ? { tag: 'NoSeenSnapshot' } : { tag: 'LastSeenSnapshot', lastSeen: number }
}

/** Body of GET /head, and `state` of CommandFailed. */
export function headStateJson({ head }: NodeState, facts: HeadStateDetails): JsonValue {
  const { features, contestationPeriodMs, slot, blockHash } = facts
  const chainState = { recordedAt: { tag: 'ChainPoint', slot, blockHash }, spendableUTxO: {} }
  if (head.status === 'Idle') return { tag: 'Idle', contents: { chainState } }
  const { headId, headSeed, parties } = head.head
  const parameters = { contestationPeriod: contestationPeriodMs / 1000, parties: partiesJson(parties) }
  const common = { parameters, chainState, headId, headSeed }
  if (head.status === 'Initializing') {
    const committed: Record<string, JsonValue> = {}
    for (const { party, utxo } of head.committed) committed[party] = utxo
    return { tag: 'Initial', contents: { ...common, pendingCommits: partiesJson(head.waitingFor), committed } }
  }
  const confirmedSnapshot = confirmedSnapshotJson(headId, head.confirmed, head.initialUtxo, features)
  if (head.status === 'Open') {
    return { tag: 'Open', contents: { ...common, coordinatedHeadState: coordinatedState(head, confirmedSnapshot, facts) } }
  }
  const closed = { ...common, confirmedSnapshot, version: head.version, contestationDeadline: utcTime(head.deadlineMs) }
  if (head.status === 'FanningOut') {
    const { remaining, distributed, mode } = head
    return { tag: 'FanoutProgress', contents: { ...closed, remainingOutputs: remaining, distributedOutputs: distributed, mode } }
  }
  // Multi-step fanout (2.2) shows how far it has come; here it is one step.
  const progress = features.signingRule !== '0.20-2.1' ? { remainingFanoutOutputs: null, distributedFanoutOutputs: {} } : {}
  return { tag: 'Closed', contents: { ...closed, readyToFanoutSent: head.ready, ...progress } }
}

function coordinatedState(head: OpenHead, confirmedSnapshot: JsonValue, { ledger }: HeadStateDetails): JsonValue {
  const allTxs: Record<string, JsonValue> = {}
  for (const tx of ledger.pendingTxs) allTxs[tx.txId] = tx.envelope
  return {
    localUTxO: ledger.local,
    localTxs: ledger.pendingTxs.map(({ envelope }) => envelope),
    allTxs,
    confirmedSnapshot,
    seenSnapshot: lastSeenJson(head),
    currentDepositTxId: head.deposit?.txId ?? null,
    decommitTx: head.decommit?.tx.envelope ?? null,
    version: head.version
  }
}

/** `checkpoint` of EventLogRotated: the node's whole state. Before 1.3 it has no time. */
export function checkpointJson(
  state: NodeState,
  headState: JsonValue,
  time: { readonly slot: number; readonly timeMs: number } | null
): JsonValue {
  const pendingDeposits: Record<string, JsonValue> = {}
  for (const { txId, headId, deposited, createdMs, deadlineMs, status } of state.deposits) {
    pendingDeposits[txId] = { headId, deposited, created: utcTime(createdMs), deadline: utcTime(deadlineMs), status }
  }
  if (time === null) return { headState, pendingDeposits }
  const chainPointTime = { currentSlot: time.slot, currentChainTime: utcTime(time.timeMs), drift: state.driftSeconds }
  return { tag: state.synced ? 'NodeInSync' : 'NodeCatchingUp', headState, pendingDeposits, chainPointTime }
}
