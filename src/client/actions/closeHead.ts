import { parseNodeTime } from '../../bridge/inner.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { runCommand } from '../flows/headCommand.js'
import type { HeadClosed, HeadLifeArgs } from '../types.js'

/**
 * Closes the head and resolves with the node's HeadIsClosed, its `contestationDeadline` in ms since the Unix epoch.
 *
 * @throws {@link CommandRefusedError} with the node's reason and the states that allow it; {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * const { contestationDeadline } = await head.closeHead()
 * console.log(contestationDeadline) // e.g. 1767225600000: from then on the head can be fanned out
 * ```
 */
export async function closeHead(head: HeadContext, args: HeadLifeArgs<'closeHead'> = {}): Promise<HeadClosed> {
  const context = contextParts(head)
  const payload = await runCommand(context, args, {
    action: 'closeHead',
    tag: 'HeadIsClosed',
    step: 'closed',
    send: () => context.bridge.commands.close()
  })
  return { ...payload, contestationDeadline: parseNodeTime(payload.contestationDeadline) }
}
