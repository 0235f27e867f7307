import type { SnapshotConfirmedPayload } from '../protocol/messages.js'
import type { TxEntry } from './TxEntry.js'
import type { TxRefs } from './txRefs.js'

/** The confirmed state of the head, as far as the node serves it. */
export interface HeadEvidence {
  /** False where the connector or the node serves no state at all: then only messages and the history decide. */
  readonly available: boolean
  readonly hasHead: boolean
  /** Null where the source does not include it. */
  readonly headId: string | null
  /** Number of the snapshot; null where the source does not include it. */
  readonly number: number | null
  /** Ids in the list of the newest snapshot. */
  readonly confirmed: ReadonlySet<string>
  /**
   * Ids that the node has applied and no snapshot has confirmed yet; null where the node does not report them.
   * Requested before the rest.
   */
  readonly pending: ReadonlySet<string> | null
  /**
   * Transactions that had been refused when the state was requested: for one refused later the state may be too old.
   */
  readonly refused: ReadonlySet<TxEntry>
  isUnspent(ref: string): boolean
  readonly record: SnapshotConfirmedPayload | null
}

/** Knowledge of the tracker that is needed in addition to the head's state. */
export interface ReconcileContext {
  /** Number of the newest snapshot that has come over the connection; null before the first. */
  readonly lastNumber: number | null
  find(txId: string): TxEntry | undefined
}

/** Decision about a transaction by the state of the head. `undecided`: only the history can decide. */
export type Reconciled = 'confirmed' | 'valid' | 'waiting' | 'refused' | 'undecided'

/**
 * Returns true when the head holds an output of a transaction and none that the transaction spends, so that a snapshot
 * has confirmed it.
 */
export function isInLedger({ txId, inputs, outputCount }: TxRefs, isUnspent: (ref: string) => boolean): boolean {
  if (inputs.some(isUnspent)) return false
  for (let index = 0; index < outputCount; index++) if (isUnspent(`${txId}#${index}`)) return true
  return false
}

/**
 * Returns true when a transaction that is sent now is in no snapshot yet: all its inputs are unspent in a current
 * state, or come from transactions for which the same holds. Every later confirmation then arrives as a message, unless
 * messages are missed.
 */
export function isUnconfirmed(
  refs: TxRefs,
  isUnspent: (ref: string) => boolean,
  find: ReconcileContext['find']
): boolean {
  return (
    refs.inputs.length > 0 &&
    refs.inputs.every((ref) => {
      const parent = find(ref.slice(0, 64))
      return isUnspent(ref) || (parent?.unconfirmedAtStart === true && !parent.uncertain)
    })
  )
}

/**
 * Decides a transaction by the state of the head. Every refusal passes through here before it reaches a caller,
 * whatever its text: the node also refuses a copy of a transaction that is confirmed, with a text that differs between
 * versions of the ledger.
 */
export function reconcile(entry: TxEntry, state: HeadEvidence, context: ReconcileContext): Reconciled {
  const { refs, headId, refusal, uncertain } = entry
  if (state.confirmed.has(refs.txId) || isInLedger(refs, state.isUnspent)) return 'confirmed'
  if (refusal === null) return !state.available || mayStillConfirm(entry, state, context) ? 'waiting' : 'undecided'
  if (!state.refused.has(entry)) return 'waiting'
  if (state.pending?.has(refs.txId) === true) return 'valid'
  const isSameHead = state.hasHead && (headId === null || state.headId === null || headId === state.headId)
  if (isSameHead && refs.inputs.length > 0 && refs.inputs.every((ref) => state.isUnspent(ref))) {
    // No snapshot has it. The node may have applied a copy that was sent before messages were missed.
    return uncertain && state.pending === null && !refusal.checkedLocally ? 'waiting' : 'refused'
  }
  // Another transaction has spent an input: its own confirmation would have been seen. A state ahead of the messages
  // means that some are missing.
  const isComplete = state.number === null || (context.lastNumber !== null && state.number <= context.lastNumber)
  return entry.unconfirmedAtStart && !uncertain && isSameHead && isComplete ? 'refused' : 'undecided'
}

// Its inputs are all unspent, or outputs of others that are under way, so its outcome is open.
function mayStillConfirm({ refs, headId }: TxEntry, state: HeadEvidence, { find }: ReconcileContext): boolean {
  if (!state.hasHead || (headId !== null && state.headId !== null && headId !== state.headId)) return false
  return (
    refs.inputs.length > 0 && refs.inputs.every((ref) => state.isUnspent(ref) || find(ref.slice(0, 64)) !== undefined)
  )
}
