import type { LayerHeadTag } from '../payload.js'

const DEPOSIT = 'headId:s depositTxId:s deadline:s chainTime:s'
const SYNC = 'chainSlot:n chainTime:s drift:d'
const DEADLINE = 'headId:s snapshotNumber:n contestationDeadline:s'

/** Fields of every known message after normalisation; `checkFields` explains the letters. */
export const FIELDS: Readonly<Record<LayerHeadTag, string>> = {
  Greetings: 'me:p headStatus:s layerHeadId:s? snapshotUtxo:o? layerNodeVersion:s? env:o? networkInfo:o? chainSyncedStatus:s? currentSlot:n?',
  SnapshotConfirmed: 'headId:s snapshot:o signatures:m',
  TxValid: 'headId:s transactionId:s transaction:t',
  TxInvalid: 'headId:s transaction:t validationError:r utxo:o?',
  HeadIsOpen: 'headId:s parties:[p]? utxo:o?',
  HeadIsClosed: DEADLINE,
  HeadIsContested: DEADLINE,
  HeadIsFinalized: 'headId:s utxo:o',
  HeadIsInitializing: 'headId:s parties:[p]',
  HeadIsAborted: 'headId:s utxo:o',
  Committed: 'headId:s party:p utxo:o',
  IgnoredHeadInitializing: 'headId:s contestationPeriod:n parties:[p] participants:[s]',
  ReadyToFanout: 'headId:s',
  HeadPartiallyFannedOut: 'headId:s distributedUTxO:o remainingUTxO:o fanoutMode:s',
  CommandFailed: 'clientInput:i',
  RejectedInputBecauseUnsynced: 'clientInput:i drift:d',
  SideLoadSnapshotRejected: 'clientInput:i requirementFailure:g',
  InvalidInput: 'reason:s input:s',
  PostTxOnChainFailed: 'postChainTx:g postTxError:g',
  NodeSynced: SYNC,
  NodeUnsynced: SYNC,
  SyncedStatusReport: `${SYNC} synced:s`,
  CommitRecorded: 'headId:s utxoToCommit:o pendingDeposit:s deadline:s?',
  DepositActivated: DEPOSIT,
  DepositExpired: DEPOSIT,
  CommitApproved: 'headId:s utxoToCommit:o',
  CommitFinalized: 'headId:s depositTxId:s',
  CommitRecovered: 'headId:s recoveredUTxO:o recoveredTxId:s',
  CommitIgnored: 'headId:s depositUTxO:[o] snapshotUTxO:o0',
  DecommitRequested: 'headId:s decommitTx:t utxoToDecommit:o',
  DecommitInvalid: 'headId:s decommitTx:t decommitInvalidReason:g',
  DecommitApproved: 'headId:s decommitTxId:s utxoToDecommit:o',
  DecommitFinalized: 'headId:s distributedUTxO:o? decommitTxId:s?',
  SnapshotSideLoaded: 'headId:s snapshotNumber:n',
  GetUTxOResponse: 'headId:s utxo:o',
  EventLogRotated: '',
  NetworkConnected: '',
  NetworkDisconnected: '',
  NetworkVersionMismatch: 'ourVersion:n theirVersion:n0',
  NetworkClusterIDMismatch: 'clusterPeers:s misconfiguredPeers:s',
  PeerConnected: 'peer:h',
  PeerDisconnected: 'peer:h',
  PeerHandshakeFailure: 'remoteHost:h ourVersion:n theirVersions:[n]'
}
