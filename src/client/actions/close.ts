import type { PayloadOf } from '../../bridge/inner.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import type { ClientContext } from '../ClientContext.js'
import { assertNoOpenDeposit } from '../flows/openDeposits.js'
import { HEAD_LIFE_ARGS, runCommand } from '../flows/headCommand.js'
import type { HeadLifeArgs } from '../types.js'

/** Arguments of {@link close}. */
export interface CloseArgs<Action extends string = 'close'> extends HeadLifeArgs<Action> {
  /** True: also while a deposit with an id is on its way into the head; it has to be recovered then. @default false */
  force?: boolean | undefined
}

const ARGS: OptionNames<CloseArgs> = { ...HEAD_LIFE_ARGS, force: true }

/**
 * Closes the head and resolves with the node's HeadIsClosed.
 *
 * @throws {@link OpenDepositError} while a deposit with an id is on its way, unless `force`
 * @throws {@link CommandRefusedError} with the node's reason and the states that allow it; {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * const { contestationDeadline } = await head.close()
 * console.log(contestationDeadline) // ISO 8601: from then on the head can be fanned out
 * ```
 */
export async function close(context: ClientContext, args: CloseArgs = {}): Promise<PayloadOf<'HeadIsClosed'>> {
  const { force, ...rest } = readOptions(args ?? {}, ARGS, 'args')
  return runCommand(context, rest, {
    action: 'close',
    check: () => assertNoOpenDeposit(context, force),
    tag: 'HeadIsClosed',
    step: 'closed',
    send: () => context.bridge.commands.close()
  })
}
