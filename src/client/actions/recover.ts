import { isLayerError } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ClientContext } from '../ClientContext.js'
import type { ActionOptions } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { DEFAULT_HEAD_TIMEOUT_MS } from '../limits.js'

/** What {@link recover} takes. */
export interface RecoverArgs extends ActionOptions {
  /** One deposit: hex, 64 characters. @default all that can be recovered */
  depositTxId?: string | undefined
}

/**
 * Brings expired deposits back to the base ledger, in any state of the head.
 *
 * @returns ids of the deposits that were recovered. Without `depositTxId`, those whose deadline has not passed yet are left out.
 * @throws {@link BridgeRequestError} with the node's reason when the named deposit cannot be recovered; {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * const depositTxIds = await head.recover() // all that have expired
 * await head.recover({ depositTxId }) // this one, or the reason why not
 * ```
 */
export async function recover(context: ClientContext, args: RecoverArgs = {}): Promise<string[]> {
  const { depositTxId } = args ?? {}
  if (depositTxId !== undefined && typeof depositTxId !== 'string') throw new InvalidArgumentError('depositTxId', 'hex, 64 characters', depositTxId)
  return withDeadline('recover', args, DEFAULT_HEAD_TIMEOUT_MS, async (deadline) => {
    const { bridge } = context
    await context.connected('recover', deadline)
    if (depositTxId !== undefined) {
      await deadline.race(bridge.recoverDeposit(depositTxId), 'the base ledger')
      return [depositTxId]
    }
    const recovered: string[] = []
    for (const id of await deadline.race(bridge.pendingDeposits(), 'the list of deposits')) {
      try {
        await deadline.race(bridge.recoverDeposit(id), 'the base ledger')
        recovered.push(id)
      } catch (error) {
        // Too early for this one, or another client was first.
        if (deadline.isOver || (!isLayerError(error, 'BRIDGE_REQUEST') && !isLayerError(error, 'BRIDGE_TIMEOUT'))) throw error
      }
    }
    return recovered
  })
}
