import type { PayloadOf } from '../../bridge/inner.js'
import { readOptions } from '../../codec/options.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
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
 * await head.fanoutHead({ onProgress: ({ state }) => console.log(state) }) // readyToFanout, submitted, finalized
 * ```
 */
export async function fanoutHead(
  head: HeadContext,
  args: HeadLifeArgs<'fanoutHead'> = {}
): Promise<PayloadOf<'HeadIsFinalized'>> {
  const context = contextParts(head)
  const options = readOptions<HeadLifeArgs<'fanoutHead'>>(args ?? {}, HEAD_LIFE_ARGS, 'args')
  const { report, end } = progressOf(context, 'fanoutHead', options.onProgress)
  return withDeadline('fanoutHead', options, Infinity, async (deadline) => {
    await context.connection.connected('fanoutHead', deadline)
    return fanOut(context, deadline, report)
  }).finally(end)
}
