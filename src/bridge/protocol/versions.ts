/** Versions of the node at which commands and messages come and go; `master` is newer than all releases. */
export type NodeVersion = '0.20' | '0.21' | '0.22' | '1.2' | '1.3' | '2.3' | '2.4' | 'master'

/** Abilities of a version of the node. */
export interface VersionProfile {
  /** `[major, minor, patch]`, or null when unknown: then the newest is assumed. */
  readonly version: readonly [number, number, number] | null
  /** POST /transaction (from 1.0). */
  readonly hasSubmitRoute: boolean
  /** GET /head (from 0.22). */
  readonly hasHeadRoute: boolean
  /** GET and POST /snapshot, GET /snapshot/last-seen (from 0.21). */
  readonly hasSnapshotRoute: boolean
  /** GET /commits and DELETE /commits/{id} (from 0.20). */
  readonly hasDepositRoutes: boolean
  /** POST /commit sends the rest that a blueprint does not deposit to `changeAddress` (from 1.1). */
  readonly balancesBlueprints: boolean
  /** DELETE /commits accepts the id in quotes only (before 1.3). */
  readonly quotedDepositId: boolean
  /**
   * DELETE /commits, POST /decommit and POST /snapshot answer only after the effect, with its outcome (from 1.0);
   * earlier nodes answer at once.
   */
  readonly sideEffectRoutesWait: boolean
  /** Heads open directly, without Initializing, commits and Abort (from 2.0). */
  readonly opensDirectly: boolean
}

/** Returns the abilities of a version: `'2.3.0-abc'`, or null when unknown. */
export function versionProfile(layerNodeVersion: string | null | undefined): VersionProfile {
  const parts = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(layerNodeVersion ?? '')
  const version = parts === null ? null : ([Number(parts[1]), Number(parts[2]), Number(parts[3])] as const)
  const from = (major: number, minor: number, patch = 0): boolean =>
    version === null || (version[0] - major || version[1] - minor || version[2] - patch) >= 0
  return {
    version,
    hasSubmitRoute: from(1, 0),
    hasHeadRoute: from(0, 22),
    hasSnapshotRoute: from(0, 21),
    hasDepositRoutes: from(0, 20),
    balancesBlueprints: from(1, 1),
    quotedDepositId: !from(1, 3),
    sideEffectRoutesWait: from(1, 0),
    opensDirectly: from(2, 0)
  }
}

/** The newest minor version that the package was checked with: recordings of real nodes of 2.4.1. */
const NEWEST = [2, 4] as const
/** Releases that operators are advised to replace: they may sign transactions without validation. */
const REPLACED: ReadonlySet<string> = new Set(['2.3.0', '2.4.0'])

/** Evidence for the package's view of a minor version, with its date. The README's table states the same. */
const EVIDENCE: Readonly<Record<string, string>> = {
  '2.4': 'recordings of real nodes of 2.4.1 (2026-09-07) and the source of the node (2026-08-21)',
  '2.3': 'recordings of real nodes of 2.3.0 (2026-08-31) and the source of the node'
}

/**
 * Returns how this package's support of a node's version was checked, with the date: recordings of real nodes for 2.3
 * and 2.4, the source of the node for earlier versions, none for newer and unknown ones.
 */
export function versionEvidence(layerNodeVersion: string | null | undefined): string {
  const { version } = versionProfile(layerNodeVersion)
  if (version === null) return 'its version is unknown: the newest known one is assumed'
  if (isLocalHead(layerNodeVersion)) return 'the local head of this package'
  if (isNewerThanHeld(layerNodeVersion)) return 'not checked'
  return `checked with ${EVIDENCE[`${version[0]}.${version[1]}`] ?? 'the source of the node and its golden messages (2026-08-21)'}`
}

/** Returns true for a node that is newer than the package was checked with; never for the local head of the package. */
export function isNewerThanHeld(layerNodeVersion: string | null | undefined): boolean {
  const { version } = versionProfile(layerNodeVersion)
  if (version === null || isLocalHead(layerNodeVersion)) return false
  const [major, minor] = version
  return major > NEWEST[0] || (major === NEWEST[0] && minor > NEWEST[1])
}

/** Returns true for the local head of this package, which states a node's version but has none of its weaknesses. */
export const isLocalHead = (layerNodeVersion: string | null | undefined): boolean =>
  /devnode/.test(layerNodeVersion ?? '')

/**
 * Returns a line about a node's version: one that is newer than the package was tested with, or that operators are
 * advised to replace. Null: no remark.
 */
export function versionWarning(layerNodeVersion: string | null | undefined): string | null {
  const { version } = versionProfile(layerNodeVersion)
  // The local head of this package has no such hole.
  if (version === null || isLocalHead(layerNodeVersion)) return null
  const name = version.join('.')
  if (isNewerThanHeld(layerNodeVersion))
    return `hydra-node ${name} is newer than the newest version that this package was checked with, ${NEWEST.join('.')}: update layer-sdk where there is a newer one`
  return REPLACED.has(name)
    ? `hydra-node ${name} may sign transactions without validation (GHSA-cg83-6w6r-6hx3): its operators are advised to run 2.4.1`
    : null
}
