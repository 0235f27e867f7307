import type { SubmitErrorTag } from '../../errors/operation.js'
import type { TxRefs } from './txRefs.js'
import type { TxState } from './TxState.js'

/**
 * State of a transaction that a bridge has submitted. `confirmed`: snapshot `snapshotNumber` holds it. `open`: no
 * snapshot that the bridge has seen does, `isValid` once its node has accepted it; `missed` is false while it has seen
 * every one since the transaction was sent, so that the head's outputs are proof. `unknown`: the bridge did not submit
 * it, or watches it no longer.
 */
export type TrackedTx =
  | { readonly state: 'confirmed'; readonly snapshotNumber: number }
  | { readonly state: 'open'; readonly isValid: boolean; readonly missed: boolean }
  | { readonly state: 'unknown' }

/**
 * Receives the states of one transaction for one caller; none after `confirmed`, `refused` or `unknown`, which is also
 * the end of a wait that ran out of time.
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
  /** It came with the node's local UTxO, which does not hold the transaction. */
  readonly checkedLocally?: boolean
  /**
   * It may be about another client's transaction (503 of POST /transaction), so that no progress event calls this one
   * invalid.
   */
  readonly ambiguous?: boolean
}

/** A transaction that is followed. */
export interface TxEntry {
  readonly refs: TxRefs
  /** Head it was sent into; null when that was not known. */
  readonly headId: string | null
  /** No snapshot had confirmed it when it was sent, as the current state showed. */
  readonly unconfirmedAtStart: boolean
  readonly listeners: Set<TxListener>
  /** The bytes that were sent last: CBOR hex. Null once no caller waits: refusals count no more. */
  cborHex: string | null
  /** A copy with other witnesses was refused: a refusal that quotes no transaction may be about that one. */
  copyRefused: boolean
  /** It is watched until then at least, ms of the monotonic clock. */
  readonly watchUntil: number
  current: TxState
  /** Messages about it may have been missed, or it was sent a second time: a refusal alone is no proof. */
  uncertain: boolean
  /** The first refusal, until the state of the head has decided whether it counts. */
  refusal: TxRefusal | null
  /** A caller got a failure, or an unknown outcome, as the result. */
  callerNotified: boolean
  /** Time at which the last listener left: the entry is kept for a while, for late confirmations. */
  lastListenerLeftAt: number
}
