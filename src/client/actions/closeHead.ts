import type { PayloadOf } from '../../bridge/inner.js'
import type { ClientContext } from '../ClientContext.js'
import { runCommand } from '../flows/headCommand.js'
import type { HeadLifeArgs } from '../types.js'

/**
 * Closes the head and resolves with the node's HeadIsClosed.
 *
 * @throws {@link CommandRefusedError} with the node's reason and the states that allow it; {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * const { contestationDeadline } = await head.closeHead()
 * console.log(contestationDeadline) // ISO 8601: from then on the head can be fanned out
 * ```
 */
export function closeHead(
  context: ClientContext,
  args: HeadLifeArgs<'closeHead'> = {}
): Promise<PayloadOf<'HeadIsClosed'>> {
  return runCommand(context, args, {
    action: 'closeHead',
    tag: 'HeadIsClosed',
    step: 'closed',
    send: () => context.bridge.commands.close()
  })
}
