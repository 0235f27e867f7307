import type { SnapshotConfirmedPayload } from '../payload.js'
import type { TxShape } from './txShape.js'

/** The state that transactions are judged by after a gap. */
export interface JudgedState {
  readonly hasHead: boolean
  /** Null where the source does not say. */
  readonly headId: string | null
  readonly number: number
  readonly confirmed: ReadonlySet<string>
  isUnspent(ref: string): boolean
  readonly record: SnapshotConfirmedPayload | null
}

/** Whether the head's outputs hold one of a transaction's own: then a snapshot has confirmed it. */
export function isInLedger({ txId, outputCount }: TxShape, isUnspent: (ref: string) => boolean): boolean {
  for (let index = 0; index < outputCount; index++) if (isUnspent(`${txId}#${index}`)) return true
  return false
}

/**
 * Whether a transaction that the state does not show as confirmed may still be: its inputs are all unspent, or come from others that are
 * `underWay`, so nothing has been decided.
 *
 * @param headId - the head it was sent into; null when that was not known
 */
export function mayStillConfirm(shape: TxShape, headId: string | null, state: JudgedState, underWay: (txId: string) => boolean): boolean {
  if (!state.hasHead || (headId !== null && state.headId !== null && headId !== state.headId)) return false
  return shape.inputs.length > 0 && shape.inputs.every((ref) => state.isUnspent(ref) || underWay(ref.slice(0, 64)))
}
