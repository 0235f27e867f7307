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

/**
 * The parts that make up one bridge (connection, cache, tracker, ...). Each part declares which few of them it needs.
 */
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
  /** The verifying connector with the option `verify`; null without it. */
  readonly verifier: VerifyingConnector | null
}
