/** Node versions that the local node can pose as. */
export type DevNodeProfile = '0.22' | '1.3' | '2.0' | '2.2' | '2.3' | 'master'

/** Which bytes of a snapshot the parties sign, named by the versions of the node. */
export type SigningRule = '0.20-2.1' | '2.2' | '2.3'

/** What differs between node versions, as far as a client can see it. */
export interface ProfileFeatures {
  /** Leading part of `hydraNodeVersion`. */
  readonly version: string
  /** Heads pass through Initializing and are opened by commits (before 2.0). */
  readonly initializing: boolean
  /** Greetings carries `env` and `networkInfo`; bodies are JSON with a content type; POST /transaction exists (1.0). */
  readonly environment: boolean
  /** Greetings.env leaks the node's Hydra key (1.0 to 2.1). */
  readonly signingKeyInEnv: boolean
  /** Sync status: NodeSynced, RejectedInputBecauseUnsynced, currentSlot (1.3). */
  readonly syncStatus: boolean
  /** Input SafeClose (1.2). */
  readonly safeClose: boolean
  /** Input PartialFanout and status FanningOut (after 2.3.0). */
  readonly partialFanout: boolean
  /** A deposit that the head's output cannot take in is not drafted: DepositTooLarge (after 2.3.0). */
  readonly checksDepositSize: boolean
  /** Key of the UTxO in HeadIsFinalized. */
  readonly finalizedKey: 'finalizedUTxO' | 'utxo'
  /** Which bytes of a snapshot the parties sign; snapshots carry `accumulator` from `2.2` on. */
  readonly signingRule: SigningRule
  /** The ledger refuses a transaction whose inputs are all spent as a probable duplicate, in words of its own (2.1). */
  readonly duplicateCheck: boolean
  /** Protocol version of the sample parameters at the version's tag. */
  readonly sampleProtocolVersion: 10 | 11
  /** GET /config (2.3). */
  readonly config: boolean
  /** DELETE /commits takes a bare id; before, a quoted JSON string only (1.3). */
  readonly bareDepositId: boolean
  /** Recover works in every head state; before 1.0 only in Open. */
  readonly recoverAnywhere: boolean
  /** Waiting routes answer with the outcome; before 1.0 with 200 at once. */
  readonly waitingRoutes: boolean
  /** Most transactions in one snapshot. */
  readonly snapshotSize: number
}

const BASE: ProfileFeatures = {
  version: '2.3.0',
  initializing: false,
  environment: true,
  signingKeyInEnv: false,
  syncStatus: true,
  safeClose: true,
  partialFanout: false,
  checksDepositSize: false,
  finalizedKey: 'finalizedUTxO',
  signingRule: '2.3',
  duplicateCheck: true,
  sampleProtocolVersion: 11,
  config: true,
  bareDepositId: true,
  recoverAnywhere: true,
  waitingRoutes: true,
  snapshotSize: 100
}

const V2_0: ProfileFeatures = {
  ...BASE,
  version: '2.0.0',
  signingKeyInEnv: true,
  finalizedKey: 'utxo',
  signingRule: '0.20-2.1',
  duplicateCheck: false,
  sampleProtocolVersion: 10,
  config: false
}
const V1_3: ProfileFeatures = { ...V2_0, version: '1.3.0', initializing: true }

/** The features of each profile (docs/protocol.md, versions). */
export const PROFILES: Readonly<Record<DevNodeProfile, ProfileFeatures>> = {
  '0.22': {
    ...V1_3,
    version: '0.22.4',
    environment: false,
    signingKeyInEnv: false,
    syncStatus: false,
    safeClose: false,
    bareDepositId: false,
    recoverAnywhere: false,
    waitingRoutes: false,
    snapshotSize: Number.MAX_SAFE_INTEGER
  },
  '1.3': V1_3,
  '2.0': V2_0,
  // 2.2.0 signs no pending outputs and has no GET /config.
  '2.2': { ...BASE, version: '2.2.0', signingRule: '2.2', config: false },
  '2.3': BASE,
  master: { ...BASE, partialFanout: true, checksDepositSize: true, snapshotSize: 1000 }
}
