import type { GatewayLog } from '../log/GatewayLog.js'
import type { Logger } from '../../types/logger.js'
import type { HeadStreams } from '../records.js'
import type { Troubles } from '../Troubles.js'
import type { OnUnreadable } from './readLog.js'

/** Dependencies of a core. */
export interface CoreContext {
  readonly log: GatewayLog
  readonly streams: HeadStreams
  readonly upstream: string
  readonly logger: Logger
  /** Name of the head in reports. */
  readonly name: string
  /** Receives the failures of the node and of the log. @default reported to the logger */
  readonly troubles?: Troubles
  /** Receives the records that cannot be read. @default they are not reported */
  readonly onUnreadable?: OnUnreadable
}
