import type { PayloadOf } from '../../bridge/inner.js'
import { versionProfile } from '../../bridge/inner.js'
import { UnsupportedByNodeError } from '../../errors/operation.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { runCommand } from '../flows/headCommand.js'
import type { HeadLifeArgs } from '../types.js'

/**
 * Aborts a head that is still initializing; committed outputs go back. Only nodes before 2.0 have this state.
 *
 * @throws {@link UnsupportedByNodeError} on nodes from 2.0 on; {@link CommandRefusedError}, {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * if (head.status().headStatus === 'Initializing') await head.abortHead()
 * ```
 */
export async function abortHead(
  head: HeadContext,
  args: HeadLifeArgs<'abortHead'> = {}
): Promise<PayloadOf<'HeadIsAborted'>> {
  const context = contextParts(head)
  const send = (): void => {
    // Known once the connection stands. A node that does not name its version answers for itself.
    const { version, opensDirectly } = versionProfile(context.bridge.getSnapshot().nodeVersion)
    if (version !== null && opensDirectly)
      throw new UnsupportedByNodeError('abortHead', {
        expected: 'a node before 2.0, whose heads initialize first',
        got: version.join('.')
      })
    context.bridge.commands.abort()
  }
  return runCommand(context, args, { action: 'abortHead', tag: 'HeadIsAborted', step: 'aborted', send })
}
