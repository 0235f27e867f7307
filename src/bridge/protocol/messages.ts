import type { Flat } from './fields.js'
import { MESSAGES } from './messageTable.js'
import type { MessageFields, MessageTag } from './messageTable.js'

export { LayerHeadStatus } from './types.js'
export type {
  ConfirmedSnapshot,
  DecommitInvalidReason,
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
  SnapshotDelta,
  SubmitL2TxResponse,
  TransactionJson,
  TxOutJson,
  UTxOObject,
  ValueJson,
  WireInteger
} from './types.js'

/** Members of every message. */
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

/** First message of a connection: the present state of the head. */
export interface GreetingsPayload extends Base<'Greetings'>, MessageFields<'Greetings'> {}

/** All parties have signed a snapshot: its transactions are final. */
export interface SnapshotConfirmedPayload extends OfHead<'SnapshotConfirmed'>, MessageFields<'SnapshotConfirmed'> {}

/** The node's ledger accepted a transaction. Not yet a confirmation. */
export interface TxValidPayload extends OfHead<'TxValid'>, MessageFields<'TxValid'> {}

/** The node's ledger refused a transaction. */
export interface TxInvalidPayload extends OfHead<'TxInvalid'>, MessageFields<'TxInvalid'> {}

/** The head is open. Nodes from 2.0 name the parties, older ones give the outputs it opens with. */
export interface HeadIsOpenPayload extends OfHead<'HeadIsOpen'>, MessageFields<'HeadIsOpen'> {}

/** The head is closed or its closing was contested. */
export interface HeadIsClosedPayload<Tag extends string = 'HeadIsClosed'>
  extends OfHead<Tag>, MessageFields<'HeadIsClosed'> {}

/** The head's last outputs are on chain; the node is idle again. */
export interface HeadIsFinalizedPayload extends OfHead<'HeadIsFinalized'>, MessageFields<'HeadIsFinalized'> {}

/** An input was not allowed in the head's state. Every client of the node sees it, whoever sent the input. */
export interface CommandFailedPayload extends Base<'CommandFailed'>, MessageFields<'CommandFailed'> {}

/** An input was refused because the node has not caught up with the chain (nodes from 1.3). */
export interface RejectedInputBecauseUnsyncedPayload
  extends Base<'RejectedInputBecauseUnsynced'>, MessageFields<'RejectedInputBecauseUnsynced'> {}

/** A transaction or decommit was refused because the node cannot reach its peers (nodes after 2.4.1). */
export interface RejectedInputBecauseBroadcastStalledPayload
  extends Base<'RejectedInputBecauseBroadcastStalled'>, MessageFields<'RejectedInputBecauseBroadcastStalled'> {}

/** An input was malformed or refused; only its sender sees this. */
export interface InvalidInputPayload extends Base<'InvalidInput'>, MessageFields<'InvalidInput'> {}

/** Building or submitting a transaction on chain failed; often because another party was first. */
export interface PostTxOnChainFailedPayload extends Base<'PostTxOnChainFailed'>, MessageFields<'PostTxOnChainFailed'> {}

/** Position of the node on the chain. */
export interface SyncPayload<Tag extends string> extends Base<Tag>, MessageFields<'NodeSynced'> {}

/**
 * The payload of each message: its members in the table of messages, the members of every message, and its `headId`
 * when it is about a head.
 */
type Payloads = {
  [Tag in MessageTag]: Flat<
    ((typeof MESSAGES)[Tag] extends { headId: string } ? OfHead<Tag> : Base<Tag>) & MessageFields<Tag>
  >
}

/**
 * Every message a node sends, of all versions from 0.20 on, in one form. `switch (payload.tag)` narrows; `timestamp` is
 * the node's own time where it sends one, else the time of arrival (ISO 8601); `seq` grows with each stored message,
 * with gaps. At run time a newer node may send tags that are not in here; {@link isKnownPayload} shows which. Members
 * are typed as nodes send them. The bridge checks those that it uses and passes the others on as they came: behind a
 * proxy that alters messages, check a member before you rely on it.
 *
 * @see docs/protocol.md, messages: the meaning of each, and the versions that send it.
 */
export type LayerPayload = Payloads[MessageTag]

/** Tag of a message. */
export type LayerHeadTag = LayerPayload['tag']

/** The message of a tag: the arm of {@link LayerPayload} with that `tag`. */
export type PayloadOf<Tag extends LayerHeadTag> = Extract<LayerPayload, { tag: Tag }>

/** Tags of all known messages, e.g. `LayerHeadTag.TxValid === 'TxValid'`. */
export const LayerHeadTag: { readonly [Tag in LayerHeadTag]: Tag } = /* @__PURE__ */ namesOf(MESSAGES)

function namesOf(table: object): { readonly [Tag in LayerHeadTag]: Tag } {
  return Object.freeze(Object.fromEntries(Object.keys(table).map((tag) => [tag, tag]))) as {
    readonly [Tag in LayerHeadTag]: Tag
  }
}

/**
 * True when a message has a `tag` that this version of the package knows.
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
