import type { NodeAccess } from '../connection/NodeAccess.js'
import type { MessageDispatcher } from '../delivery/MessageDispatcher.js'

/**
 * Parts of a bridge that its multi-step commands (initSync, decommit, recoverDeposit) use: the node, and its messages.
 */
export interface MoveContext extends NodeAccess {
  readonly dispatcher: MessageDispatcher
}
