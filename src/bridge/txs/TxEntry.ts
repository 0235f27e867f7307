import type { SubmitErrorTag } from '../../errors/operation.js'
import type { TxRefs } from './txRefs.js'
import type { TxState } from './TxState.js'

/**
 * State of a transaction that a bridge has submitted. `confirmed`: snapshot `snapshotNumber` holds it. `open`: no
 * snapshot that the bridge has seen holds it. `isValid`: the node has accepted it. `missed`: false while the bridge has
 * seen every snapshot since the transaction was sent, so that the head's outputs prove its state. `unknown`: the bridge
 * did not submit it, or no longer watches it.
 */
export type TrackedTx =
  | { readonly state: 'confirmed'; readonly snapshotNumber: number }
  | { readonly state: 'open'; readonly isValid: boolean; readonly missed: boolean }
  | { readonly state: 'unknown' }

/**
 * Receives the states of one transaction for one caller; none after `confirmed`, `refused` or `unknown`. A wait that
 * runs out of time ends with `unknown` too.
 */
export type TxListener = (tx: TxState) => void

/** A refusal, with the node's text. It counts only when the state of the head agrees. */
export interface TxRefusal {
  readonly tag: SubmitErrorTag
  readonly reason: string
  /** The refused transaction: CBOR hex, where the message quotes it. */
  readonly cborHex?: string | undefined
  /** Head that the message names. */
  readonly headId?: string | undefined
  readonly details?: readonly string[]
  /** True when it came with the node's local UTxO, which does not hold the transaction. */
  readonly checkedLocally?: boolean
  /**
   * True when it may be about another client's transaction (503 of POST /transaction). Then no event `onTxProgress`
   * reports this transaction as invalid.
   */
  readonly ambiguous?: boolean
}

/** A transaction that is followed. */
export interface TxEntry {
  readonly refs: TxRefs
  /** Head it was sent into; null when that was not known. */
  readonly headId: string | null
  /** True when the state at the time of sending showed that no snapshot had confirmed it. */
  readonly unconfirmedAtStart: boolean
  readonly listeners: Set<TxListener>
  /** The bytes that were sent last: CBOR hex. Null once no caller waits: refusals then no longer count. */
  cborHex: string | null
  /** True when a copy with other witnesses was refused: a refusal that quotes no transaction may be about the copy. */
  copyRefused: boolean
  /** Time until which it is watched at least, ms of the monotonic clock. */
  readonly watchUntil: number
  current: TxState
  /** True when messages about it may have been missed, or it was sent twice: a refusal alone is then no proof. */
  uncertain: boolean
  /** The first refusal, until the state of the head has decided whether it counts. */
  refusal: TxRefusal | null
  /** True when a caller got a failure, or an unknown outcome, as the result. */
  callerNotified: boolean
  /** Time at which the last listener left: the entry is kept for a while, for late confirmations. */
  lastListenerLeftAt: number
}
