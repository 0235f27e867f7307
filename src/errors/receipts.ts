import type { UTxO } from '../types/utxo.js'
import { adaText } from './adaText.js'
import { LayerSdkError } from './base.js'

/**
 * The history of the node, or the log of the gateway, no longer reaches back to a cursor, so receipts after it are
 * missing. Compare `unspent` with your bookings, then continue from `cursor`.
 */
export class HistoryGapError extends LayerSdkError<'CLIENT_HISTORY_GAP'> {
  override readonly name = 'HistoryGapError'
  /** Cursor from which `receipts()` can continue, after you have checked the missing receipts. */
  readonly cursor: string
  /**
   * Head `headId` (hex) and `snapshotNumber` after which receipts are missing; null when they were requested from the
   * beginning.
   */
  readonly after: { readonly headId: string; readonly snapshotNumber: number } | null
  /** Head `headId` (hex) and `snapshotNumber` from which receipts are known again. */
  readonly known: { readonly headId: string; readonly snapshotNumber: number }
  /**
   * Current unspent outputs of the addresses. They include missing receipts that are not spent, and older outputs. Null
   * when the head's outputs are not known.
   */
  readonly unspent: readonly UTxO[] | null
  constructor(details: Pick<HistoryGapError, 'cursor' | 'after' | 'known' | 'unspent'>) {
    const { after, known, unspent } = details
    super(
      'CLIENT_HISTORY_GAP',
      'The history no longer reaches back to the cursor: receipts in between are not known.',
      {
        expected:
          after === null
            ? 'a history from the beginning of the head'
            : `a history from snapshot ${after.snapshotNumber} of head ${after.headId} on`,
        got: `one from snapshot ${known.snapshotNumber} of head ${known.headId} on`,
        details: [
          unspent === null
            ? "The head's outputs are not known"
            : `${unspent.length} unspent outputs of the addresses stand in \`unspent\`: compare them with your bookings`,
          'Go on with `receipts({ after: error.cursor })`'
        ]
      }
    )
    this.cursor = details.cursor
    this.after = after
    this.known = known
    this.unspent = unspent
  }
}

/** A cursor of receipts is invalid, damaged or from another node. Pass the cursor of a receipt of this node. */
export class InvalidCursorError extends LayerSdkError<'CLIENT_CURSOR'> {
  override readonly name = 'InvalidCursorError'
  constructor(expected: string, got: string) {
    super('CLIENT_CURSOR', 'The cursor cannot be continued.', {
      expected,
      got,
      details: ['Pass a cursor as a receipt of this node stated it']
    })
  }
}

/** A payment request was not paid in full in time. A late payment still comes through `receipts()`. */
export class PaymentIncompleteError extends LayerSdkError<'CLIENT_PAYMENT_INCOMPLETE'> {
  override readonly name = 'PaymentIncompleteError'
  /** Sum that was received: lovelace, in decimal. */
  readonly received: string
  /** Sum that is missing: lovelace, in decimal. */
  readonly missing: string
  constructor(amount: bigint, received: bigint, payments: number) {
    super('CLIENT_PAYMENT_INCOMPLETE', 'The request was not paid in full in time.', {
      expected: `${adaText(amount)} ada`,
      got: `${adaText(received)} ada in ${payments} payments`,
      details: ['A later payment can still come: `receipts()` shows it']
    })
    this.received = String(received)
    this.missing = String(amount - received)
  }
}
