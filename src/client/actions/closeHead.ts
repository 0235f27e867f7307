import { parseNodeTime } from '../../bridge/inner.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { HEAD_LIFE_ARGS, runCommand } from '../flows/headCommand.js'
import { assertNoOpenDeposit } from '../flows/openDeposits.js'
import type { HeadClosed, HeadLifeArgs } from '../types.js'

/** Arguments of {@link closeHead}. */
export interface CloseArgs<Action extends string = 'closeHead'> extends HeadLifeArgs<Action> {
  /**
   * True closes the head even while a deposit of this client is on its way into it; that deposit has to be recovered
   * then. @default false
   */
  force?: boolean | undefined
}

const ARGS: OptionNames<CloseArgs> = { ...HEAD_LIFE_ARGS, force: true }

/**
 * Closes the head and resolves with the node's HeadIsClosed, its `contestationDeadline` in ms since the Unix epoch. A
 * close without an effect is sent again after 90 s: its transaction may have expired before a block included it.
 *
 * @throws {@link OpenDepositError} while a deposit of this client is on its way, unless `force`
 * @throws {@link CommandRefusedError} with the node's reason and the states that allow it; {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * const { contestationDeadline } = await head.closeHead()
 * console.log(contestationDeadline) // e.g. 1767225600000: from then on the head can be fanned out
 * ```
 */
export async function closeHead(head: HeadContext, args: CloseArgs = {}): Promise<HeadClosed> {
  const context = contextParts(head)
  const { force, ...rest } = readOptions(args ?? {}, ARGS, 'args')
  const payload = await runCommand(context, rest, {
    action: 'closeHead',
    check: (deadline) => assertNoOpenDeposit(context, force, deadline),
    tag: 'HeadIsClosed',
    step: 'closed',
    send: () => context.bridge.commands.close(),
    resendIn: 'Open'
  })
  return { ...payload, contestationDeadline: parseNodeTime(payload.contestationDeadline) }
}
