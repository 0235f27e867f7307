import type { PayloadOf } from '../../bridge/inner.js'
import { readOptions } from '../../codec/options.js'
import type { ClientContext } from '../ClientContext.js'
import { withDeadline } from '../deadline.js'
import { fanOut } from '../flows/fanOut.js'
import { HEAD_LIFE_ARGS } from '../flows/headCommand.js'
import { progressOf } from '../progress.js'
import type { HeadLifeArgs } from '../types.js'

/**
 * Pays a closed head's outputs out to the base ledger: waits for the end of the contestation period, fans out, and
 * resolves with the node's HeadIsFinalized. Without `timeout` there is no limit: contestation periods last for hours.
 *
 * @throws {@link CommandRefusedError} with the node's reason and the states that allow it; {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * await head.fanout({ onProgress: ({ state }) => console.log(state) }) // readyToFanout, submitted, finalized
 * ```
 */
export async function fanout(
  context: ClientContext,
  args: HeadLifeArgs<'fanout'> = {}
): Promise<PayloadOf<'HeadIsFinalized'>> {
  const options = readOptions<HeadLifeArgs<'fanout'>>(args ?? {}, HEAD_LIFE_ARGS, 'args')
  const { report, end } = progressOf(context, 'fanout', options.onProgress)
  return withDeadline('fanout', options, Infinity, async (deadline) => {
    await context.connection.connected('fanout', deadline)
    return fanOut(context, deadline, report)
  }).finally(end)
}
