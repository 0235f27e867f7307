/** Node versions that the local node can pose as. */
export type DevNodeProfile = '0.22' | '1.3' | '2.0' | '2.2' | '2.3' | '2.4' | 'master'

/**
 * Which bytes of a snapshot the parties sign, named by the versions of the node; `next` is that of the source after
 * 2.4.1.
 */
export type SigningRule = '0.20-2.1' | '2.2' | '2.3' | '2.4' | 'next'

/** Forms of the datum of an open head: with the deposit period, or without. */
export type HeadDatumForm = 'sevenFields' | 'eightFields'

/**
 * Differences between node versions that a client can see: one flag for each behaviour. In brackets: since
 * when, or until when.
 */
export interface ProfileFeatures {
  /** Leading part of `hydraNodeVersion`. */
  readonly version: string

  /** Heads pass through Initializing and are opened by commits (before 2.0). */
  readonly initializing: boolean
  /** Beginning of the node's metadata: `HydraV1/DepositTx`, or `HydraV2/DepositTx` (2.0). */
  readonly metadataName: 'HydraV1' | 'HydraV2'
  /** IncrementTx and DecrementTx name the head's seed (2.0). */
  readonly seedInHeadTxs: boolean
  /** Input SafeClose (1.2). */
  readonly safeClose: boolean
  /** Input PartialFanout and status FanningOut (2.4). */
  readonly partialFanout: boolean
  /** Recover works in every head state (1.0); before, only in Open. */
  readonly recoverAnywhere: boolean
  /**
   * Deposits that the node records: those of its open head, which it forgets with it; all (1.0); those of its own head,
   * closed too (2.3).
   */
  readonly depositsRecorded: 'openHead' | 'all' | 'ownHead'
  /** A side-load that is refused is answered with SideLoadSnapshotRejected (1.3); before, it is logged only. */
  readonly sideLoadRejections: boolean

  /** Sync status: NodeSynced, RejectedInputBecauseUnsynced, `currentSlot`, `unsyncedPeriod` (1.3). */
  readonly syncStatus: boolean
  /** SyncedStatusReport at each block while the node catches up (until 2.3). */
  readonly syncReports: boolean

  /** Greetings carries `env` and `networkInfo` (1.0). */
  readonly environment: boolean
  /** `env` leaks the node's Hydra key (1.0 to 2.1). */
  readonly signingKeyInEnv: boolean
  /** Deposits activate after a period of their own, which `env` and GET /config show (2.4). */
  readonly depositActivation: boolean
  /** The deadline of a deposit: three deposit periods, or activation and two (2.4, HTTPServer.hs:463). */
  readonly depositDeadline: 'threePeriods' | 'activationAndTwoPeriods'
  /** A deposit with too little lovelace in an output is not drafted: DepositTooLow (1.0). */
  readonly rejectsLowDeposits: boolean
  /** A deposit that the head's output cannot include is not drafted: DepositTooLarge (2.4). */
  readonly checksDepositSize: boolean
  /** The deposit period is one of a head's parameters (2.4). */
  readonly depositPeriodInParameters: boolean

  /**
   * Form of the datum of the head's output on the base ledger (2.3; the deposit period is in it from 2.4 on); null where
   * the local head keeps none.
   */
  readonly headDatum: HeadDatumForm | null

  /** Key of the UTxO in HeadIsFinalized; `finalizedUTxO` since 2.2. */
  readonly finalizedKey: 'finalizedUTxO' | 'utxo'
  /** FanoutTx carries `utxoForProof` (2.2). */
  readonly proofInFanoutTx: boolean
  /** The Closed state of GET /head shows how far a fanout has come (2.2 and 2.3). */
  readonly fanoutProgressInClosed: boolean
  /** EventLogRotated carries a checkpoint (1.0). */
  readonly checkpoints: boolean

  /** Which bytes of a snapshot the parties sign. */
  readonly signingRule: SigningRule
  /** Snapshots carry `accumulator` (2.2). */
  readonly accumulatorInSnapshots: boolean
  /** Snapshots carry `depositTxId`, null without a deposit, and a side-load compares it (2.4). */
  readonly depositIdInSnapshots: boolean
  /**
   * Snapshots carry `appliedAccumulator`: that of the head's outputs once the pending step has happened (after 2.4.1).
   */
  readonly appliedAccumulatorInSnapshots: boolean
  /** A decommit without outputs is refused (after 2.4.1); before, it is approved and can never leave the head. */
  readonly refusesEmptyDecommits: boolean
  /** NetworkBroadcastStalled, NetworkBroadcastResumed and RejectedInputBecauseBroadcastStalled (after 2.4.1). */
  readonly broadcastStalls: boolean
  /** Most transactions in one snapshot. */
  readonly snapshotSize: number

  /** The ledger refuses a transaction whose inputs are all spent as a probable duplicate, in words of its own (2.1). */
  readonly duplicateCheck: boolean
  /**
   * Differences between the sample parameters at the versions' tags. `sampleCosts`: the cost models of the sample
   * itself, which no chain has (2.4).
   */
  readonly sample: {
    readonly protocolVersion: 10 | 11
    readonly maxTxSize: number
    readonly minFeeRefScriptCostPerByte: number
    readonly sampleCosts?: boolean
  }

  /** CBOR on request: `encoding=cbor`, `Accept` and `Content-Type: application/cbor` (2.4). */
  readonly cborEncoding: boolean
  /** A query that cannot be decoded is ignored (2.4); before, it ends the connection. */
  readonly toleratesMalformedQueries: boolean
  /** An empty `address=` is ignored (2.4); before, it lets no snapshot through. */
  readonly ignoresEmptyAddress: boolean
  /** Bodies of the HTTP API are JSON with a content type (1.0); before, bare strings have no quotes. */
  readonly jsonReplies: boolean
  /** POST /transaction (1.0). */
  readonly transactionRoute: boolean
  /** Waiting routes answer with the outcome (1.0); before, with 200 at once. */
  readonly waitingRoutes: boolean
  /** Status of POST /commit without a head to commit to: 400 (1.2), before an uncaught exception. */
  readonly commitRefusalStatus: 400 | 500
  /** GET /head-initialization (1.2 and 1.3). */
  readonly headInitializationRoute: boolean
  /** GET /config (2.3). */
  readonly configRoute: boolean
  /** DELETE /commits accepts a bare id (1.3); before, a quoted JSON string only. */
  readonly bareDepositId: boolean
}

const V2_3: ProfileFeatures = {
  version: '2.3.0',
  initializing: false,
  metadataName: 'HydraV2',
  seedInHeadTxs: true,
  safeClose: true,
  partialFanout: false,
  recoverAnywhere: true,
  depositsRecorded: 'ownHead',
  sideLoadRejections: true,
  syncStatus: true,
  syncReports: true,
  environment: true,
  signingKeyInEnv: false,
  depositActivation: false,
  depositDeadline: 'threePeriods',
  rejectsLowDeposits: true,
  checksDepositSize: false,
  depositPeriodInParameters: false,
  headDatum: 'sevenFields',
  finalizedKey: 'finalizedUTxO',
  proofInFanoutTx: true,
  fanoutProgressInClosed: true,
  checkpoints: true,
  signingRule: '2.3',
  accumulatorInSnapshots: true,
  depositIdInSnapshots: false,
  appliedAccumulatorInSnapshots: false,
  refusesEmptyDecommits: false,
  broadcastStalls: false,
  snapshotSize: 100,
  duplicateCheck: true,
  sample: { protocolVersion: 11, maxTxSize: 16384, minFeeRefScriptCostPerByte: 15 },
  cborEncoding: false,
  toleratesMalformedQueries: false,
  ignoresEmptyAddress: false,
  jsonReplies: true,
  transactionRoute: true,
  waitingRoutes: true,
  commitRefusalStatus: 400,
  headInitializationRoute: false,
  configRoute: true,
  bareDepositId: true
}

const V2_4: ProfileFeatures = {
  ...V2_3,
  version: '2.4.1',
  partialFanout: true,
  syncReports: false,
  depositActivation: true,
  depositDeadline: 'activationAndTwoPeriods',
  checksDepositSize: true,
  depositPeriodInParameters: true,
  headDatum: 'eightFields',
  fanoutProgressInClosed: false,
  signingRule: '2.4',
  depositIdInSnapshots: true,
  snapshotSize: 1000,
  sample: { protocolVersion: 11, maxTxSize: 10250, minFeeRefScriptCostPerByte: 0, sampleCosts: true },
  cborEncoding: true,
  toleratesMalformedQueries: true,
  ignoresEmptyAddress: true
}

/** The source after 2.4.1, of which no release is known: a number that no node has. */
const MASTER: ProfileFeatures = {
  ...V2_4,
  version: '2.5.0-devnode',
  signingRule: 'next',
  appliedAccumulatorInSnapshots: true,
  refusesEmptyDecommits: true,
  broadcastStalls: true
}

const V2_2: ProfileFeatures = {
  ...V2_3,
  version: '2.2.0',
  headDatum: null,
  depositsRecorded: 'all',
  signingRule: '2.2',
  configRoute: false
}

const V2_0: ProfileFeatures = {
  ...V2_2,
  version: '2.0.0',
  signingKeyInEnv: true,
  finalizedKey: 'utxo',
  proofInFanoutTx: false,
  fanoutProgressInClosed: false,
  signingRule: '0.20-2.1',
  accumulatorInSnapshots: false,
  duplicateCheck: false,
  sample: { protocolVersion: 10, maxTxSize: 16384, minFeeRefScriptCostPerByte: 15 }
}

const V1_3: ProfileFeatures = {
  ...V2_0,
  version: '1.3.0',
  initializing: true,
  metadataName: 'HydraV1',
  seedInHeadTxs: false,
  headInitializationRoute: true
}

const V0_22: ProfileFeatures = {
  ...V1_3,
  version: '0.22.4',
  safeClose: false,
  recoverAnywhere: false,
  depositsRecorded: 'openHead',
  rejectsLowDeposits: false,
  sideLoadRejections: false,
  syncStatus: false,
  syncReports: false,
  environment: false,
  signingKeyInEnv: false,
  checkpoints: false,
  snapshotSize: Number.MAX_SAFE_INTEGER,
  jsonReplies: false,
  transactionRoute: false,
  waitingRoutes: false,
  commitRefusalStatus: 500,
  headInitializationRoute: false,
  bareDepositId: false
}

/** The features of each profile (docs/protocol.md, versions). */
export const PROFILES: Readonly<Record<DevNodeProfile, ProfileFeatures>> = {
  '0.22': V0_22,
  '1.3': V1_3,
  '2.0': V2_0,
  '2.2': V2_2,
  '2.3': V2_3,
  '2.4': V2_4,
  master: MASTER
}

/** The default profile: the release that operators run. */
export const DEFAULT_PROFILE: DevNodeProfile = '2.4'
