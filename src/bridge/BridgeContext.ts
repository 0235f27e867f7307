import type { Connector } from './connection/Connector.js'
import type { SendNodeRequest } from './connection/nodeRequests.js'
import type { Connection } from './connection/ReconnectingConnection.js'
import type { Lifetimes } from './connection/Lifetimes.js'
import type { BridgeEmitter } from './delivery/events.js'
import type { Log } from './delivery/log.js'
import type { MessageDispatcher } from './delivery/MessageDispatcher.js'
import type { HeadModel } from './head/HeadModel.js'
import type { HeadSync } from './head/HeadSync.js'
import type { HeadState } from './head/reducer.js'
import type { SnapshotCache } from './head/SnapshotCache.js'
import type { LayerInput } from './protocol/types.js'
import type { VersionProfile } from './protocol/versions.js'
import type { TxTracker } from './txs/TxTracker.js'
import type { VerifyingConnector } from './verification/VerifyingConnector.js'

/** What the parts of one bridge share. A part that needs less takes a `Pick` of it. */
export interface BridgeContext {
  readonly connector: Connector
  readonly connection: Connection
  readonly lifetimes: Lifetimes
  readonly log: Log
  readonly emitter: BridgeEmitter
  readonly dispatcher: MessageDispatcher
  readonly cache: SnapshotCache
  readonly model: HeadModel
  readonly tracker: TxTracker
  readonly sync: HeadSync
  /** The connector, with the option `verify`. */
  readonly verifier: VerifyingConnector | null
  /** Makes an HTTP request to the node and decodes the reply. */
  readonly requestNode: SendNodeRequest
  connected(): boolean
  /** Sends an input now. @throws {@link NotConnectedError}; nothing is queued */
  send(input: LayerInput): void
  head(): HeadState
  /** What the node's version can do. */
  profile(): VersionProfile
  /** Requests the head's state, to decide transactions that were refused or whose messages may have been missed. */
  reconcile(): void
  /** Ends the bridge's own requests: with the connection, or with `disconnect()` while there is none. */
  session(): AbortSignal
}
