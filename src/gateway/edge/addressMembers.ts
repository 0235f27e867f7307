import { getOwn, isRecord } from '../../bridge/inner.js'
import { parseJson, stringifyJson } from '../../codec/json.js'
import type { Narrow } from './narrow.js'
import {
  hex,
  ID,
  narrowList,
  members,
  NUMBER,
  narrowOneOf,
  ownOnly,
  TEXT,
  TIME,
  TRANSACTION,
  UTXO,
  VERSION,
  WORD
} from './narrow.js'

const PARTY = members({ vkey: hex(64) })
const PARTIES = narrowList(PARTY)
const PEER = narrowOneOf(members({ hostname: TEXT, port: NUMBER }), TEXT)
const SIGNATURES = members({ multiSignature: narrowList(hex(128)) })
/** Every message may have these. */
const COMMON = { headId: ID, seq: NUMBER, timestamp: TIME }
const CLOSING = { snapshotNumber: NUMBER, contestationDeadline: TIME }
const CHAIN_POSITION = { chainSlot: NUMBER, chainTime: TIME, drift: NUMBER }
const DEPOSIT = { depositTxId: ID, deadline: TIME, chainTime: TIME }
const REASON = ownOnly(narrowOneOf(members({ reason: TEXT }), TEXT))
const INPUT = members({ transaction: TRANSACTION, decommitTx: TRANSACTION, recoverTxId: ID })

/** Writes the text of an input again, from the members that may be seen. */
const INPUT_TEXT: Narrow = (value, viewer) => {
  if (typeof value !== 'string') return undefined
  try {
    const input = parseJson(value)
    return isRecord(input) && typeof getOwn(input, 'tag') === 'string' ? stringifyJson(INPUT(input, viewer)) : ''
  } catch {
    return ''
  }
}

/** SnapshotConfirmed besides its snapshot. */
export const SNAPSHOT_MESSAGE: Narrow = members({ ...COMMON, signatures: SIGNATURES })
/** A snapshot besides its transactions and outputs. */
export const SNAPSHOT_FIELDS: Narrow = members({
  headId: ID,
  version: NUMBER,
  number: NUMBER,
  accumulator: ID,
  appliedAccumulator: ID,
  utxoHash: ID,
  depositTxId: ID
})

/** Members of Greetings that a client of mode `address` receives; all others are dropped. */
export const GREETINGS: Narrow = members({
  ...COMMON,
  me: PARTY,
  headStatus: WORD,
  hydraHeadId: ID,
  hydraNodeVersion: VERSION,
  chainSyncedStatus: WORD,
  currentSlot: NUMBER
})

/**
 * The messages that clients of mode `address` receive, each with the members that they may see. A tag or a member that
 * is not here stays in the gateway: a newer node may put outputs of others there. SnapshotConfirmed and Greetings are
 * composed apart.
 */
const MESSAGES: ReadonlyMap<string, Narrow> = new Map(
  Object.entries({
    TxValid: { transactionId: ID, transaction: TRANSACTION },
    TxInvalid: { transactionId: ID, transaction: TRANSACTION, validationError: REASON, utxo: UTXO },
    HeadIsOpen: { parties: PARTIES, utxo: UTXO },
    HeadIsClosed: CLOSING,
    HeadIsContested: CLOSING,
    ReadyToFanout: {},
    HeadPartiallyFannedOut: { distributedUTxO: UTXO, remainingUTxO: UTXO, fanoutMode: WORD },
    HeadIsFinalized: { utxo: UTXO, finalizedUTxO: UTXO },
    HeadIsInitializing: { parties: PARTIES },
    Committed: { party: PARTY, utxo: UTXO },
    HeadIsAborted: { utxo: UTXO },
    IgnoredHeadInitializing: { contestationPeriod: NUMBER, parties: PARTIES, participants: narrowList(hex(64)) },
    CommandFailed: { clientInput: INPUT },
    RejectedInputBecauseUnsynced: { clientInput: INPUT, drift: NUMBER },
    RejectedInputBecauseBroadcastStalled: { clientInput: INPUT },
    SideLoadSnapshotRejected: { clientInput: INPUT, requirementFailure: members({}) },
    InvalidInput: { reason: TEXT, input: INPUT_TEXT, txId: ID },
    PostTxOnChainFailed: { postChainTx: members({}), postTxError: members({}) },
    NodeSynced: CHAIN_POSITION,
    NodeUnsynced: CHAIN_POSITION,
    SyncedStatusReport: { ...CHAIN_POSITION, synced: WORD },
    CommitRecorded: { utxoToCommit: UTXO, pendingDeposit: ID, deadline: TIME },
    DepositActivated: DEPOSIT,
    DepositExpired: DEPOSIT,
    CommitApproved: { utxoToCommit: UTXO },
    CommitFinalized: { depositTxId: ID, theDeposit: ID },
    CommitRecovered: { recoveredUTxO: UTXO, recoveredTxId: ID },
    CommitIgnored: { depositUTxO: narrowList(UTXO), snapshotUTxO: UTXO },
    DecommitRequested: { decommitTx: TRANSACTION, utxoToDecommit: UTXO },
    DecommitInvalid: {
      decommitTx: TRANSACTION,
      decommitInvalidReason: members({ localUTxO: UTXO, validationError: REASON, otherDecommitTxId: ID })
    },
    DecommitApproved: { decommitTxId: ID, utxoToDecommit: UTXO },
    DecommitFinalized: { distributedUTxO: UTXO, decommitTxId: ID, finalizedDecommitTxId: ID },
    SnapshotSideLoaded: { snapshotNumber: NUMBER },
    GetUTxOResponse: { utxo: UTXO },
    EventLogRotated: {},
    NetworkConnected: {},
    NetworkDisconnected: {},
    NetworkVersionMismatch: { ourVersion: NUMBER, theirVersion: NUMBER },
    NetworkClusterIDMismatch: { clusterPeers: TEXT, misconfiguredPeers: TEXT },
    NetworkBroadcastStalled: { pendingBroadcasts: NUMBER },
    NetworkBroadcastResumed: {},
    PeerConnected: { peer: PEER },
    PeerDisconnected: { peer: PEER },
    PeerHandshakeFailure: { remoteHost: PEER, ourVersion: NUMBER, theirVersions: narrowList(NUMBER) }
  } satisfies Record<string, Record<string, Narrow>>).map(([tag, list]) => [tag, members({ ...COMMON, ...list })])
)

/**
 * Returns the rule for the members of a message that clients of mode `address` may see; undefined for a tag that they
 * do not receive.
 */
export function membersOf(tag: string): Narrow | undefined {
  return MESSAGES.get(tag)
}
