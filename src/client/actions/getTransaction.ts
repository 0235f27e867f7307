import { isHex } from '../../codec/hex.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { ActionOptions } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_TX_TIMEOUT_MS } from '../limits.js'
import type { HeadTransaction } from '../receipts/types.js'

const OPTIONS: OptionNames<ActionOptions> = { timeout: true, signal: true }

/**
 * Returns a transaction of the head by its id (hex, 64 characters): decoded, with the outputs that it spends, its
 * snapshot and state. It is searched among this client's transactions in flight, then in the node's history or the
 * gateway's log, then in the head's outputs; null when none of them contains it.
 *
 * @throws {@link InvalidArgumentError}; {@link NotConnectedError}, {@link ClientTimeoutError} (30 s), the errors of the
 * connection
 * @example
 * ```ts no-run
 * const transaction = await head.getTransaction(txId)
 * console.log(transaction?.from, transaction?.decoded?.outputs, transaction?.snapshotNumber)
 * ```
 */
export async function getTransaction(
  head: HeadContext,
  txId: string,
  options: ActionOptions = {}
): Promise<HeadTransaction | null> {
  const context = contextParts(head)
  if (typeof txId !== 'string' || txId.length !== 64 || !isHex(txId))
    throw new InvalidArgumentError('txId', '64 hex characters', txId)
  const checked = readOptions(options ?? {}, OPTIONS)
  return withDeadline('getTransaction', checked, DEFAULT_TX_TIMEOUT_MS, async (deadline) => {
    await context.connection.connected('getTransaction', deadline)
    const over = new AbortController()
    try {
      const { findHeadTransaction } = await import('../receipts/findHeadTransaction.js')
      return await deadline.race(
        findHeadTransaction(context, txId.toLowerCase(), over.signal),
        "the head's state and history"
      )
    } finally {
      over.abort()
    }
  })
}
