import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { isLayerError } from '../../errors/base.js'
import { OutcomeUnknownError } from '../../errors/client.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { ActionOptions, Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { deferred } from '../deferred.js'
import { DEFAULT_HEAD_TIMEOUT_MS } from '../limits.js'
import { noteRecovered } from '../flows/openDeposits.js'
import { watchGaps } from '../flows/watchGaps.js'

/** Arguments of {@link recover}. */
export interface RecoverArgs extends ActionOptions {
  /** One deposit: hex, 64 characters. @default all that can be recovered */
  depositTxId?: string | undefined
}

const ARGS: OptionNames<RecoverArgs> = { depositTxId: true, timeout: true, signal: true }

/**
 * Brings expired deposits back to the base ledger, in any state of the head.
 *
 * @returns ids of the deposits that were recovered. Without `depositTxId`, those whose deadline has not passed yet are
 * left out.
 * @throws {@link BridgeRequestError} with the node's reason when the named deposit cannot be recovered, and when the
 * node fails (5xx) for one of them, after the others were tried; {@link ClientTimeoutError} (300 s);
 * {@link OutcomeUnknownError} when the answer was lost with the connection, and neither the node's list nor its history
 * shows its outcome
 * @example
 * ```ts no-run
 * const depositTxIds = await head.recover() // all that have expired
 * await head.recover({ depositTxId }) // this one, or the reason why not
 * ```
 */
export async function recover(head: HeadContext, args: RecoverArgs = {}): Promise<string[]> {
  const context = contextParts(head)
  const { depositTxId } = readOptions(args ?? {}, ARGS, 'args')
  if (depositTxId !== undefined && typeof depositTxId !== 'string')
    throw new InvalidArgumentError('depositTxId', 'hex, 64 characters', depositTxId)
  return withDeadline('recover', args, DEFAULT_HEAD_TIMEOUT_MS, async (deadline) => {
    const { bridge } = context
    await context.connection.connected('recover', deadline)
    if (depositTxId !== undefined) {
      await recoverOne(context, depositTxId, deadline)
      noteRecovered(context, depositTxId.toLowerCase())
      return [depositTxId]
    }
    const recovered: string[] = []
    let failure: { readonly error: unknown } | null = null
    for (const id of await deadline.race(bridge.pendingDeposits(), 'the list of deposits')) {
      try {
        await recoverOne(context, id, deadline)
        recovered.push(id)
        noteRecovered(context, id)
      } catch (error) {
        if (deadline.isOver || (!isLayerError(error, 'BRIDGE_REQUEST') && !isLayerError(error, 'BRIDGE_TIMEOUT')))
          throw error
        // Too early for this one, or another client was first. The failure of a broken node shows no state of the
        // deposit: the others are tried, then the failure is reported.
        if (!isRefusal(error)) failure ??= { error }
      }
    }
    if (failure !== null) throw failure.error
    return recovered
  })
}

/** True when the node has answered that it does not recover this one now. */
function isRefusal(error: unknown): boolean {
  return (
    isLayerError(error, 'BRIDGE_REQUEST') &&
    error.status >= 400 &&
    error.status < 500 &&
    ![401, 403, 408, 429].includes(error.status)
  )
}

/**
 * Recovers one deposit. Where an answer is lost with the connection, the node's pending deposits decide, then its
 * history.
 */
async function recoverOne(context: ClientContext, id: string, deadline: Deadline): Promise<void> {
  const { bridge } = context
  const depositTxId = id.toLowerCase()
  const missed = deferred<unknown>()
  const stop = watchGaps(context, async () => {
    if ((await bridge.pendingDeposits()).includes(depositTxId)) return
    const messages = await bridge.messagesAbout([depositTxId]).catch((error: unknown) => {
      // Lost again: the next connection decides. A node or gateway without history cannot.
      if (!bridge.connected()) throw error
      return []
    })
    const isRecovered = messages.some(
      (message) => message.tag === 'CommitRecovered' && message.recoveredTxId === depositTxId
    )
    if (isRecovered) missed.resolve(undefined)
    else
      missed.reject(
        new OutcomeUnknownError(depositTxId, null, 'the deposit is not pending any more, and the node does not say why')
      )
  })
  try {
    await deadline.race(Promise.race([bridge.recoverDeposit(id), missed.promise]), 'the base ledger')
  } finally {
    stop()
  }
}
