import type { CommandRow, PayloadOf } from '../../bridge/inner.js'
import { COMMANDS } from '../../bridge/inner.js'
import { CommandRefusedError } from '../../errors/operation.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { runCommand } from '../flows/headCommand.js'
import type { HeadLifeArgs } from '../types.js'

/**
 * Contests the closing of the head. Nodes contest by themselves, and no known version accepts the command: it rejects
 * at once, and no command is sent.
 *
 * @throws {@link CommandRefusedError}, {@link NotConnectedError}, {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * const { snapshotNumber } = await head.contest()
 * ```
 */
export function contest(head: HeadContext, args: HeadLifeArgs<'contest'> = {}): Promise<PayloadOf<'HeadIsContested'>> {
  const context = contextParts(head)
  const { bridge } = context
  const send = (): void => {
    const { states, refusal } = COMMANDS.Contest as CommandRow
    if (states !== 'any' && states.length === 0)
      throw new CommandRefusedError('Contest', {
        tag: 'CommandFailed',
        headState: bridge.headStatus ?? undefined,
        allowedStates: [],
        reason: refusal ?? ''
      })
    bridge.commands.contest()
  }
  return runCommand(context, args, { action: 'contest', tag: 'HeadIsContested', step: 'contested', send })
}
