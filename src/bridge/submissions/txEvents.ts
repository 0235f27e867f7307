import type { SubmitError, SubmitErrorTag } from '../../errors/operation.js'
import type { SnapshotConfirmedPayload } from '../protocol/messages.js'
import type { TxRefs } from './txRefs.js'

/** What becomes known about a transaction while a caller waits for it. */
export type TxEvent =
  | { readonly state: 'valid' }
  | { readonly state: 'confirmed'; readonly number: number; readonly snapshot: SnapshotConfirmedPayload | null }
  | { readonly state: 'failed'; readonly error: SubmitError }

/** Receives the events of one transaction; none after 'confirmed' or 'failed'. */
export type TxListener = (event: TxEvent) => void

/** A refusal, with the node's text. It counts only when the state of the head agrees. */
export interface TxRefusal {
  readonly tag: SubmitErrorTag
  readonly reason: string
  readonly details?: readonly string[]
  /** It came with the node's local UTxO, which does not hold the transaction. */
  readonly checkedLocally?: boolean
  /** It may be about another client's transaction (503 of POST /transaction), so that no progress event calls this one invalid. */
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
  valid: boolean
  /** Messages about it may have been missed, or it was sent a second time: a refusal alone proves nothing. */
  uncertain: boolean
  /** The first refusal, until the state of the head has decided whether it counts. */
  refusal: TxRefusal | null
  /** A caller got a failure, or an unknown outcome, as the result. */
  callerNotified: boolean
  /** When the last listener left: the entry is kept for a while, for late confirmations. */
  lastListenerLeftAt: number
}
