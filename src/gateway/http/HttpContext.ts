import type { EdgeContext } from '../edge/EdgeContext.js'
import type { AnswerRoom } from './AnswerRoom.js'
import type { Proofs } from './Proofs.js'
import type { ServerConnections } from './ServerConnections.js'

/** Dependencies of the HTTP routes: those of the edges, and the bounds of responses. */
export interface HttpContext extends EdgeContext {
  /**
   * Names that the Host header of a request may have besides loopback names and IP addresses; null: any name, since
   * tokens are checked.
   */
  readonly hosts: readonly string[] | null
  readonly connections: ServerConnections
  /** Room for HTTP responses that have not left this process. */
  readonly room: AnswerRoom
  /** Null: the gateway serves no proofs. */
  readonly proofs: Proofs | null
}
