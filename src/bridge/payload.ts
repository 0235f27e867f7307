import type {
  Host, LayerHeadStatus, LayerInput, MultiSignature, NetworkInfo, NodeEnvironment, Party, Snapshot, TransactionJson, UTxOObject
} from './shapes.js'
import { FIELDS } from './wire/fields.js'

export { LayerHeadStatus } from './shapes.js'
export type {
  ConfirmedSnapshot, HeadInfo, Host, LayerInput, MultiSignature, NetworkInfo, NodeEnvironment, Party, Protocol, RawProtocolParameters,
  Snapshot, SubmitL2TxResponse, TransactionJson, TxOutJson, UTxOObject, ValueJson, WireInteger
} from './shapes.js'

/** What every message carries. */
interface Base<Tag extends string> {
  tag: Tag
  /** ISO 8601. The node's own time where it sends one, else the time of arrival. */
  timestamp: string
  /** Grows with each stored message of a node, with gaps. Absent from messages that the node does not store. */
  seq?: number
}

/** A message about a head. */
interface OfHead<Tag extends string> extends Base<Tag> {
  headId: string
}

/** First message of a connection: where the head stands now. */
export interface GreetingsPayload extends Base<'Greetings'> {
  me: Party
  headStatus: LayerHeadStatus
  /** Absent while the node is idle. */
  layerHeadId?: string
  /** Latest confirmed outputs, those being committed included. Absent while idle and with `noSnapshotUtxo`. */
  snapshotUtxo?: UTxOObject
  layerNodeVersion?: string
  env?: NodeEnvironment
  networkInfo?: NetworkInfo
  /** Nodes from 1.3. */
  chainSyncedStatus?: 'InSync' | 'CatchingUp'
  /** Slot of the last block the node saw (nodes from 1.3). */
  currentSlot?: number
}

/** All parties have signed a snapshot: its transactions are final. */
export interface SnapshotConfirmedPayload extends OfHead<'SnapshotConfirmed'> {
  snapshot: Snapshot
  signatures: MultiSignature
}

/** The node's ledger took a transaction. Not yet a confirmation. */
export interface TxValidPayload extends OfHead<'TxValid'> {
  transactionId: string
  transaction: TransactionJson
}

/** The node's ledger refused a transaction. */
export interface TxInvalidPayload extends OfHead<'TxInvalid'> {
  transaction: TransactionJson
  validationError: { reason: string }
  utxo?: UTxOObject
}

/** The head is open. Nodes from 2.0 name the parties, older ones give the outputs it opens with. */
export interface HeadIsOpenPayload extends OfHead<'HeadIsOpen'> {
  parties?: Party[]
  utxo?: UTxOObject
}

/** The head is closed or its closing was contested. */
export interface HeadIsClosedPayload<Tag extends string = 'HeadIsClosed'> extends OfHead<Tag> {
  snapshotNumber: number
  /** ISO 8601, up to 12 fractional digits. */
  contestationDeadline: string
}

/** The head's last outputs are on chain; the node is idle again. */
export interface HeadIsFinalizedPayload extends OfHead<'HeadIsFinalized'> {
  utxo: UTxOObject
}

/** An input was not allowed in the head's state. Every client of the node sees it, whoever sent the input. */
export interface CommandFailedPayload extends Base<'CommandFailed'> {
  clientInput: LayerInput
  state?: unknown
}

/** An input was refused because the node has not caught up with the chain (nodes from 1.3). */
export interface RejectedInputBecauseUnsyncedPayload extends Base<'RejectedInputBecauseUnsynced'> {
  clientInput: LayerInput
  /** Seconds behind. */
  drift: number
}

/** An input was malformed or refused; only its sender sees this. */
export interface InvalidInputPayload extends Base<'InvalidInput'> {
  reason: string
  /** The input's own text. */
  input: string
}

/** Building or submitting a transaction on chain failed; often because another party was first. */
export interface PostTxOnChainFailedPayload extends Base<'PostTxOnChainFailed'> {
  postChainTx: { tag: string; [key: string]: unknown }
  postTxError: { tag: string; [key: string]: unknown }
}

/** Where the node stands on the chain. */
export interface SyncPayload<Tag extends string> extends Base<Tag> {
  chainSlot: number
  /** ISO 8601. */
  chainTime: string
  /** Seconds behind; may be fractional or negative. */
  drift: number
}

/** A deposit becomes usable, or cannot be taken any more. */
interface DepositPayload<Tag extends string> extends OfHead<Tag> {
  depositTxId: string
  /** ISO 8601. */
  deadline: string
  /** ISO 8601. */
  chainTime: string
}

/** A peer of the node came or went. */
interface PeerPayload<Tag extends string> extends Base<Tag> {
  peer: Host | string
}

/** A refused decommit says why. */
type DecommitInvalidReason =
  | { tag: 'DecommitTxInvalid'; localUTxO?: UTxOObject; validationError: { reason: string } }
  | { tag: 'DecommitAlreadyInFlight'; otherDecommitTxId: string }

/**
 * Every message a node sends, of all versions from 0.20 on, in one form. `switch (payload.tag)` narrows. At run time a newer node may
 * send tags that are not in here; {@link isKnownPayload} tells.
 */
export type LayerPayload =
  | GreetingsPayload
  | SnapshotConfirmedPayload
  | TxValidPayload
  | TxInvalidPayload
  | HeadIsOpenPayload
  | HeadIsClosedPayload
  | HeadIsClosedPayload<'HeadIsContested'>
  | HeadIsFinalizedPayload
  | CommandFailedPayload
  | RejectedInputBecauseUnsyncedPayload
  | InvalidInputPayload
  | PostTxOnChainFailedPayload
  | SyncPayload<'NodeSynced'>
  | SyncPayload<'NodeUnsynced'>
  | (SyncPayload<'SyncedStatusReport'> & { synced: 'InSync' | 'CatchingUp' })
  | DepositPayload<'DepositActivated'>
  | DepositPayload<'DepositExpired'>
  | Base<'NetworkConnected'>
  | Base<'NetworkDisconnected'>
  | OfHead<'ReadyToFanout'>
  | (OfHead<'HeadIsInitializing'> & { parties: Party[] })
  | (OfHead<'Committed'> & { party: Party; utxo: UTxOObject })
  | (OfHead<'HeadIsAborted'> & { utxo: UTxOObject })
  | (OfHead<'IgnoredHeadInitializing'> & { contestationPeriod: number; parties: Party[]; participants: string[] })
  | (OfHead<'HeadPartiallyFannedOut'> & {
    distributedUTxO: UTxOObject; remainingUTxO: UTxOObject; fanoutMode: 'AutoFanningOut' | 'AwaitingFanoutSelection'
  })
  | (OfHead<'CommitRecorded'> & { utxoToCommit: UTxOObject; pendingDeposit: string; deadline?: string })
  | (OfHead<'CommitApproved'> & { utxoToCommit: UTxOObject })
  | (OfHead<'CommitFinalized'> & { depositTxId: string })
  | (OfHead<'CommitRecovered'> & { recoveredUTxO: UTxOObject; recoveredTxId: string })
  | (OfHead<'CommitIgnored'> & { depositUTxO: UTxOObject[]; snapshotUTxO: UTxOObject | null })
  | (OfHead<'DecommitRequested'> & { decommitTx: TransactionJson; utxoToDecommit: UTxOObject })
  | (OfHead<'DecommitInvalid'> & { decommitTx: TransactionJson; decommitInvalidReason: DecommitInvalidReason })
  | (OfHead<'DecommitApproved'> & { decommitTxId: string; utxoToDecommit: UTxOObject })
  | (OfHead<'DecommitFinalized'> & { distributedUTxO?: UTxOObject; decommitTxId?: string })
  | (OfHead<'SnapshotSideLoaded'> & { snapshotNumber: number })
  | (OfHead<'GetUTxOResponse'> & { utxo: UTxOObject })
  | (Base<'EventLogRotated'> & { checkpoint?: unknown })
  | (Base<'SideLoadSnapshotRejected'> & { clientInput: LayerInput; requirementFailure: { tag: string; [key: string]: unknown } })
  | (Base<'NetworkVersionMismatch'> & { ourVersion: number; theirVersion: number | null })
  | (Base<'NetworkClusterIDMismatch'> & { clusterPeers: string; misconfiguredPeers: string })
  | PeerPayload<'PeerConnected'>
  | PeerPayload<'PeerDisconnected'>
  | (Base<'PeerHandshakeFailure'> & { remoteHost: Host | string; ourVersion: number; theirVersions: number[] })

/** Tag of a message. */
export type LayerHeadTag = LayerPayload['tag']

/** The message of a tag. */
export type PayloadOf<Tag extends LayerHeadTag> = Extract<LayerPayload, { tag: Tag }>

/** Tags of all known messages, e.g. `LayerHeadTag.TxValid === 'TxValid'`. */
export const LayerHeadTag: { readonly [Tag in LayerHeadTag]: Tag } = /* @__PURE__ */ namesOf(FIELDS)

function namesOf(fields: object): { readonly [Tag in LayerHeadTag]: Tag } {
  return Object.freeze(Object.fromEntries(Object.keys(fields).map((tag) => [tag, tag]))) as { readonly [Tag in LayerHeadTag]: Tag }
}

/**
 * Whether a message has a tag that this version of the package knows.
 *
 * @example
 * ```ts
 * import { isKnownPayload } from 'layer-sdk/bridge'
 * console.log(isKnownPayload({ tag: 'TxValid' }), isKnownPayload({ tag: 'Newer' })) // true false
 * ```
 */
export function isKnownPayload(payload: { readonly tag: string }): payload is LayerPayload {
  return Object.hasOwn(LayerHeadTag, payload?.tag)
}
