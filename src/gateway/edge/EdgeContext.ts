import type { IncomingMessage } from 'node:http'
import type { RateLimiter } from '../access/RateLimiter.js'
import type { Authenticator } from '../access/types.js'
import type { Proofs } from '../http/Proofs.js'
import type { GatewayLimits } from '../limits.js'
import type { Metrics } from '../Metrics.js'

/** What the edges of all heads share. */
export interface EdgeContext {
  readonly authenticator: Authenticator
  readonly limits: GatewayLimits
  readonly limiter: RateLimiter
  readonly metrics: Metrics
  readonly origins: readonly string[]
  /** Null: none are served. */
  readonly proofs: Proofs | null
  /** IP address of a client. */
  ipOf(request: IncomingMessage): string
  /** Whether nobody is taken in any more. */
  closing(): boolean
}
