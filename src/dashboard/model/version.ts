import { isNewerThanHeld } from '../../bridge/inner.js'

/** Notice about the version of a node. */
export interface VersionNotice {
  readonly title: string
  readonly detail: string
}

/**
 * Returns the notice about a node that is newer than the package knows, else null. The rule that such a node signs
 * snapshots by is unknown: a check of its signatures proves neither that they hold nor that they are forged.
 */
export function unknownVersion(version: string | null): VersionNotice | null {
  return isNewerThanHeld(version)
    ? {
        title: "This node's version is newer than layer-sdk knows",
        detail: 'Its snapshots cannot be verified here; update layer-sdk.'
      }
    : null
}
