import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Connections } from '../access/Connections.js'
import type { RateLimiter } from '../access/RateLimiter.js'
import type { Authenticator } from '../access/types.js'
import type { GatewayLimits } from '../limits.js'
import type { Metrics } from '../Metrics.js'
import type { Polls } from './Polls.js'

/** Dependencies that the edges of all heads share. */
export interface EdgeContext {
  readonly authenticator: Authenticator
  readonly limits: GatewayLimits
  readonly limiter: RateLimiter
  readonly metrics: Metrics
  readonly origins: readonly string[]
  /** Connections of the server. */
  readonly connections: {
    /** Stops counting a connection for its IP address, because a token has its own limit. */
    leaveAddress(socket: Socket): void
  }
  /** Responses to polls that have not left this process. */
  readonly polls: Polls
  /** Sessions of sockets, joined or not. */
  readonly sessions: Connections
  /** Address of a client that limits count: `ip ` and the address, or its network. */
  ipOf(request: IncomingMessage): string
  /** True while the gateway accepts no new clients. */
  closing(): boolean
}
