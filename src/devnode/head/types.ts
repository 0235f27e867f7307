import type { JsonText } from '../json/jsonText.js'
import type { UtxoView } from '../rules/utxoSet.js'

/** A layer-two transaction as the head machine sees it. */
export interface HeadTx {
  readonly txId: string
  /** The node's text envelope. */
  readonly envelope: JsonText
}

/** A snapshot of the head. */
export interface LocalSnapshot {
  readonly headId: string
  readonly version: number
  readonly number: number
  readonly confirmed: readonly HeadTx[]
  readonly utxo: UtxoView
  readonly utxoToCommit: UtxoView | null
  /** The deposit that `utxoToCommit` is of: hex, 64 characters. */
  readonly depositTxId: string | null
  readonly utxoToDecommit: UtxoView | null
  /** Hex, 64 characters. */
  readonly accumulator: string
  /** Accumulator of the outputs in the head after the pending step, where it is computed: hex, 64 characters. */
  readonly appliedAccumulator?: string
}

/** The hashes that stand for the outputs of a snapshot: hex, 64 characters each. */
export interface SnapshotHashes {
  /** Hash of `utxo`; signed up to 2.1 only. */
  readonly utxo: string
  /** Hash of `utxoToCommit`. */
  readonly toCommit: string
  /** Hash of `utxoToDecommit`. */
  readonly toDecommit: string
  /**
   * Hash of the accumulator of all three; signed from 2.2 on. Under rule `next` the accumulator is that of the head
   * before the pending step.
   */
  readonly accumulator: string
  /** Hash of the accumulator of the head after the pending step; signed under rule `next` only. */
  readonly applied?: string
}

/** A snapshot that all parties signed; where it is `null`, none has been signed yet (the node's InitialSnapshot). */
export interface SignedLocalSnapshot {
  readonly snapshot: LocalSnapshot
  /** Hex, 128 characters each, in the order of the parties. */
  readonly signatures: readonly string[]
  /** Hashes of the outputs, as the parties signed them. */
  readonly hashes: SnapshotHashes
}

/** A snapshot that has been requested: its content, and the signatures so far. */
export interface SnapshotInFlight {
  readonly snapshot: LocalSnapshot
  /** Signatures by verification key, hex. */
  readonly signatories: Readonly<Record<string, string>>
}

/** Identity of a head, the same for its life. */
export interface HeadIdentity {
  /** Hex, 56 characters. */
  readonly headId: string
  readonly headSeed: string
  /** Hydra verification keys, hex. */
  readonly parties: readonly string[]
  /** Fixed when the head is opened, whatever the node is set to later; absent in states of earlier versions. */
  readonly contestationPeriodMs?: number
}

/** Returns the contestation period of a head, ms; `ownMs` is the node's own, used where the head states none. */
export function contestationPeriodOf(
  { contestationPeriodMs }: Pick<HeadIdentity, 'contestationPeriodMs'>,
  ownMs: number
): number {
  return contestationPeriodMs ?? ownMs
}

/** A deposit seen on the base ledger and neither finalised nor recovered. */
export interface Deposit {
  readonly txId: string
  readonly headId: string
  readonly deposited: UtxoView
  readonly createdMs: number
  readonly activatesMs: number
  readonly expiresMs: number
  readonly deadlineMs: number
  readonly status: 'Inactive' | 'Active' | 'Expired'
}

/** State without a head. */
export interface IdleHead {
  readonly status: 'Idle'
}

/** State before 2.0 in which the parties commit. */
export interface InitializingHead {
  readonly status: 'Initializing'
  readonly head: HeadIdentity
  /** Parties that have not committed yet. */
  readonly waitingFor: readonly string[]
  readonly committed: readonly { readonly party: string; readonly utxo: UtxoView }[]
}

/** State in which transactions are accepted. */
export interface OpenHead {
  readonly status: 'Open'
  readonly head: HeadIdentity
  readonly version: number
  readonly confirmed: SignedLocalSnapshot | null
  /** UTxO that the head was opened with (before 2.0). */
  readonly initialUtxo: UtxoView
  /** True while a snapshot has been requested and is not confirmed yet. */
  readonly signing: boolean
  /** Valid transactions that are in no snapshot yet, those being signed included. */
  readonly pendingTxs: number
  readonly deposit: { readonly txId: string; readonly utxo: UtxoView; readonly approved: boolean } | null
  /** `stuck`: the fault `stuckDecommit` holds the decommit back until a snapshot that transactions bring about. */
  readonly decommit: {
    readonly tx: HeadTx
    readonly utxo: UtxoView
    readonly approved: boolean
    readonly stuck: boolean
  } | null
  /** Decommits to be tried on the local ledger. */
  readonly waitingDecommits: readonly HeadTx[]
  /** True while a decommit is being tried on the local ledger. */
  readonly validatingDecommit: boolean
}

/** State of a head that is closed on the base ledger; with `ready` clients see FanoutPossible. */
export interface ClosedHead {
  readonly status: 'Closed'
  readonly head: HeadIdentity
  readonly version: number
  readonly confirmed: SignedLocalSnapshot | null
  readonly initialUtxo: UtxoView
  readonly deadlineMs: number
  readonly ready: boolean
}

/** State while a fanout is under way, in one go or by selections (after 2.3.0). */
export interface FanningOutHead extends Omit<ClosedHead, 'status'> {
  readonly status: 'FanningOut'
  /**
   * Outputs that the next steps distribute: all that remain, these outputs, or none until a client selects
   * (State.hs:338).
   */
  readonly selection: 'all' | UtxoView | null
  /** Outputs that are not paid yet, under their references in the head, as in the other members. */
  readonly remaining: UtxoView
  readonly distributed: UtxoView
  /** True once a step has been seen on the base ledger; a failed step then no longer reverts to Closed. */
  readonly started: boolean
}

/** State of the head. */
export type LocalHeadState = IdleHead | InitializingHead | OpenHead | ClosedHead | FanningOutHead

/** State of the node. */
export interface NodeState {
  readonly head: LocalHeadState
  /** Newest first. */
  readonly deposits: readonly Deposit[]
  readonly synced: boolean
  /** Seconds behind the chain while not synced. */
  readonly driftSeconds: number
}

/**
 * A client's input, parsed, with the data that the state machine cannot look up itself (a resolved transaction, the
 * outputs of a head).
 */
export type HeadInput =
  | { readonly tag: 'Init' | 'Abort' | 'Close' | 'Contest' }
  /** `full`: everything in the head. */
  | { readonly tag: 'Fanout'; readonly full: UtxoView }
  | { readonly tag: 'NewTx'; readonly tx: HeadTx }
  | { readonly tag: 'Decommit'; readonly tx: HeadTx }
  | { readonly tag: 'Recover'; readonly depositTxId: string }
  /** `assets`: Haskell show of the non-ADA value in the confirmed snapshot, or `null`. */
  | { readonly tag: 'SafeClose'; readonly assets: string | null }
  /** `selection`: the outputs selected, or `null` when they are none or not all in the head. */
  | {
      readonly tag: 'PartialFanout'
      readonly selection: { readonly utxo: UtxoView; readonly all: boolean; readonly full: UtxoView } | null
    }
  | { readonly tag: 'SideLoadSnapshot'; readonly headId: string | null; readonly failure: JsonText | null }

/** An event of the machine. */
export type HeadEvent =
  /** `echo`: the input as the node writes it back; `text`: as it was received. */
  | {
      readonly type: 'Input'
      readonly input: HeadInput
      readonly echo: JsonText
      readonly text: string
      readonly client: ClientRef | null
    }
  /** `localUtxo`: given with the last failure only. */
  | {
      readonly type: 'TxValidated'
      readonly tx: HeadTx
      readonly failure: string | null
      readonly retriesLeft: number
      readonly localUtxo: UtxoView | null
    }
  | {
      readonly type: 'DecommitValidated'
      readonly tx: HeadTx
      readonly failure: string | null
      readonly localUtxo: UtxoView
      readonly utxoToDecommit: UtxoView
    }
  /**
   * A client's decommit does not apply here: the other parties never receive it (HeadLogic.hs:770,
   * checkValidDecommitTx).
   */
  | { readonly type: 'DecommitRefused'; readonly tx: HeadTx; readonly failure: string; readonly localUtxo: UtxoView }
  /** A party requests a decommit; the node itself may be the one. */
  | { readonly type: 'DecommitReceived'; readonly tx: HeadTx }
  | { readonly type: 'SnapshotSigned'; readonly signed: SignedLocalSnapshot }
  /** The number of pending transactions on the local ledger falls by `count`; it rises when `count` is negative. */
  | { readonly type: 'TxsPruned'; readonly count: number }
  | { readonly type: 'Tick'; readonly timeMs: number }
  | { readonly type: 'InitSeen'; readonly head: HeadIdentity; readonly emptyUtxo: UtxoView }
  | { readonly type: 'CommitSeen'; readonly party: string; readonly utxo: UtxoView }
  | { readonly type: 'CollectSeen'; readonly utxo: UtxoView }
  | { readonly type: 'AbortSeen'; readonly utxo: UtxoView }
  | { readonly type: 'DepositSeen'; readonly deposit: Deposit }
  | { readonly type: 'IncrementSeen'; readonly depositTxId: string }
  | { readonly type: 'DecrementSeen'; readonly distributedUTxO: UtxoView }
  | { readonly type: 'RecoverSeen'; readonly depositTxId: string }
  /** `snapshotNumber`: the snapshot that the head was closed with, when that is not the node's own latest. */
  | { readonly type: 'CloseSeen'; readonly deadlineMs: number; readonly snapshotNumber?: number }
  | { readonly type: 'ContestSeen'; readonly deadlineMs: number; readonly snapshotNumber: number }
  /** `step`: the paid outputs by their references in the head; `distributed`: the same on the base ledger. */
  | {
      readonly type: 'FanoutSeen'
      readonly step: UtxoView
      readonly distributed: UtxoView
      readonly remaining: UtxoView
    }
  | { readonly type: 'PostFailed'; readonly post: ChainTx; readonly error: JsonText }
  | {
      readonly type: 'SyncChanged'
      readonly synced: boolean
      readonly driftSeconds: number
      readonly slot: number
      readonly timeMs: number
    }

/** An event of the base ledger. */
export type ChainEvent = Exclude<HeadEvent, { type: 'Input' | 'TxValidated' | 'SnapshotSigned' }>

/** Names the connection that sent an input; InvalidInput goes to it alone. */
export interface ClientRef {
  /** Number of the connection, from 1. */
  readonly id: number
}

/**
 * A transaction that the node posts to the base ledger. `accumulator`: that of the snapshot which the transaction
 * carries out; absent in states of earlier versions.
 */
export type ChainTx =
  | { readonly tag: 'InitTx' }
  | { readonly tag: 'AbortTx' | 'CollectComTx'; readonly head: HeadIdentity }
  | {
      readonly tag: 'IncrementTx'
      readonly head: HeadIdentity
      readonly depositTxId: string
      readonly utxo: UtxoView
      readonly accumulator?: string
    }
  | {
      readonly tag: 'DecrementTx'
      readonly head: HeadIdentity
      readonly utxo: UtxoView
      readonly accumulator?: string
      /** Version that its snapshot is signed with; absent in states of earlier releases. */
      readonly version?: number
    }
  | { readonly tag: 'RecoverTx'; readonly deposit: Deposit }
  | { readonly tag: 'CloseTx'; readonly head: HeadIdentity }
  /** `selection` null: all that remains. */
  | {
      readonly tag: 'FanoutTx' | 'PartialFanoutTx' | 'FinalPartialFanoutTx'
      readonly head: HeadIdentity
      readonly selection: UtxoView | null
    }
