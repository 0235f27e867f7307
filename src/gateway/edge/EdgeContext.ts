import type { IncomingMessage } from 'node:http'
import type { RateLimiter } from '../access/RateLimiter.js'
import type { Authenticator } from '../access/types.js'
import type { Connections } from '../access/Connections.js'
import type { AnswerRoom } from '../http/AnswerRoom.js'
import type { ServerConnections } from '../http/ServerConnections.js'
import type { Proofs } from '../http/Proofs.js'
import type { GatewayLimits } from '../limits.js'
import type { Metrics } from '../Metrics.js'
import type { Polls } from './Polls.js'

/** What the edges of all heads share. */
export interface EdgeContext {
  readonly authenticator: Authenticator
  readonly limits: GatewayLimits
  readonly limiter: RateLimiter
  readonly metrics: Metrics
  readonly origins: readonly string[]
  /**
   * Names that the Host of a request may have besides this machine and addresses; null: any, for tokens are checked.
   */
  readonly hosts: readonly string[] | null
  readonly connections: ServerConnections
  /** Answers over HTTP that have not left. */
  readonly room: AnswerRoom
  /** Answers to polls that have not left. */
  readonly polls: Polls
  /** Sessions of sockets, joined or not. */
  readonly sessions: Connections
  /** Null: none are served. */
  readonly proofs: Proofs | null
  /** Address of a client that limits count: `ip ` and the address, or its network. */
  ipOf(request: IncomingMessage): string
  /** Whether nobody is taken in any more. */
  closing(): boolean
}
