import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { isLayerError } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { PaymentIncompleteError } from '../../errors/receipts.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { PaymentRequest } from '../requests/paymentRequest.js'
import { namesRequest } from '../requests/paymentRequest.js'
import type { Receipt } from '../receipts/types.js'
import { receipts } from './receipts.js'

/** Options of {@link HeadReceipts.waitForPayment}. */
export interface WaitForPaymentArgs {
  /**
   * Cursor of a receipt from before the request was made: payments are counted from there. @default from the beginning
   * of the history
   */
  after?: string | null | undefined
  /** Called with each payment of the request, and the sum received up to then: lovelace. @default no reports */
  onReceipt?: ((receipt: Receipt, received: bigint) => void) | undefined
  /** Longest wait, ms. @default until the request expires; without an expiry there is no limit */
  timeout?: number | undefined
  /** Ends the wait, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** A request that is paid in full. */
export interface PaidRequest {
  /** Its payments, in the order of the ledger. */
  readonly receipts: readonly Receipt[]
  /** Their sum: lovelace. */
  readonly received: bigint
  /** Sum beyond the requested amount: lovelace. */
  readonly excess: bigint
}

const ARGS: OptionNames<WaitForPaymentArgs> = { after: true, onReceipt: true, timeout: true, signal: true }
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Waits until a request is paid in full, in one payment or several; payments from before the call count. It works
 * without a wallet, also after a restart of the program.
 *
 * @throws {@link PaymentIncompleteError} when it is not paid in full by its expiry, or within `timeout`: with the
 * received and the missing amount; the signal's reason; the errors of {@link receipts}
 * @example
 * ```ts no-run
 * const request = createPaymentRequest({ amount: 2_500_000n, wallet: watchOnly, index: order.number })
 * const { received, excess } = await head.waitForPayment(request)
 * ```
 */
export async function waitForPayment(
  head: HeadContext,
  request: PaymentRequest,
  args: WaitForPaymentArgs = {}
): Promise<PaidRequest> {
  const context = contextParts(head)
  const { after, onReceipt, timeout, signal } = readOptions(args ?? {}, ARGS, 'args')
  if (typeof request !== 'object' || request === null || typeof request.amount !== 'bigint')
    throw new InvalidArgumentError('request', 'a request of createPaymentRequest', request)
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout >= 0))
    throw new InvalidArgumentError('timeout', 'ms', timeout)
  if (onReceipt !== undefined && typeof onReceipt !== 'function')
    throw new InvalidArgumentError('onReceipt', 'a function', onReceipt)
  signal?.throwIfAborted()
  const over = new AbortController()
  const end = (): void => over.abort()
  const untilExpiry = request.expiresAt === null ? Infinity : Math.max(0, request.expiresAt - Date.now())
  const limitMs = Math.min(timeout ?? Infinity, untilExpiry)
  const timer = limitMs > MAX_TIMER_MS ? undefined : setTimeout(end, limitMs)
  signal?.addEventListener('abort', end, { once: true })
  const found: Receipt[] = []
  let received = 0n
  try {
    for await (const receipt of receipts(context, { address: request.address, after, signal: over.signal })) {
      if (!namesRequest(receipt.note, request)) continue
      found.push(receipt)
      received += BigInt(receipt.amount[0]?.quantity ?? 0)
      context.callbacks.invokeSafely('onReceipt', () => onReceipt?.(receipt, received))
      if (received >= request.amount) return { receipts: found, received, excess: received - request.amount }
    }
  } catch (error) {
    if (!over.signal.aborted || isLayerError(error)) throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
  signal?.throwIfAborted()
  throw new PaymentIncompleteError(request.amount, received, found.length)
}
