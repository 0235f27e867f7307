import type { ConnectionState, LayerHeadStatus, PayloadOf } from '../bridge/inner.js'
import type { DepositTimes } from '../codec/depositPhase.js'
import type { DepositEndpointHint } from '../codec/endpointHint.js'
import type { RuleVersions } from '../errors/verification.js'
import type { Blueprint, BuiltTransaction } from '../tx/inner.js'
import type { Transaction } from '../types/transaction.js'
import type { Amount, TxOutput, UTxO } from '../types/utxo.js'
import type { CostOptions } from './costs.js'
import type { OnceOptions } from './beforeSend.js'
import type { Contest, WaitingFor } from './PartyWatch.js'
import type { ActionOptions } from './deadline.js'

/** A step of an action. No step is reported once the action's promise has settled. */
export interface ActionProgress<Action extends string = string, State extends string = string> {
  /** The action that reports it: the method's name, e.g. `'pay'`. */
  readonly action: Action
  /** The step that has been completed. */
  readonly state: State
  /** Transaction id, from the step on where there is one: hex, 64 characters. */
  readonly txId?: string
  /** With `built` and `split`: fee of the transaction, lovelace. */
  readonly fee?: bigint
  /** With steps of a deposit from `recorded` on: when the head can include it, and when it can be recovered. */
  readonly times?: DepositTimes
}

/** Steps of a transaction inside the head, in their order; `valid`: the node's ledger has accepted it. */
export type TxStep = 'built' | 'signed' | 'submitted' | 'valid' | 'confirmed'
/** Steps of {@link DepositResult | a deposit}. */
export type DepositStep =
  'split' | 'drafted' | 'signed' | 'submitted' | 'recorded' | 'activated' | 'approved' | 'confirmed'
/** Steps of a withdrawal; `split`: the amount was split off inside the head; `approved`: all parties have approved. */
export type WithdrawStep = 'split' | 'built' | 'signed' | 'submitted' | 'approved' | 'confirmed'
/** Steps of opening, closing and fanning out. */
export type HeadStep =
  | 'submitted'
  | 'initializing'
  | 'open'
  | 'closed'
  | 'contested'
  | 'readyToFanout'
  | 'partiallyFannedOut'
  | 'finalized'
  | 'aborted'

/** Options of every action that reports its steps. */
export interface WithProgress<Action extends string, State extends string> extends ActionOptions {
  /** Called at each step; an error that it throws goes to `onHandlerError`. @default no reports */
  onProgress?: ((progress: ActionProgress<Action, State>) => void) | undefined
}

/** Result of {@link HeadClient.closeHead}: the node's HeadIsClosed, with its time in ms. */
export type HeadClosed = Omit<PayloadOf<'HeadIsClosed'>, 'contestationDeadline'> & {
  /** End of the contestation period, ms since the Unix epoch: then the head can be fanned out. Null when unknown. */
  readonly contestationDeadline: number | null
}

/** Arguments of the actions that close, contest, fan out or abort a head. */
export type HeadLifeArgs<Action extends string = string> = WithProgress<Action, HeadStep>

/**
 * End of a transaction, e.g. after its action has resolved or rejected. `txId`: hex, 64 characters. Confirmed: the
 * `snapshotNumber` that holds it, with `exact: false` where it was found in the state of that snapshot. Rejected: the
 * `error`. The `outcome` is `'unknown'` when its validity is over and neither state nor history shows the spender of
 * its inputs.
 */
export type SettledTx =
  | {
      /** Hex, 64 characters. */
      readonly txId: string
      readonly outcome: 'confirmed'
      /** Number of the snapshot that holds it. */
      readonly snapshotNumber: number
      /** True: `snapshotNumber` confirmed it. False: it was found in the state of that snapshot. */
      readonly exact: boolean
      /**
       * True with the option `verify`: outputs that all parties have signed show its effect. False: only the node
       * reports it.
       */
      readonly verified: boolean
    }
  | { readonly txId: string; readonly outcome: 'rejected'; readonly error: Error }
  | { readonly txId: string; readonly outcome: 'unknown' }

/** Options of every action that sends a transaction into the head. */
export interface SendOptions<Action extends string = string>
  extends WithProgress<Action, TxStep>, CostOptions, OnceOptions {
  /**
   * Step at which the action resolves: `'sent'` to the node, `'valid'` in the node's ledger, or `'confirmed'` by a
   * snapshot. @default 'confirmed'
   */
  wait?: 'confirmed' | 'valid' | 'sent' | undefined
  /**
   * How many times a refused payment is built again while the head's state does not show the reason. If another client
   * spent its inputs first, it is built again until the timeout, and that does not count. 0: never built again.
   * @default 2
   */
  retries?: number | undefined
  /**
   * Called when the transaction's end becomes known after the action resolved or rejected without it, and when a
   * payment that was refused is confirmed all the same, which it can be until its own bound.
   */
  onSettled?: ((settled: SettledTx) => void) | undefined
}

/** Arguments of {@link HeadClient.pay}. */
export interface PayArgs extends SendOptions<'pay'> {
  /** Receiver: bech32. */
  to: string
  /**
   * Lovelace, or amounts of several units; lovelace may be left out of the list: the output then holds the least that
   * the ledger accepts.
   */
  amount: bigint | readonly Amount[]
  /** Inline datum: CBOR hex, or anything with a `toCbor()`. */
  datum?: string | { toCbor(): string } | undefined
  /** Metadata by label, as in `TxBuilder.metadata`: `toCbor()` gives CBOR hex. */
  metadata?: Readonly<Record<string | number, { toCbor(): string }>> | undefined
}

/** Arguments of {@link HeadClient.payMany}. */
export interface PayManyArgs extends SendOptions<'payMany'> {
  /** Receivers and amounts, one output each, in the order of the results. */
  payments: readonly Pick<PayArgs, 'to' | 'amount' | 'datum'>[]
}

/** Arguments of {@link HeadClient.consolidate}. */
export type ConsolidateArgs = Omit<SendOptions<'consolidate'>, 'id'>

/** A transaction: CBOR hex, one that was built, or the node's envelope; signed or not. */
export type AnyTransaction = string | BuiltTransaction | (Pick<Transaction, 'cborHex'> & Partial<Transaction>)

/** A transaction that was sent. */
export interface TxResult {
  /** Hex, 64 characters. */
  txId: string
  /** Snapshot that holds it; undefined unless the action waited for it. */
  snapshotNumber?: number
  /** True: `snapshotNumber` confirmed it. False: after a gap, it was found in the state of that snapshot. */
  exact?: boolean
  /**
   * Once confirmed: true with the option `verify`, where outputs that all parties have signed show it; false where only
   * the node reports it.
   */
  verified?: boolean
  /** Lovelace. */
  fee: bigint
}

/** Arguments of {@link HeadClient.deposit}: an amount, outputs of the base ledger, or an amount out of such outputs. */
export interface DepositArgs extends WithProgress<'deposit', DepositStep>, CostOptions, OnceOptions {
  /**
   * Lovelace, or amounts of several units. Exactly so much enters the head. Lovelace may be left out of the list: it is
   * then the least that a deposit has to hold on the base ledger.
   */
  amount?: bigint | readonly Amount[] | undefined
  /** Outputs of the base ledger: all of them whole, or with `amount` a part of them. */
  utxos?: readonly UTxO[] | undefined
  /**
   * A deposit of your own design, of script outputs too, instead of `amount` and `utxos`: `TxBuilder.blueprint()` or
   * `scriptBlueprint()`. Nodes from 1.1 on.
   */
  blueprint?: Blueprint | undefined
  /**
   * Address that holds the `amount` in the head, of a script or of another owner: bech32. Nodes from 1.1 on. @default
   * the wallet's own
   */
  to?: string | undefined
  /** Inline datum of the output at `to`: CBOR hex, or anything with `toCbor()`. @default none */
  datum?: string | { toCbor(): string } | undefined
  /** Address of the change of `utxos`: bech32. @default the wallet's change address */
  changeAddress?: string | undefined
  /** Latest time at which the deposit may become final, ms since the Unix epoch; after it the action rejects. */
  expiresAt?: number | undefined
  /** How many times a new draft is requested when a draft expired before it was signed. @default 2 */
  retries?: number | undefined
  /**
   * Longest time until the deposit can be recovered when the head does not include it, ms; a draft that locks it longer
   * is refused.
   * @default computed from the periods that the node states, and 30 days at most
   */
  maxLock?: number | undefined
  /**
   * Hash of the script that holds deposits, from a source that you trust: hex, 56 characters; a draft for another is
   * refused. @default any script
   */
  depositScript?: string | undefined
  /** Endpoints of the head for the deposit's metadata, for wallets to find. Nodes from 1.1 on. @beta @default none */
  endpointHint?: DepositEndpointHint | undefined
}

/** A deposit that is in the head, with the times that bounded it. */
export interface DepositResult extends DepositTimes {
  /** Hex, 64 characters. */
  depositTxId: string
  /** Outputs that entered the head. */
  utxo: UTxO[]
  /** True with the option `verify`: outputs that all parties have signed show it. False: only the node reports it. */
  verified: boolean
}

/** Arguments of {@link HeadClient.withdraw}: an amount, outputs, or `all`. */
export interface WithdrawArgs extends WithProgress<'withdraw', WithdrawStep>, CostOptions, OnceOptions {
  /** Lovelace, or amounts of several units. Exactly so much leaves the head. */
  amount?: bigint | readonly Amount[] | undefined
  /** Outputs of the head that leave it whole, in place of `amount`. */
  utxos?: readonly UTxO[] | undefined
  /**
   * True: even the last output that can be collateral for scripts in the head (5 ada or more without tokens, datum and
   * script) leaves. Without `amount` and `utxos`: all outputs of the wallet leave. @default false
   */
  all?: boolean | undefined
  /** True sends even a decommit that the base ledger would refuse: an approved one cannot be undone. @default false */
  force?: boolean | undefined
  /** Receiver on the base ledger: bech32. @default the wallet's change address */
  to?: string | undefined
}

/** Outputs that have left the head. */
export interface WithdrawResult {
  /** Hex, 64 characters. */
  decommitTxId: string
  /** Outputs that have arrived on the base ledger. */
  utxo: TxOutput[]
  /**
   * True with the option `verify`: outputs that all parties have signed no longer hold it. False: only the node reports
   * it.
   */
  verified: boolean
}

/** The result of `status()`. */
export interface ClientStatus {
  /** State of the connection. */
  readonly state: ConnectionState
  /** State of the head; null until known. */
  readonly headStatus: LayerHeadStatus | null
  /** Id of the head: hex, 56 characters; null before the first head. */
  readonly headId: string | null
  /** The node's version; null until known. */
  readonly nodeVersion: string | null
  /** Hydra verification keys: hex, 64 characters; null until known. */
  readonly parties: readonly string[] | null
  /** Number of the newest snapshot; null before the first. */
  readonly snapshotNumber: number | null
  /** End of the contestation period, ms since the Unix epoch; null until known. */
  readonly contestationDeadline: number | null
  /** True when the node has caught up with the base ledger; null until it says so. */
  readonly synced: boolean | null
  /** True when balances can be read. */
  readonly ready: boolean
  /** True when outputs of other addresses are left out by a filter. */
  readonly partial: boolean
  /** Number of this client's transactions that are not settled. */
  readonly pending: number
  /** The late snapshot and the parties that hold it up; present once it is three seconds late. */
  readonly waitingFor?: WaitingFor
  /** The newest contest of the closing; present once it was contested. */
  readonly contest?: Contest
  /** Peers of the node by name, true while connected; present if the node names them. */
  readonly peers?: Readonly<Record<string, boolean>>
  /** Number of the newest verified snapshot, null before the first; present with the option `verify` only. */
  readonly verified?: number | null
  /** Number of unverified snapshots once verification is two seconds behind, else 0; with the option `verify` only. */
  readonly waiting?: number
  /**
   * Versions of a node that is newer than the option `verify` supports, so no balance is shown. Update layer-sdk, or
   * omit `verify`.
   */
  readonly unknownRule?: RuleVersions
}

/** Report of `watchTxs`, for every transaction that the node reports. */
export interface WatchedTx {
  /** Hex, 64 characters. */
  readonly txId: string
  /**
   * `submitted`: this client has sent it. `valid`: the node has accepted it. `confirmed`: a snapshot holds it.
   * `invalid`: the node has refused it.
   */
  readonly state: 'submitted' | 'valid' | 'confirmed' | 'invalid'
  /** True when this client sent it. */
  readonly own: boolean
  /** With `confirmed`: number of the snapshot that holds it. */
  readonly snapshotNumber?: number
  /**
   * With `confirmed`: true with the option `verify`, where outputs that all parties have signed show it; false where
   * only the node reports it.
   */
  readonly verified?: boolean
  /** With `invalid`: the reason that the node states. */
  readonly reason?: string
  /**
   * Sums of the outputs that it spends, by address (bech32); null where one of them is not known, or the node names the
   * transaction by its id alone, as with `valid`.
   */
  readonly sent: Readonly<Record<string, readonly Amount[]>> | null
  /** Sums of the outputs that it makes, by address; null where the node names it by its id alone. */
  readonly received: Readonly<Record<string, readonly Amount[]>> | null
}
