import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { parseNodeTime } from '../../bridge/inner.js'
import { isLayerError } from '../../errors/base.js'
import { OutcomeUnknownError } from '../../errors/client.js'
import { DepositInSnapshotError } from '../../errors/deposits.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ClientContext } from '../ClientContext.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import type { ActionOptions, Deadline } from '../deadline.js'
import { withDeadline } from '../deadline.js'
import { deferred } from '../deferred.js'
import { sleep } from '../../net/timers.js'
import { DEFAULT_HEAD_TIMEOUT_MS, RECOVER_AGAIN_MS, RECOVER_MARGIN_MS } from '../limits.js'
import { depositsInSnapshot } from '../flows/depositsInSnapshot.js'
import { noteRecovered } from '../flows/openDeposits.js'
import { watchGaps } from '../flows/watchGaps.js'

/** Arguments of {@link recover}. */
export interface RecoverArgs extends ActionOptions {
  /** Transaction id of the only deposit to recover: hex, 64 characters. @default all that can be recovered */
  depositTxId?: string | undefined
}

const ARGS: OptionNames<RecoverArgs> = { depositTxId: true, timeout: true, signal: true }

/**
 * Brings expired deposits back to the base ledger, in any state of the head. When `depositTxId` names a deposit whose
 * deadline comes within the time limit, waits for the deadline.
 *
 * @returns ids of the deposits that were recovered. Without `depositTxId`, those whose deadline has not passed yet are
 * left out, and those that a signed snapshot brings into the head.
 * @throws {@link DepositInSnapshotError} when the newest signed snapshot brings the named deposit into the open head
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
  const { depositTxId, timeout = DEFAULT_HEAD_TIMEOUT_MS } = readOptions(args ?? {}, ARGS, 'args')
  if (depositTxId !== undefined && typeof depositTxId !== 'string')
    throw new InvalidArgumentError('depositTxId', 'hex, 64 characters', depositTxId)
  return withDeadline('recover', args, DEFAULT_HEAD_TIMEOUT_MS, async (deadline) => {
    const { bridge } = context
    await context.connection.connected('recover', deadline)
    if (depositTxId !== undefined) {
      await recoverNamed(context, depositTxId.toLowerCase(), deadline, timeout)
      noteRecovered(context, depositTxId.toLowerCase())
      return [depositTxId]
    }
    const recovered: string[] = []
    let failure: { readonly error: unknown } | null = null
    const pending = await deadline.race(bridge.pendingDeposits(), 'the list of deposits')
    const approved = await depositsInSnapshot(context, pending, deadline)
    for (const id of pending) {
      if (approved.ids.has(id)) continue
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

/**
 * Recovers a deposit. One that is refused close to its deadline is tried again, because the time of the chain lags
 * behind clocks.
 */
async function recoverNamed(context: ClientContext, id: string, deadline: Deadline, timeoutMs: number): Promise<void> {
  const endMs = Date.now() + timeoutMs
  for (;;) {
    const { ids, snapshotNumber } = await depositsInSnapshot(context, [id], deadline)
    if (ids.has(id)) throw new DepositInSnapshotError(id, snapshotNumber)
    try {
      return await recoverOne(context, id, deadline)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const recoverableAt = await deadline.race(recordedDeadline(context, id), "the deposit's deadline")
      const now = Date.now()
      if (recoverableAt === null || recoverableAt >= endMs || now > recoverableAt + RECOVER_MARGIN_MS) throw error
      const waitMs = Math.max(recoverableAt - now, now < recoverableAt ? 0 : RECOVER_AGAIN_MS)
      await deadline.race(sleep(waitMs, deadline.signal()), "the deposit's deadline")
    }
  }
}

/** Deadline of a deposit by the node's messages, ms since the Unix epoch; null where they do not name it. */
async function recordedDeadline({ bridge }: ClientContext, id: string): Promise<number | null> {
  const messages = await bridge.messagesAbout([id]).catch(() => [])
  for (const message of messages)
    if (message.tag === 'CommitRecorded' && message.pendingDeposit === id && message.deadline !== undefined)
      return parseNodeTime(message.deadline)
  return null
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
 * Recovers one deposit. When the answer is lost with the connection, the node's pending deposits, then its history,
 * show the outcome.
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
