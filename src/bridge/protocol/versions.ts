/** Versions of the node at which commands and messages come and go; `master` is newer than all releases. */
export type NodeVersion = '0.20' | '0.21' | '0.22' | '1.2' | '1.3' | '2.3' | 'master'

/** What a version of the node can do. */
export interface VersionProfile {
  /** `[major, minor, patch]`, or null when unknown: then the newest is assumed. */
  readonly version: readonly [number, number, number] | null
  /** POST /transaction (1.0). */
  readonly hasSubmitRoute: boolean
  /** GET /head (0.22). */
  readonly hasHeadRoute: boolean
  /** GET and POST /snapshot, GET /snapshot/last-seen (0.21). */
  readonly hasSnapshotRoute: boolean
  /** GET /commits and DELETE /commits/{id} (0.20). */
  readonly hasDepositRoutes: boolean
  /** POST /commit returns what a blueprint does not deposit to `changeAddress` (1.1). */
  readonly balancesBlueprints: boolean
  /** DELETE /commits takes the id in quotes only (before 1.3). */
  readonly quotedDepositId: boolean
  /** DELETE /commits, POST /decommit and POST /snapshot answer after the effect, with a verdict (1.0); before, at once. */
  readonly sideEffectRoutesWait: boolean
  /** Heads open directly, without Initializing, commits and Abort (2.0). */
  readonly opensDirectly: boolean
}

/** What a node of this version can do; `'2.3.0-abc'`, or null when unknown. */
export function versionProfile(layerNodeVersion: string | null | undefined): VersionProfile {
  const parts = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(layerNodeVersion ?? '')
  const version = parts === null ? null : ([Number(parts[1]), Number(parts[2]), Number(parts[3])] as const)
  const from = (major: number, minor: number, patch = 0): boolean => version === null || (version[0] - major || version[1] - minor || version[2] - patch) >= 0
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
