import { LayerSdkError } from './base.js'
import type { ErrorDetails } from './base.js'

/** The gateway's log cannot be reached, has been closed, or has lost records that were asked for. */
export class GatewayLogError extends LayerSdkError<'GATEWAY_LOG'> {
  override readonly name = 'GatewayLogError'
  constructor(summary: string, details: ErrorDetails = {}) {
    super('GATEWAY_LOG', summary, details)
  }
}

/** A core of the gateway whose lease another one has taken since tried to write into the log. */
export class GatewayFencedError extends LayerSdkError<'GATEWAY_FENCED'> {
  override readonly name = 'GatewayFencedError'
  /** Fence of the writer. */
  readonly fence: number
  constructor(fence: number, stream: string) {
    super('GATEWAY_FENCED', 'The lease of this core is no longer the newest one: another core writes now.', {
      expected: `the fence that was given out last, to write into ${stream}`,
      got: `the fence ${fence}`
    })
    this.fence = fence
  }
}
