import type { UTxO } from '../types/utxo.js'
import { adaText } from './adaText.js'
import { LayerSdkError } from './base.js'

/**
 * The history of the node, or the log of the gateway, no longer reaches back to a cursor: receipts in between are not
 * known.
 */
export class HistoryGapError extends LayerSdkError<'CLIENT_HISTORY_GAP'> {
  override readonly name = 'HistoryGapError'
  /** Cursor at which `receipts()` can go on, once what is missing has been looked after. */
  readonly cursor: string
  /**
   * Head `headId` (hex) and `snapshotNumber` after which receipts are missing; null where they were wanted from the
   * beginning.
   */
  readonly after: { readonly headId: string; readonly snapshotNumber: number } | null
  /** Head `headId` (hex) and `snapshotNumber` from which on they are known again. */
  readonly known: { readonly headId: string; readonly snapshotNumber: number }
  /**
   * Unspent outputs of the addresses now: among them are those that came in between and were not spent, and earlier
   * ones; null where the head's outputs are not known.
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

/** A cursor is made up, damaged, or of another node. */
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

/** A request for money was not paid in full in time. */
export class PaymentIncompleteError extends LayerSdkError<'CLIENT_PAYMENT_INCOMPLETE'> {
  override readonly name = 'PaymentIncompleteError'
  /** Sum that has come: lovelace, in decimal. */
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
