import type { SubmitError } from '../../errors/operation.js'
import type { SnapshotConfirmedPayload } from '../payload.js'
import type { TxShape } from './txShape.js'

/** What becomes known about a transaction while somebody waits for it. */
export type TxFact =
  | { readonly state: 'valid' }
  | { readonly state: 'confirmed'; readonly number: number; readonly snapshot: SnapshotConfirmedPayload | null }
  | { readonly state: 'failed'; readonly error: SubmitError }

/** Hears the facts about one transaction. After 'confirmed' or 'failed' it hears nothing more. */
export type TxListener = (fact: TxFact) => void

/** A transaction that is followed. */
export interface TxEntry {
  readonly shape: TxShape
  /** Head it was sent into; null when that was not known. */
  readonly headId: string | null
  readonly listeners: Set<TxListener>
  valid: boolean
  /** Messages about it may have been missed, or it was sent a second time: a TxInvalid alone proves nothing. */
  doubtful: boolean
  /** Callers were told that it failed or that nobody knows. */
  told: boolean
  /** When the last listener left; kept a while for late confirmations. */
  leftAt: number
}
