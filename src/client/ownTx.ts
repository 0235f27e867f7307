import type { LayerBridge } from '../bridge/LayerBridge.js'
import { HeadStateError, NodeUnsyncedError } from '../errors/client.js'
import type { LedgerError } from '../errors/client.js'
import type { SubmitError } from '../errors/operation.js'
import type { Deferred } from './deferred.js'
import { decodeLedgerError } from './ledgerError.js'
import type { ConfirmedEnd } from './fate.js'
import type { HistoryLooks } from './HistoryLooks.js'
import type { PendingTx, PendingView } from './PendingView.js'
import type { SettledTx } from './types.js'

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
  /** The same as a time, ms since the Unix epoch. */
  readonly expiresAt: number | null
  /** Inputs that were confirmed outputs when it was built, as `txHash#index`. */
  readonly confirmedInputs: readonly string[]
  /** True once it was sent; false when it never will be. */
  readonly sent: Deferred<boolean>
  /** It has left for the node. */
  readonly submitted: Deferred<void>
  /** The node has taken it. */
  readonly valid: Deferred<void>
  /** The first word on it: the node has taken it, it has ended, or its outcome is uncertain. */
  readonly answered: Deferred<void>
  /** Nobody could say what became of it; it is watched on. */
  readonly uncertain: Deferred<Error>
  /** How it ended. */
  readonly end: Deferred<SettledTx>
  /** It was refused, or given up for another attempt, and is confirmed all the same. */
  readonly revised: Deferred<ConfirmedEnd>
  /** Transactions of this client that it builds on; none once it is confirmed. */
  parents: readonly OwnTx[]
  /** The node has refused it. */
  isRefused: boolean
  /** It can never be confirmed, for certain. */
  isDead: boolean
  /** Its end once it is confirmed. */
  confirmed: ConfirmedEnd | null
  /** Number of the connection that it was sent over: {@link OwnTxsContext.connections} at that time. */
  sentOver: number
  /** Its caller was told that it was refused: what is paid from then on has to exclude it. */
  isReported: boolean
  /** Whether nobody could say what became of it. */
  isUncertain: boolean
  /** An ancestor of it was refused. */
  refusedAncestor: LedgerError | null
  /**
   * It, or an ancestor of it, was not sent after all, for the connection was gone: it can be built again without paying
   * twice.
   */
  isOrphaned: boolean
}

/** What the transactions need of the client. */
export interface OwnTxsContext {
  /** Sends them, and knows the head's confirmed state. */
  readonly bridge: LayerBridge
  /** Where their inputs and outputs are kept. */
  readonly view: PendingView
  /** Number of connections so far. */
  readonly connections: number
  /** Looks for transactions in the node's history. */
  readonly history: HistoryLooks
  /** Slot of the head's ledger at a time, ms since the Unix epoch; null where it is not known. */
  slotAt(timeMs: number): number | null
  /** The pending view has changed. */
  changed(): void
  /** Calls `listener` after each change of the head's state. */
  subscribe(listener: () => void): () => void
  /** Keeps how a transaction ended. */
  remember(settled: SettledTx): void
  /** An earlier attempt with this id is not its end. */
  forget(txId: string): void
}

/** What the node's refusal of a transaction means to its caller. */
export function refusalOf(own: OwnTx, error: SubmitError, headStatus: string | null): Error {
  const { txId } = own.pending
  switch (error.tag) {
    case 'CommandFailed':
      return new HeadStateError('The payment', headStatus, ['Open'])
    case 'RejectedInputBecauseUnsynced':
      return new NodeUnsyncedError('The payment')
    case 'TxInvalid':
    case 'InvalidInput': {
      const ancestor = own.refusedAncestor
      return ancestor === null
        ? decodeLedgerError(txId, error.reason)
        : decodeLedgerError(txId, ancestor.nodeText, ancestor.ancestorTxId ?? ancestor.txId)
    }
    default:
      return error
  }
}

/** Whether the bridge verifies what the parties sign. */
export function isVerifying({ bridge }: { readonly bridge: Pick<LayerBridge, 'getSnapshot'> }): boolean {
  return bridge.getSnapshot().verified !== undefined
}
