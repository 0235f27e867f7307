import { decodeTransactionBody } from '../../codec/transactionBody.js'
import { readTransaction, toTransactionBytes, transactionId } from '../../codec/transaction.js'
import { utxoToJson } from '../../bridge/inner.js'
import { isRecord } from '../../codec/record.js'

type Json = Readonly<Record<string, unknown>>

/** Tag of a message, and the function that makes its members from a change; null: the change lacks a member. */
type Row = readonly [tag: string, members: (change: Json) => Json | null]

const named =
  (...names: readonly string[]) =>
  (change: Json): Json =>
    Object.fromEntries(names.filter((name) => name in change).map((name) => [name, change[name]]))

const same = (tag: string, ...names: readonly string[]): readonly [string, Row] => [tag, [tag, named(...names)]]

/** Returns the members of a change of a deposit, some of which stand within `deposit`. */
const ofDeposit = (change: Json): Json => ({
  ...(isRecord(change['deposit']) ? named('headId', 'deadline')(change['deposit']) : {}),
  ...named('headId', 'depositTxId', 'chainTime', 'deadline')(change)
})

/**
 * Changes of a node's state, each with the message that the API makes of it:
 * hydra-node/src/Hydra/API/Server.hs@ca8d19bca, mapStateChangedToServerOutput; with the names from before 2.0.
 */
const ROWS: ReadonlyMap<string, Row> = new Map([
  ['HeadInitialized', ['HeadIsInitializing', named('headId', 'parties')]],
  [
    'CommittedUTxO',
    ['Committed', (change) => ({ ...named('headId', 'party')(change), utxo: change['committedUTxO'] })]
  ],
  [
    'HeadOpened',
    [
      'HeadIsOpen',
      (change) => ({
        ...named('headId', 'parties')(change),
        ...('initialUTxO' in change ? { utxo: change['initialUTxO'] } : {})
      })
    ]
  ],
  ['HeadAborted', ['HeadIsAborted', named('headId', 'utxo')]],
  ['HeadClosed', ['HeadIsClosed', named('headId', 'snapshotNumber', 'contestationDeadline')]],
  ['HeadContested', ['HeadIsContested', named('headId', 'snapshotNumber', 'contestationDeadline')]],
  ['HeadIsReadyToFanout', ['ReadyToFanout', named('headId')]],
  [
    'HeadFannedOut',
    [
      'HeadIsFinalized',
      (change) => ({ ...named('headId')(change), finalizedUTxO: change['finalizedOutputs'] ?? change['utxo'] ?? {} })
    ]
  ],
  ['HeadPartialFannedOut', ['HeadPartiallyFannedOut', ofPartialFanout]],
  [
    'TransactionAppliedToLocalUTxO',
    [
      'TxValid',
      (change) => ({
        ...named('headId')(change),
        transactionId: isRecord(change['tx']) ? change['tx']['txId'] : change['tx']
      })
    ]
  ],
  same('TxInvalid', 'headId', 'utxo', 'transaction', 'validationError'),
  same('IgnoredHeadInitializing', 'headId', 'contestationPeriod', 'parties', 'participants'),
  [
    'DecommitRecorded',
    [
      'DecommitRequested',
      (change) => ({
        ...named('headId', 'decommitTx')(change),
        utxoToDecommit: change['utxoToDecommit'] ?? outputsOf(change['decommitTx'])
      })
    ]
  ],
  same('DecommitInvalid', 'headId', 'decommitTx', 'decommitInvalidReason'),
  same('DecommitApproved', 'headId', 'decommitTxId', 'utxoToDecommit'),
  same('DecommitFinalized', 'headId', 'decommitTxId', 'distributedUTxO'),
  [
    'DepositRecorded',
    [
      'CommitRecorded',
      (change) => ({
        ...named('headId', 'deadline')(change),
        utxoToCommit: change['deposited'],
        pendingDeposit: change['depositTxId']
      })
    ]
  ],
  same('CommitRecorded', 'headId', 'utxoToCommit', 'pendingDeposit', 'deadline'),
  ['DepositActivated', ['DepositActivated', ofDeposit]],
  ['DepositExpired', ['DepositExpired', ofDeposit]],
  [
    'DepositRecovered',
    [
      'CommitRecovered',
      (change) => ({
        ...named('headId')(change),
        recoveredTxId: change['depositTxId'],
        recoveredUTxO: change['recovered']
      })
    ]
  ],
  same('CommitRecovered', 'headId', 'recoveredTxId', 'recoveredUTxO'),
  same('CommitApproved', 'headId', 'utxoToCommit'),
  [
    'CommitFinalized',
    [
      'CommitFinalized',
      (change) => ({ ...named('headId')(change), depositTxId: change['depositTxId'] ?? change['theDeposit'] })
    ]
  ],
  same('NetworkConnected'),
  same('NetworkDisconnected'),
  same('NetworkVersionMismatch', 'ourVersion', 'theirVersion'),
  same('NetworkClusterIDMismatch', 'clusterPeers', 'misconfiguredPeers'),
  same('PeerConnected', 'peer'),
  same('PeerDisconnected', 'peer'),
  ['LocalStateCleared', ['SnapshotSideLoaded', named('headId', 'snapshotNumber')]],
  ['Checkpoint', ['EventLogRotated', (change) => ({ checkpoint: change['state'] })]],
  same('NodeUnsynced', 'chainSlot', 'chainTime', 'drift'),
  same('NodeSynced', 'chainSlot', 'chainTime', 'drift')
] satisfies readonly (readonly [string, Row])[])

/** Changes for which the API sends no message. */
const SILENT: ReadonlySet<string> = new Set([
  'HeadFanoutInitiated',
  'HeadPartialFanoutSelected',
  'HeadFanoutReverted',
  'TransactionReceived',
  'SnapshotRequested',
  'SnapshotRequestDecided',
  'PartySignedSnapshot',
  'ChainRolledBack',
  'TickObserved'
])

/**
 * Result for a change: its message; `silent`: the API sends none; `unknown`: the change is not known; `incomplete`: its
 * message cannot be made, for instance because the log lacks the request of a confirmed snapshot.
 */
export type ToldChange = { readonly message: Json } | 'silent' | 'unknown' | 'incomplete'

/**
 * Turns changes of a node's state into the messages that its API sends for them. A log states the content of a snapshot
 * only in the request for it, so the newest request is remembered.
 */
export class StateChanges {
  #requested: unknown = null

  /** Returns the message of a change, without `seq` and `timestamp`. */
  read(change: Json): ToldChange {
    const tag = String(change['tag'])
    if (tag === 'SnapshotRequested') this.#requested = change['requestedSnapshot'] ?? change['snapshot'] ?? null
    if (SILENT.has(tag)) return 'silent'
    if (tag === 'SnapshotConfirmed') return this.#confirmed(change)
    const row = ROWS.get(tag)
    if (row === undefined) return 'unknown'
    const members = row[1](change)
    return members === null ? 'incomplete' : { message: { tag: row[0], ...members } }
  }

  #confirmed(change: Json): ToldChange {
    const snapshot = change['snapshot'] ?? this.#requested
    this.#requested = null
    if (!isRecord(snapshot)) return 'incomplete'
    return { message: { tag: 'SnapshotConfirmed', ...named('headId', 'signatures')(change), snapshot } }
  }
}

function ofPartialFanout(change: Json): Json {
  const { mode } = change
  const name = isRecord(mode) ? mode['tag'] : mode
  return {
    ...named('headId')(change),
    distributedUTxO: change['distributedOutputs'],
    remainingUTxO: change['remainingOutputs'],
    fanoutMode: name === undefined || name === 'AwaitingSelection' ? 'AwaitingFanoutSelection' : 'AutoFanningOut'
  }
}

/** Returns the outputs of a transaction in the node's form; none where the transaction cannot be read. */
function outputsOf(transaction: unknown): Json {
  const cborHex = isRecord(transaction) ? transaction['cborHex'] : undefined
  if (typeof cborHex !== 'string') return {}
  try {
    const spans = readTransaction(toTransactionBytes(cborHex))
    const txHash = transactionId(spans)
    const outputs = decodeTransactionBody(spans).outputs
    return utxoToJson(outputs.map((output, index) => ({ input: { txHash, index }, output }))) as unknown as Json
  } catch {
    return {}
  }
}
