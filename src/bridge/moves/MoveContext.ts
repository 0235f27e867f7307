import type { NodeAccess } from '../connection/NodeAccess.js'
import type { MessageDispatcher } from '../delivery/MessageDispatcher.js'

/** Needs of the moves: the node, and its messages. */
export interface MoveContext extends NodeAccess {
  readonly dispatcher: MessageDispatcher
}
