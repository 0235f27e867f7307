import type { LayerHeadTag } from './messages.js'

/**
 * Members of every known message, after normalisation, that the bridge itself uses: a message without an essential one is refused.
 * Whatever else a node sends is passed on unchecked, so that a proxy which leaves something out costs no message. `x?` only removes null.
 * `checkFields` explains the letters.
 */
export const FIELDS: Readonly<Record<LayerHeadTag, string>> = {
  Greetings: 'headStatus:s layerHeadId:s? snapshotUtxo:o? layerNodeVersion:s? env:x? networkInfo:x? chainSyncedStatus:s? currentSlot:n?',
  SnapshotConfirmed: 'headId:s snapshot:o',
  TxValid: 'transactionId:s transaction:t',
  TxInvalid: 'transaction:t validationError:r utxo:x?',
  HeadIsOpen: 'headId:s parties:x? utxo:o?',
  HeadIsClosed: 'headId:s',
  HeadIsContested: 'headId:s',
  HeadIsFinalized: 'headId:s',
  HeadIsInitializing: 'headId:s',
  HeadIsAborted: 'headId:s',
  Committed: '',
  IgnoredHeadInitializing: '',
  ReadyToFanout: 'headId:s',
  HeadPartiallyFannedOut: 'headId:s',
  CommandFailed: 'clientInput:i',
  RejectedInputBecauseUnsynced: 'clientInput:i',
  SideLoadSnapshotRejected: 'clientInput:i',
  InvalidInput: 'reason:s input:s',
  PostTxOnChainFailed: '',
  NodeSynced: '',
  NodeUnsynced: '',
  SyncedStatusReport: 'synced:s',
  CommitRecorded: 'deadline:x?',
  DepositActivated: '',
  DepositExpired: '',
  CommitApproved: '',
  CommitFinalized: '',
  CommitRecovered: '',
  CommitIgnored: 'snapshotUTxO:x0',
  DecommitRequested: 'decommitTx:t?',
  DecommitInvalid: 'decommitTx:t?',
  DecommitApproved: '',
  DecommitFinalized: 'distributedUTxO:x? decommitTxId:x?',
  SnapshotSideLoaded: 'headId:s? snapshotNumber:n?',
  GetUTxOResponse: '',
  EventLogRotated: '',
  NetworkConnected: '',
  NetworkDisconnected: '',
  NetworkVersionMismatch: 'theirVersion:x0',
  NetworkClusterIDMismatch: '',
  PeerConnected: '',
  PeerDisconnected: '',
  PeerHandshakeFailure: ''
}
