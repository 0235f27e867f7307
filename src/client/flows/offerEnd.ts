import { isVerifying } from '../ownTx.js'
import { refOf } from '../PendingView.js'
import type { ClientContext } from '../ClientContext.js'
import type { UTxO } from '../../types/utxo.js'

/**
 * End of an offer. `accepted`: its transaction is confirmed, in snapshot `snapshotNumber`. `expired`: the head's ledger
 * is past its upper bound of validity. `withdrawn`: its maker spent one of its inputs. `spent`: another transaction
 * spent one of them. `closed`: the head ended without it. All of these are final. `released`: its maker withdrew it but
 * cannot spend any of its inputs alone, so it can be accepted until it expires.
 */
export type OfferEnd =
  | {
      /** Its transaction is confirmed. */
      readonly state: 'accepted'
      /** Hex, 64 characters. */
      readonly txId: string
      /** Number of the snapshot that confirmed it. */
      readonly snapshotNumber: number
    }
  | {
      /** The other ends, described above: it was not accepted. */
      readonly state: 'expired' | 'withdrawn' | 'spent' | 'closed' | 'released'
    }

/** An offer of this client. */
export interface MadeOffer {
  /** Its transaction, which is searched for in the history. */
  readonly pending: {
    /** Hex, 64 characters, lower case. */
    readonly txId: string
  }
  readonly headId: string
  /** ms since the Unix epoch. */
  readonly expiresAt: number
  readonly inputs: readonly UTxO[]
  readonly outputs: readonly UTxO[]
  /** Ids of the transactions that withdraw it, sent or about to be: one for each call. */
  readonly withdrawals: Set<string>
  /** True once one of them is confirmed. */
  isWithdrawn: boolean
}

/** Parts of the client that decide on an offer. */
type OfferContext = Pick<ClientContext, 'bridge' | 'ledger' | 'settled' | 'connection'>

/** True while an offer can be accepted, as far as this client knows: its outputs are kept back. No I/O. */
export function isOfferOpen({ bridge }: OfferContext, { headId, expiresAt, inputs }: MadeOffer): boolean {
  const { headId: current, headStatus } = bridge.getSnapshot()
  if (Date.now() >= expiresAt || (current !== null && current !== headId)) return false
  if (headStatus !== null && headStatus !== 'Open') return false
  return inputs.every((utxo) => bridge.isUnspent(refOf(utxo)) !== false)
}

/**
 * Returns the end of the offer by the head's state and its history; null while neither decides it.
 *
 * @param isPast - resolves with true once the ledger is past a time, and no snapshot with the transaction is being
 * signed
 */
export async function offerEnd(
  context: OfferContext,
  made: MadeOffer,
  isPast: (txId: string, timeMs: number) => Promise<boolean>
): Promise<OfferEnd | null> {
  const accepted = acceptedBy(context, made)
  if (accepted !== null) return accepted
  const { bridge } = context
  const { state, ready, headId, headStatus } = bridge.getSnapshot()
  if (state !== 'connected') return null
  // A node that another party's snapshot overtook learns that until the contestation period is over.
  const isClosed = (headId !== null && headId !== made.headId) || headStatus === 'Idle' || headStatus === 'Final'
  const isSpent = !isClosed && ready && made.inputs.some((utxo) => bridge.isUnspent(refOf(utxo)) === false)
  if (isClosed || isSpent) {
    if (isWithdrawn(context, made)) return { state: 'withdrawn' }
    const found = await context.connection.history.find(made)
    if (found?.status === 'confirmed')
      return { state: 'accepted', txId: made.pending.txId, snapshotNumber: found.snapshotNumber }
    // A history is not signed as a whole: a relay can leave a transaction out.
    if (found === null || !('isComplete' in found) || !found.isComplete || isVerifying(context)) return null
    return acceptedBy(context, made) ?? { state: isClosed ? 'closed' : 'spent' }
  }
  if (!ready || Date.now() < made.expiresAt || !(await isPast(made.pending.txId, made.expiresAt))) return null
  // It may have been confirmed during the request.
  const isUntouched = made.inputs.every((utxo) => bridge.isUnspent(refOf(utxo)) === true)
  return acceptedBy(context, made) ?? (isUntouched ? { state: 'expired' } : null)
}

/** True once the withdrawal is confirmed: the message may come before the call that sent it resolves. */
function isWithdrawn({ bridge, settled }: OfferContext, made: MadeOffer): boolean {
  made.isWithdrawn ||= [...made.withdrawals].some(
    (txId) => settled.get(txId)?.outcome === 'confirmed' || bridge.trackedTx(txId).state === 'confirmed'
  )
  return made.isWithdrawn
}

function acceptedBy({ bridge, settled }: OfferContext, made: MadeOffer): OfferEnd | null {
  const { txId } = made.pending
  const settledTx = settled.get(txId)
  if (settledTx?.outcome === 'confirmed') return { state: 'accepted', txId, snapshotNumber: settledTx.snapshotNumber }
  const tracked = bridge.trackedTx(txId)
  if (tracked.state === 'confirmed') return { state: 'accepted', txId, snapshotNumber: tracked.snapshotNumber }
  const { state, ready, headId } = bridge.getSnapshot()
  const isThere =
    state === 'connected' &&
    ready &&
    headId === made.headId &&
    made.outputs.some((utxo) => bridge.isUnspent(refOf(utxo)) === true)
  return isThere ? { state: 'accepted', txId, snapshotNumber: bridge.lastSnapshotNumber } : null
}
