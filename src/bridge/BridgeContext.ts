import type { HeadState } from './head/reducer.js'
import type { Ask } from './connection/nodeRequests.js'
import type { Inbox } from './delivery/MessageDispatcher.js'
import type { LayerInput } from './protocol/types.js'
import type { TxTracker } from './submissions/TxTracker.js'
import type { VersionProfile } from './protocol/versions.js'

/** What the facade hands to the parts that do the operations. */
export interface BridgePorts {
  readonly ask: Ask
  readonly inbox: Inbox
  readonly tracker: TxTracker
  /** Whether the connector reaches every route of the node. */
  readonly allRoutes: boolean
  /** Whether snapshots of other addresses are left out. */
  readonly filtered: boolean
  connected(): boolean
  /** Sends an input now. @throws {@link NotConnectedError}; nothing is queued */
  send(input: LayerInput): void
  head(): HeadState
  profile(): VersionProfile
  /** Requests the head's state, to decide transactions that were refused or whose messages may have been missed. */
  reconcile(): void
  /** Runs a callback of the caller's; an error goes to `onHandlerError`. */
  guard(name: string, callback: () => unknown): void
}

/** What the facade itself can give; the rest comes with the operations. */
export type FacadePorts = Omit<BridgePorts, 'ask' | 'tracker' | 'profile'>
