import type { Fields } from './fields.js'
import type { Normalize } from './normalize.js'
import type { NodeVersion } from './versions.js'

/** A message of the node, or of a gateway in front of it. */
export interface MessageRow {
  /** Its sender, if that is not a node. */
  readonly source?: 'gateway'
  /** First version that sends it; left out: all versions that the package supports. */
  readonly since?: NodeVersion
  /** Last version that sends it. */
  readonly until?: NodeVersion
  /** Check of the head's id; absent from messages that are not about a head. */
  readonly headId?: 'essential' | 'ifPresent' | 'unchecked'
  /** Its other fields. */
  readonly fields: Fields
  /** Converts the forms that versions of the node send into one. */
  readonly normalize?: Normalize
}
