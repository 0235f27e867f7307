import type { JsonText } from '../json/jsonText.js'
import type { UtxoView } from '../rules/utxoSet.js'
import type { ChainTx, Deposit, HeadTx, SignedLocalSnapshot } from './types.js'

/** A message that the node stores and broadcasts to all its clients. */
export type HeadMessage =
  | { readonly tag: 'HeadIsInitializing'; readonly headId: string; readonly parties: readonly string[] }
  | { readonly tag: 'Committed'; readonly headId: string; readonly party: string; readonly utxo: UtxoView }
  | {
      readonly tag: 'HeadIsOpen'
      readonly headId: string
      readonly parties: readonly string[]
      readonly utxo: UtxoView
    }
  | { readonly tag: 'HeadIsAborted'; readonly headId: string; readonly utxo: UtxoView }
  | {
      readonly tag: 'HeadIsClosed'
      readonly headId: string
      readonly snapshotNumber: number
      readonly deadlineMs: number
    }
  | {
      readonly tag: 'HeadIsContested'
      readonly headId: string
      readonly snapshotNumber: number
      readonly deadlineMs: number
    }
  | { readonly tag: 'ReadyToFanout'; readonly headId: string }
  | {
      readonly tag: 'HeadPartiallyFannedOut'
      readonly headId: string
      readonly distributed: UtxoView
      readonly remaining: UtxoView
      readonly mode: 'AutoFanningOut' | 'AwaitingFanoutSelection'
    }
  | { readonly tag: 'HeadIsFinalized'; readonly headId: string; readonly utxo: UtxoView }
  | { readonly tag: 'TxValid'; readonly headId: string; readonly txId: string }
  | {
      readonly tag: 'TxInvalid'
      readonly headId: string
      readonly tx: HeadTx
      readonly utxo: UtxoView
      readonly reason: string
    }
  | { readonly tag: 'SnapshotConfirmed'; readonly headId: string; readonly signed: SignedLocalSnapshot }
  | { readonly tag: 'CommitRecorded'; readonly headId: string; readonly deposit: Deposit }
  | { readonly tag: 'DepositActivated'; readonly headId: string; readonly deposit: Deposit; readonly timeMs: number }
  | { readonly tag: 'DepositExpired'; readonly headId: string; readonly deposit: Deposit; readonly timeMs: number }
  | { readonly tag: 'CommitApproved'; readonly headId: string; readonly utxo: UtxoView }
  | { readonly tag: 'CommitFinalized'; readonly headId: string; readonly depositTxId: string }
  | { readonly tag: 'CommitRecovered'; readonly headId: string; readonly depositTxId: string; readonly utxo: UtxoView }
  | { readonly tag: 'DecommitRequested'; readonly headId: string; readonly tx: HeadTx; readonly utxo: UtxoView }
  | { readonly tag: 'DecommitApproved'; readonly headId: string; readonly txId: string; readonly utxo: UtxoView }
  | { readonly tag: 'DecommitFinalized'; readonly headId: string; readonly utxo: UtxoView }
  | {
      readonly tag: 'DecommitInvalid'
      readonly headId: string
      readonly tx: HeadTx
      readonly cause: { readonly otherTxId: string } | { readonly utxo: UtxoView; readonly reason: string }
    }
  | { readonly tag: 'SnapshotSideLoaded'; readonly headId: string; readonly snapshotNumber: number }
  | { readonly tag: 'NetworkConnected' }
  | { readonly tag: 'PeerConnected'; readonly port: number }
  | { readonly tag: 'NetworkBroadcastStalled' }
  | { readonly tag: 'NetworkBroadcastResumed' }
  | { readonly tag: 'NodeSynced'; readonly slot: number; readonly timeMs: number; readonly driftSeconds: number }
  | { readonly tag: 'NodeUnsynced'; readonly slot: number; readonly timeMs: number; readonly driftSeconds: number }

/** A message to all clients that is not stored. */
export type ClientMessage =
  | { readonly tag: 'CommandFailed'; readonly inputTag: string; readonly echo: JsonText }
  | {
      readonly tag: 'RejectedInputBecauseUnsynced'
      readonly inputTag: string
      readonly echo: JsonText
      readonly driftSeconds: number
    }
  | {
      readonly tag: 'RejectedInputBecauseBroadcastStalled'
      readonly inputTag: string
      readonly txId: string
      readonly echo: JsonText
    }
  | { readonly tag: 'SideLoadSnapshotRejected'; readonly echo: JsonText; readonly failure: JsonText }
  | { readonly tag: 'PostTxOnChainFailed'; readonly post: ChainTx; readonly error: JsonText }
