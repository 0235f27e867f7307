import type { ChainEvent, ChainTx } from '../head/types.js'
import type { PreparedTx } from '../rules/preparedTx.js'

/** A task that the node runs at a later time. Tasks are plain data, so that they can be saved with the node's state. */
export type AgendaTask =
  /** A transaction of the head arrives at the base ledger. */
  | { readonly do: 'settle'; readonly post: ChainTx }
  /** A submitted transaction has been on the base ledger for a block: it may be a deposit, or a commit. */
  | { readonly do: 'seeBaseTx'; readonly tx: PreparedTx }
  /** A layer-two transaction that could not be applied is tried again. */
  | { readonly do: 'retryTx'; readonly tx: PreparedTx; readonly retriesLeft: number }
  /** The simulated parties make empty commits. */
  | { readonly do: 'commitOthers'; readonly parties: readonly string[] }
  /** A party contests a closure with an old snapshot. */
  | { readonly do: 'contest' }
  /** A party sees events of the base ledger later than the first one. */
  | { readonly do: 'seeChain'; readonly event: ChainEvent }
  /** A party that had a decommit in flight checks once more if it can accept a second one. */
  | { readonly do: 'lateDecommit'; readonly tx: PreparedTx }
  /** The node has caught up with the chain. */
  | { readonly do: 'sync' }
