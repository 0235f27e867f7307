import type { PaidRequest, WaitForPaymentArgs } from '../actions/waitForPayment.js'
import type { ActionOptions } from '../deadline.js'
import type { HeadTransaction, Receipt, ReceiptsArgs } from '../receipts/types.js'
import type { PaymentRequest } from '../requests/paymentRequest.js'

/** The actions of a head client that show payments and their senders. */
export interface HeadReceipts {
  /**
   * Returns a transaction by its id (hex, 64 characters): decoded, its inputs resolved, with snapshot and state; null
   * when neither state nor history contains it. See {@link getTransaction}.
   * @throws {@link InvalidArgumentError}, {@link NotConnectedError}, {@link ClientTimeoutError} (30 s)
   * @example
   * ```ts no-run
   * const transaction = await head.getTransaction(txId)
   * ```
   */
  getTransaction(txId: string, options?: ActionOptions): Promise<HeadTransaction | null>
  /**
   * Yields the outputs that the wallet or other addresses receive from others, one by one and once each: those since a
   * cursor, then new ones. See {@link receipts}.
   * @throws {@link HistoryGapError} where the history no longer reaches back to the cursor, {@link InvalidCursorError},
   * {@link WalletMissingError}, {@link InvalidAddressError}, {@link NotConnectedError}, {@link BridgeDisconnectedError}
   * @example
   * ```ts no-run
   * for await (const { cursor, from, amount, note } of head.receipts({ after: await readCursor() }))
   *   await book({ cursor, from, amount, note }) // the cursor and the booking in one write
   * ```
   */
  receipts(args?: ReceiptsArgs): AsyncGenerator<Receipt, void, void>
  /**
   * Waits until a request for money is paid in full; payments from before the call count. See {@link waitForPayment}.
   * @throws {@link PaymentIncompleteError} when it is not by its expiry or `timeout` (ms), the errors of
   * {@link HeadReceipts.receipts}
   * @example
   * ```ts no-run
   * const { received, excess } = await head.waitForPayment(request)
   * ```
   */
  waitForPayment(request: PaymentRequest, args?: WaitForPaymentArgs): Promise<PaidRequest>
}
