import { currentSlot, tipHash } from '../../chain/chainTime.js'
import type { FanningOutHead, HeadIdentity, OpenHead, SignedLocalSnapshot } from '../../head/types.js'
import { contestationPeriodOf } from '../../head/types.js'
import type { JsonValue } from '../../json/jsonText.js'
import { partiesJson, signedFields, snapshotJson, utcTime, wholeSeconds } from './messages.js'
import type { ChainView, PartyView } from './PartyView.js'
import type { ProfileFeatures } from '../../settings/profiles.js'
import type { UtxoView } from '../../rules/utxoSet.js'

/** The latest confirmed snapshot as GET /snapshot shows it, or the initial one. */
export function confirmedSnapshotJson(
  headId: string,
  signed: SignedLocalSnapshot | null,
  initialUtxo: UtxoView,
  features: ProfileFeatures
): JsonValue {
  if (signed !== null) return { tag: 'ConfirmedSnapshot', ...signedFields(signed, features) }
  return { tag: 'InitialSnapshot', headId, initialUTxO: features.initializing ? initialUtxo : undefined }
}

/** Returns the body of GET /snapshot/last-seen. The node sees its own request at once (State.hs:184). */
export function lastSeenJson(party: PartyView): JsonValue {
  const { features } = party.chain
  const { head } = party.runtime.state
  const number = 'confirmed' in head ? (head.confirmed?.snapshot.number ?? 0) : 0
  const seen = head.status === 'Open' && head.signing ? party.head.signing.inFlight(party.index) : null
  if (seen !== null)
    return {
      tag: 'SeenSnapshot',
      snapshot: snapshotJson(seen.snapshot, features),
      signatories: { ...seen.signatories }
    }
  return number === 0 ? { tag: 'NoSeenSnapshot' } : { tag: 'LastSeenSnapshot', lastSeen: number }
}

/** Body of GET /head, and `state` of CommandFailed. */
export function headStateJson(party: PartyView): JsonValue {
  const { chain, runtime } = party
  const { features } = chain
  const { head } = runtime.state
  const chainState = {
    recordedAt: { tag: 'ChainPoint', slot: currentSlot(chain), blockHash: tipHash(chain) },
    spendableUTxO: {}
  }
  if (head.status === 'Idle') return { tag: 'Idle', contents: { chainState } }
  const { headId, headSeed } = head.head
  const parameters = headParametersJson(head.head, chain)
  const common = { parameters, chainState, headId, headSeed }
  if (head.status === 'Initializing') {
    const committed: Record<string, JsonValue> = {}
    for (const { party: vkey, utxo } of head.committed) committed[vkey] = utxo
    return { tag: 'Initial', contents: { ...common, pendingCommits: partiesJson(head.waitingFor), committed } }
  }
  const confirmedSnapshot = confirmedSnapshotJson(headId, head.confirmed, head.initialUtxo, features)
  if (head.status === 'Open') {
    // Part of an open head until 1.0, and of no answer afterwards.
    const openSlot = features.environment ? undefined : currentSlot(chain)
    return {
      tag: 'Open',
      contents: {
        ...common,
        coordinatedHeadState: coordinatedState(head, confirmedSnapshot, party),
        currentSlot: openSlot
      }
    }
  }
  const closed = { ...common, confirmedSnapshot, version: head.version, contestationDeadline: utcTime(head.deadlineMs) }
  if (head.status === 'FanningOut') {
    const { remaining, distributed } = head
    return {
      tag: 'FanoutProgress',
      contents: { ...closed, remainingOutputs: remaining, distributedOutputs: distributed, mode: fanoutModeJson(head) }
    }
  }
  // Multi-step fanout shows how far it has come in 2.2 and 2.3 (after that in a state of its own); here it is one step.
  const progress = features.fanoutProgressInClosed ? { remainingFanoutOutputs: null, distributedFanoutOutputs: {} } : {}
  return { tag: 'Closed', contents: { ...closed, readyToFanoutSent: head.ready, ...progress } }
}

type HeadParameters = Pick<HeadIdentity, 'parties' | 'contestationPeriodMs'>

/** `parameters` of a head, or of the next one: the deposit period is one of them on master. */
export function headParametersJson(
  head: HeadParameters,
  { features, options }: Pick<ChainView, 'features' | 'options'>
): JsonValue {
  const { depositPeriodMs } = options.timings
  const contestationPeriodMs = contestationPeriodOf(head, options.timings.contestationPeriodMs)
  const depositPeriod = features.depositPeriodInParameters ? wholeSeconds(depositPeriodMs) : undefined
  return { contestationPeriod: wholeSeconds(contestationPeriodMs), parties: partiesJson(head.parties), depositPeriod }
}

function fanoutModeJson({ selection }: FanningOutHead): JsonValue {
  if (selection === 'all') return { tag: 'AutoDrain' }
  return selection === null ? { tag: 'AwaitingSelection' } : { tag: 'DistributingSelection', contents: selection }
}

function coordinatedState(head: OpenHead, confirmedSnapshot: JsonValue, party: PartyView): JsonValue {
  const { ledger } = party
  const allTxs: Record<string, JsonValue> = {}
  for (const tx of ledger.pendingTxs) allTxs[tx.txId] = tx.envelope
  return {
    localUTxO: ledger.local,
    localTxs: ledger.pendingTxs.map(({ envelope }) => envelope),
    allTxs,
    confirmedSnapshot,
    seenSnapshot: lastSeenJson(party),
    currentDepositTxId: head.deposit?.txId ?? null,
    decommitTx: head.decommit?.tx.envelope ?? null,
    version: head.version
  }
}

/** `checkpoint` of EventLogRotated: the node's whole state. Before 1.3 it has no time. */
export function checkpointJson(party: PartyView): JsonValue {
  const { chain } = party
  const { state } = party.runtime
  const headState = headStateJson(party)
  const pendingDeposits: Record<string, JsonValue> = {}
  for (const { txId, headId, deposited, createdMs, deadlineMs, status } of state.deposits) {
    pendingDeposits[txId] = { headId, deposited, created: utcTime(createdMs), deadline: utcTime(deadlineMs), status }
  }
  if (!chain.features.syncStatus) return { headState, pendingDeposits }
  const chainPointTime = {
    currentSlot: currentSlot(chain),
    currentChainTime: utcTime(chain.clock.now()),
    drift: state.driftSeconds
  }
  return { tag: state.synced ? 'NodeInSync' : 'NodeCatchingUp', headState, pendingDeposits, chainPointTime }
}
