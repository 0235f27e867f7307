import type { Host, LayerHeadStatus, LayerInput, MultiSignature, NetworkInfo, NodeEnvironment, Party, Snapshot, TransactionJson, UTxOObject } from './types.js'
import { FIELDS } from './schemas.js'

export { LayerHeadStatus } from './types.js'
export type {
  ConfirmedSnapshot,
  HeadInfo,
  Host,
  LayerInput,
  MultiSignature,
  NetworkInfo,
  NodeEnvironment,
  Party,
  Protocol,
  RawProtocolParameters,
  Snapshot,
  SubmitL2TxResponse,
  TransactionJson,
  TxOutJson,
  UTxOObject,
  ValueJson,
  WireInteger
} from './types.js'

/** What every message carries. */
interface Base<Tag extends string> {
  /** Kind of the message; `switch (payload.tag)` narrows. */
  tag: Tag
  /** ISO 8601. The node's own time where it sends one, else the time of arrival. */
  timestamp: string
  /** Grows with each stored message of a node, with gaps. Absent from messages that the node does not store. */
  seq?: number
}

/** A message about a head. */
interface OfHead<Tag extends string> extends Base<Tag> {
  /** Id of the head: hex. */
  headId: string
}

/** First message of a connection: where the head stands now. */
export interface GreetingsPayload extends Base<'Greetings'> {
  /** The party that the node stands for. */
  me: Party
  /** State of the head. */
  headStatus: LayerHeadStatus
  /** Absent while the node is idle. */
  layerHeadId?: string
  /** Latest confirmed outputs, those being committed included. Absent while idle and with `noSnapshotUtxo`. */
  snapshotUtxo?: UTxOObject
  /** Version of the node, e.g. `'2.3.0-ca8d19b'`. */
  layerNodeVersion?: string
  /** How the node is set up (nodes from 1.0). */
  env?: NodeEnvironment
  /** Its network of peers (nodes from 1.0). */
  networkInfo?: NetworkInfo
  /** Nodes from 1.3. */
  chainSyncedStatus?: 'InSync' | 'CatchingUp'
  /** Slot of the last block the node saw (nodes from 1.3). */
  currentSlot?: number
}

/** All parties have signed a snapshot: its transactions are final. */
export interface SnapshotConfirmedPayload extends OfHead<'SnapshotConfirmed'> {
  /** The snapshot, with the transactions it confirms. */
  snapshot: Snapshot
  /** Signatures of all parties. */
  signatures: MultiSignature
}

/** The node's ledger took a transaction. Not yet a confirmation. */
export interface TxValidPayload extends OfHead<'TxValid'> {
  /** Transaction id: hex, 64 characters. */
  transactionId: string
  /** The transaction; old messages may carry its id alone. */
  transaction: TransactionJson
}

/** The node's ledger refused a transaction. */
export interface TxInvalidPayload extends OfHead<'TxInvalid'> {
  /** The transaction; old messages may carry its id alone. */
  transaction: TransactionJson
  /** Why: `reason` is the text of the node's ledger. */
  validationError: { reason: string }
  /** Outputs it was validated against. */
  utxo?: UTxOObject
}

/** The head is open. Nodes from 2.0 name the parties, older ones give the outputs it opens with. */
export interface HeadIsOpenPayload extends OfHead<'HeadIsOpen'> {
  /** The parties of the head (nodes from 2.0). */
  parties?: Party[]
  /** Outputs the head opens with (nodes before 2.0). */
  utxo?: UTxOObject
}

/** The head is closed or its closing was contested. */
export interface HeadIsClosedPayload<Tag extends string = 'HeadIsClosed'> extends OfHead<Tag> {
  /** Number of the snapshot that the head was closed or contested with. */
  snapshotNumber: number
  /** ISO 8601, up to 12 fractional digits. */
  contestationDeadline: string
}

/** The head's last outputs are on chain; the node is idle again. */
export interface HeadIsFinalizedPayload extends OfHead<'HeadIsFinalized'> {
  /** Outputs paid out on the base ledger. */
  utxo: UTxOObject
}

/** An input was not allowed in the head's state. Every client of the node sees it, whoever sent the input. */
export interface CommandFailedPayload extends Base<'CommandFailed'> {
  /** The input, as the node echoes it. */
  clientInput: LayerInput
  /** State of the node, in its own form. */
  state?: unknown
}

/** An input was refused because the node has not caught up with the chain (nodes from 1.3). */
export interface RejectedInputBecauseUnsyncedPayload extends Base<'RejectedInputBecauseUnsynced'> {
  /** The input, as the node echoes it. */
  clientInput: LayerInput
  /** Seconds behind. */
  drift: number
}

/** An input was malformed or refused; only its sender sees this. */
export interface InvalidInputPayload extends Base<'InvalidInput'> {
  /** Text of the node's decoder. */
  reason: string
  /** The input's own text. */
  input: string
}

/** Building or submitting a transaction on chain failed; often because another party was first. */
export interface PostTxOnChainFailedPayload extends Base<'PostTxOnChainFailed'> {
  /** What was to be posted: `tag` names it, e.g. `CollectComTx`. */
  postChainTx: { tag: string; [key: string]: unknown }
  /** Why it failed: `tag` names the error. */
  postTxError: { tag: string; [key: string]: unknown }
}

/** Where the node stands on the chain. */
export interface SyncPayload<Tag extends string> extends Base<Tag> {
  /** Slot of the last block the node saw. */
  chainSlot: number
  /** ISO 8601. */
  chainTime: string
  /** Seconds behind; may be fractional or negative. */
  drift: number
}

/** A deposit becomes usable, or cannot be taken any more. */
interface DepositPayload<Tag extends string> extends OfHead<Tag> {
  /** Transaction id of the deposit: hex, 64 characters. */
  depositTxId: string
  /** ISO 8601. */
  deadline: string
  /** ISO 8601. */
  chainTime: string
}

/** A peer of the node came or went. */
interface PeerPayload<Tag extends string> extends Base<Tag> {
  /** Address of the peer; a text from nodes up to 0.20. */
  peer: Host | string
}

/** Why a decommit was refused. */
type DecommitInvalidReason =
  /** Its transaction does not hold on `localUTxO`; `validationError.reason` is the text of the node's ledger. */
  | { tag: 'DecommitTxInvalid'; localUTxO?: UTxOObject; validationError: { reason: string } }
  /** The decommit with the transaction id `otherDecommitTxId` (hex) is not finished. */
  | { tag: 'DecommitAlreadyInFlight'; otherDecommitTxId: string }
  /** The deposit with the transaction id `depositTxId` (hex), of the outputs `commitUTxO`, is being taken in. */
  | { tag: 'DepositInFlight'; depositTxId: string; commitUTxO?: UTxOObject }

/**
 * Every message a node sends, of all versions from 0.20 on, in one form. `switch (payload.tag)` narrows. At run time a newer node may
 * send tags that are not in here; {@link isKnownPayload} tells. Members are typed as nodes send them. The bridge checks those that it uses
 * and passes the others on as they came: behind a proxy that alters messages, check a member before you rely on it.
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
  /** Regular report: `synced` says whether the node has caught up with the chain. */
  | (SyncPayload<'SyncedStatusReport'> & { synced: 'InSync' | 'CatchingUp' })
  | DepositPayload<'DepositActivated'>
  | DepositPayload<'DepositExpired'>
  | Base<'NetworkConnected'>
  | Base<'NetworkDisconnected'>
  | OfHead<'ReadyToFanout'>
  /** The `parties` may commit (nodes before 2.0). */
  | (OfHead<'HeadIsInitializing'> & { parties: Party[] })
  /** A `party` committed the outputs `utxo` (nodes before 2.0). */
  | (OfHead<'Committed'> & { party: Party; utxo: UTxOObject })
  /** The head was given up before it opened; `utxo` went back to its owners (nodes before 2.0). */
  | (OfHead<'HeadIsAborted'> & { utxo: UTxOObject })
  /** A head that is not this node's: its `contestationPeriod` (seconds), `parties`, and `participants` (key hashes on chain, hex). */
  | (OfHead<'IgnoredHeadInitializing'> & { contestationPeriod: number; parties: Party[]; participants: string[] })
  /** Some of the head's outputs are on the base ledger (nodes newer than 2.3.0). */
  | (OfHead<'HeadPartiallyFannedOut'> & {
      /** Outputs that are on the base ledger. */
      distributedUTxO: UTxOObject
      /** Outputs that are not there yet. */
      remainingUTxO: UTxOObject
      /** Whether the node goes on by itself, or waits for `partialFanout` or `fanout`. */
      fanoutMode: 'AutoFanningOut' | 'AwaitingFanoutSelection'
    })
  /** A deposit of `utxoToCommit` is on chain: `pendingDeposit` is its transaction id, `deadline` (ISO 8601) when it can be recovered. */
  | (OfHead<'CommitRecorded'> & { utxoToCommit: UTxOObject; pendingDeposit: string; deadline?: string })
  /** All parties have signed the snapshot that adds `utxoToCommit`. */
  | (OfHead<'CommitApproved'> & { utxoToCommit: UTxOObject })
  /** The outputs of the deposit `depositTxId` (hex, 64 characters) are in the head. */
  | (OfHead<'CommitFinalized'> & { depositTxId: string })
  /** The deposit `recoveredTxId` (hex, 64 characters) was undone: `recoveredUTxO` is back on the base ledger. */
  | (OfHead<'CommitRecovered'> & { recoveredUTxO: UTxOObject; recoveredTxId: string })
  /** A commit was left aside: the deposits at hand (`depositUTxO`) are not what the snapshot adds (`snapshotUTxO`). */
  | (OfHead<'CommitIgnored'> & { depositUTxO: UTxOObject[]; snapshotUTxO: UTxOObject | null })
  /** `decommitTx` asks to take its outputs, `utxoToDecommit`, out of the head. */
  | (OfHead<'DecommitRequested'> & { decommitTx: TransactionJson; utxoToDecommit: UTxOObject })
  /** `decommitTx` was refused; `decommitInvalidReason` says why. */
  | (OfHead<'DecommitInvalid'> & { decommitTx: TransactionJson; decommitInvalidReason: DecommitInvalidReason })
  /** All parties agree to take `utxoToDecommit` out; `decommitTxId`: hex, 64 characters. */
  | (OfHead<'DecommitApproved'> & { decommitTxId: string; utxoToDecommit: UTxOObject })
  /** The outputs are on the base ledger: `distributedUTxO` from newer nodes, `decommitTxId` from older ones. */
  | (OfHead<'DecommitFinalized'> & { distributedUTxO?: UTxOObject; decommitTxId?: string })
  /** The node took over the snapshot `snapshotNumber` that it was given. */
  | (OfHead<'SnapshotSideLoaded'> & { snapshotNumber: number })
  /** Answer to the input GetUTxO: the confirmed outputs, `utxo`. */
  | (OfHead<'GetUTxOResponse'> & { utxo: UTxOObject })
  /** The node's log starts anew from `checkpoint`, a state in the node's own form. */
  | (Base<'EventLogRotated'> & { checkpoint?: unknown })
  /** A snapshot was not taken over: `clientInput` is the input, the `tag` of `requirementFailure` the reason. */
  | (Base<'SideLoadSnapshotRejected'> & { clientInput: LayerInput; requirementFailure: { tag: string; [key: string]: unknown } })
  /** A peer speaks another version of the node's network: `ourVersion` and `theirVersion`, null when unknown. */
  | (Base<'NetworkVersionMismatch'> & { ourVersion: number; theirVersion: number | null })
  /** Peers are set up differently: `clusterPeers` is what the network has, `misconfiguredPeers` what this node was given. */
  | (Base<'NetworkClusterIDMismatch'> & { clusterPeers: string; misconfiguredPeers: string })
  | PeerPayload<'PeerConnected'>
  | PeerPayload<'PeerDisconnected'>
  /** The peer at `remoteHost` speaks `theirVersions`, this node `ourVersion`. */
  | (Base<'PeerHandshakeFailure'> & { remoteHost: Host | string; ourVersion: number; theirVersions: number[] })

/** Tag of a message. */
export type LayerHeadTag = LayerPayload['tag']

/** The message of a tag: the arm of {@link LayerPayload} with that `tag`. */
export type PayloadOf<Tag extends LayerHeadTag> = Extract<LayerPayload, { tag: Tag }>

/** Tags of all known messages, e.g. `LayerHeadTag.TxValid === 'TxValid'`. */
export const LayerHeadTag: { readonly [Tag in LayerHeadTag]: Tag } = /* @__PURE__ */ namesOf(FIELDS)

function namesOf(fields: object): { readonly [Tag in LayerHeadTag]: Tag } {
  return Object.freeze(Object.fromEntries(Object.keys(fields).map((tag) => [tag, tag]))) as { readonly [Tag in LayerHeadTag]: Tag }
}

/**
 * Whether a message has a `tag` that this version of the package knows.
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
