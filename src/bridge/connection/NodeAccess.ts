import type { HeadStatusSource } from '../protocol/commandRefusal.js'
import type { LayerInput } from '../protocol/types.js'
import type { VersionProfile } from '../protocol/versions.js'
import type { Connector } from './Connector.js'
import type { SendNodeRequest } from './nodeRequests.js'

/** Access of one bridge to its node: requests, inputs, and the node's head and version as the messages show them. */
export interface NodeAccess {
  readonly connector: Connector
  /** Makes an HTTP request to the node and decodes the reply. */
  readonly requestNode: SendNodeRequest
  /** True while the bridge can be used. */
  connected(): boolean
  /** Sends an input now. @throws {@link NotConnectedError}; no input is queued */
  send(input: LayerInput): void
  head(): HeadStatusSource & { readonly headId: string | null }
  /** Returns the abilities of the node's version. */
  profile(): VersionProfile
  /**
   * Returns the signal that aborts the bridge's own requests: when the connection ends, or, while there is none, at
   * `disconnect()`.
   */
  session(): AbortSignal
  /** Ends the bridge's own requests, as `disconnect()` does. */
  end(): void
}
