import { LayerSdkError } from './base.js'
import type { ErrorDetails } from './base.js'

/**
 * The gateway's log (in memory or in Redis) cannot be reached, has been closed, or no longer has the requested records.
 * Check that Redis runs and keeps its data.
 */
export class GatewayLogError extends LayerSdkError<'GATEWAY_LOG'> {
  override readonly name = 'GatewayLogError'
  /** `unknown` when `uncertain` is true: the write may have succeeded. */
  override readonly outcome: 'none' | 'unknown'
  /** True when the connection to the log ended before an answer, so that a record may have been appended. */
  readonly uncertain: boolean
  constructor(
    summary: string,
    { uncertain = false, ...details }: ErrorDetails & { readonly uncertain?: boolean } = {}
  ) {
    super('GATEWAY_LOG', summary, details)
    this.uncertain = uncertain
    this.outcome = uncertain ? 'unknown' : 'none'
  }
}

/**
 * A core of the gateway (the process with the connection to a head's node) tried to write into the log, but a second
 * core has acquired the lease (exclusive right to write). No action is needed.
 */
export class GatewayFencedError extends LayerSdkError<'GATEWAY_FENCED'> {
  override readonly name = 'GatewayFencedError'
  /** Fencing number of the refused core's lease. It increases with each lease, from 1. */
  readonly fence: number
  constructor(fence: number, stream: string) {
    super('GATEWAY_FENCED', 'The lease of this core is no longer the newest one: another core writes now.', {
      expected: `the fence that was given out last, to write into ${stream}`,
      got: `the fence ${fence}`
    })
    this.fence = fence
  }
}

/** The gateway cannot listen on the given host and port. Choose another port, or 0 for a free one. */
export class GatewayPortError extends LayerSdkError<'GATEWAY_PORT'> {
  override readonly name = 'GatewayPortError'
  /** Host that was given. */
  readonly host: string
  /** Port that was given. */
  readonly port: number
  /** The system's code, e.g. `EADDRINUSE`. */
  readonly systemCode: string
  constructor(host: string, port: number, systemCode: string, cause: unknown) {
    const inUse = systemCode === 'EADDRINUSE'
    super(
      'GATEWAY_PORT',
      inUse ? `Port ${port} on ${host} is in use.` : `The gateway cannot listen on ${host}, port ${port}.`,
      {
        expected: 'a free port, or 0 to have one chosen',
        got: systemCode,
        cause
      }
    )
    this.host = host
    this.port = port
    this.systemCode = systemCode
  }
}

/** The gateway did not serve all heads within `readyTimeout`. Read `reasons`, and check the nodes and the log. */
export class GatewayNotReadyError extends LayerSdkError<'GATEWAY_NOT_READY'> {
  override readonly name = 'GatewayNotReadyError'
  /** Reasons, one phrase for each head that is not served. */
  readonly reasons: readonly string[]
  /** Time limit that was reached, ms. */
  readonly timeout: number
  constructor(timeout: number, reasons: readonly string[], cause?: unknown) {
    super('GATEWAY_NOT_READY', `The gateway is not ready after ${timeout} ms.`, {
      expected: 'a node that answers at the upstream of each head, and a log that can be used',
      got: reasons.join('; '),
      cause
    })
    this.reasons = reasons
    this.timeout = timeout
  }
}
