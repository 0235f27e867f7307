import type { NodeAccess } from './connection/NodeAccess.js'
import type { Connection } from './connection/ReconnectingConnection.js'
import type { BridgeEmitter } from './delivery/events.js'
import type { Log } from './delivery/log.js'
import type { MessageDispatcher } from './delivery/MessageDispatcher.js'
import type { HeadModel } from './head/HeadModel.js'
import type { HeadSync } from './head/HeadSync.js'
import type { SnapshotCache } from './head/SnapshotCache.js'
import type { TxTracker } from './txs/TxTracker.js'
import type { VerifyingConnector } from './verification/VerifyingConnector.js'

/** The parts of one bridge. Each part declares the small interface that it needs. */
export interface BridgeContext {
  readonly node: NodeAccess
  readonly connection: Connection
  readonly log: Log
  readonly emitter: BridgeEmitter
  readonly dispatcher: MessageDispatcher
  readonly cache: SnapshotCache
  readonly model: HeadModel
  readonly tracker: TxTracker
  readonly sync: HeadSync
  /** The connector, with the option `verify`. */
  readonly verifier: VerifyingConnector | null
}
