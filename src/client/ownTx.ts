import type { LayerBridge, TxState } from '../bridge/inner.js'
import { HeadStateError, NodeUnsyncedError } from '../errors/client.js'
import type { LedgerError } from '../errors/client.js'
import type { SubmitError } from '../errors/operation.js'
import { decodeLedgerError } from './ledgerError.js'
import type { CertainFate, ConfirmedEnd } from './certainFate.js'
import type { HistoryLooks } from './HistoryLooks.js'
import type { PendingTx, PendingView } from './PendingView.js'
import type { UTxO } from '../types/utxo.js'
import type { SettledTx } from './types.js'
import type { WaitableState } from './WaitableState.js'

/**
 * State of a transaction of this client: before the bridge has it, as the bridge reports it, and its end.
 *
 * - `reserved`: its inputs are reserved, and the bridge does not have it.
 * - `abandoned`: it was withdrawn before it was sent, and never is sent.
 * - `handedOver`: the bridge has it.
 * - `sent`, `valid`: as in {@link TxState}.
 * - `unknown`: the outcome is unknown; its state and history are reviewed. `isReviewed` after the first review.
 * - `superseded`: it was given up for another attempt, which excludes it; it may still be confirmed.
 * - `settled`: it has ended, in `end`. A rejected one may be confirmed all the same, and is settled again then.
 */
export type OwnTxState =
  | { readonly state: 'reserved' }
  | { readonly state: 'abandoned' }
  | { readonly state: 'handedOver' }
  | { readonly state: 'superseded' }
  | Extract<TxState, { state: 'sent' | 'valid' }>
  | {
      readonly state: 'unknown'
      /** Reason why the outcome is unknown. */
      readonly error: Error
      /** True after the first review of the head's state and history. */
      readonly isReviewed: boolean
    }
  | { readonly state: 'settled'; readonly end: SettledTx }

/** A transaction of this client from its reservation to its end. */
export interface OwnTx {
  /** Its inputs and outputs in the pending view. */
  readonly pending: PendingTx
  /** As it was built or given: CBOR hex. */
  readonly cborHex: string
  /** Lovelace. */
  readonly fee: bigint
  /** First slot at which it can no longer be confirmed; null: it carries no bound. */
  readonly expirySlot: number | null
  /** Time of `expirySlot`, ms since the Unix epoch. */
  readonly expiresAt: number | null
  /** Inputs that were confirmed outputs when it was built, as `txHash#index`. */
  readonly confirmedInputs: readonly string[]
  /** Its state, which calls wait for. */
  readonly progress: WaitableState<OwnTxState>
  /** Transactions of this client that it builds on; none once it is confirmed. */
  parents: readonly OwnTx[]
  /** Its final fate; `open` while that is not certain. */
  fate: CertainFate | 'open'
  /** Number of the connection that it was sent over: {@link OwnTxsContext.connections} at that time. */
  sentOver: number
  /** True once its caller was told that it was refused: later payments have to exclude it. */
  isReported: boolean
  /** The error of an ancestor that was refused; null: none was. */
  refusedAncestor: LedgerError | null
  /**
   * True when it, or an ancestor of it, was not sent because the connection was lost: it can be built again without
   * paying twice.
   */
  isOrphaned: boolean
}

/** A transaction that is to be reserved: `fee` in lovelace. */
export interface NewTx {
  readonly txId: string
  readonly cborHex: string
  readonly fee: bigint
  readonly inputs: readonly UTxO[]
  readonly outputs: readonly UTxO['output'][]
  /** Inputs that were confirmed outputs when it was built, `txHash#index`. @default those that are unspent now */
  readonly spent?: readonly string[]
}

/** Bound of a transaction: first `slot` at which it can no longer be confirmed, and the time `at` of it, ms. */
export interface TxExpiry {
  readonly slot: number
  readonly at: number
}

/** Parts of the client that follow the transactions. */
export interface OwnTxsContext {
  /** Sends them, and holds the head's confirmed state. */
  readonly bridge: LayerBridge
  /** Holds their inputs and outputs. */
  readonly view: PendingView
  /** Number of connections so far. */
  readonly connections: number
  /** Looks for transactions in the node's history. */
  readonly history: HistoryLooks
  /** Slot of the head's ledger at a time, ms since the Unix epoch; null where it is not known. */
  slotAt(timeMs: number): number | null
  /** Called when the pending view has changed. */
  changed(): void
  /** Calls `listener` after each change of the head's state. */
  subscribe(listener: () => void): () => void
  /** Stores the end of a transaction. */
  remember(settled: SettledTx): void
  /** Drops the stored end of a transaction that is sent again. */
  forget(txId: string): void
}

/** Resolves with the end of a transaction. */
export async function endOf({ progress }: OwnTx): Promise<SettledTx> {
  return (await progress.until('settled')).end
}

/** Resolves once a transaction is confirmed, also one that was refused or given up before. */
export async function confirmationOf({ progress }: OwnTx): Promise<ConfirmedEnd> {
  const { end } = await progress.until('settled', ({ end: each }) => each.outcome === 'confirmed')
  return end as ConfirmedEnd
}

/** Returns the error for the caller of a transaction that the node refused. */
export function ownRefusalOf(ownTx: OwnTx, error: SubmitError, headStatus: string | null): Error {
  const { txId } = ownTx.pending
  switch (error.tag) {
    case 'CommandFailed':
      return new HeadStateError('The payment', headStatus, ['Open'])
    case 'RejectedInputBecauseUnsynced':
      return new NodeUnsyncedError('The payment')
    case 'TxInvalid':
    case 'InvalidInput': {
      const ancestor = ownTx.refusedAncestor
      return ancestor === null
        ? decodeLedgerError(txId, error.reason)
        : decodeLedgerError(txId, ancestor.nodeText, ancestor.ancestorTxId ?? ancestor.txId)
    }
    default:
      return error
  }
}

/** True when the bridge verifies the signatures of the parties. */
export function isVerifying({ bridge }: { readonly bridge: Pick<LayerBridge, 'getSnapshot'> }): boolean {
  return bridge.getSnapshot().verified !== undefined
}
