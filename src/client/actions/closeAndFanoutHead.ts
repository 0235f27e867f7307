import type { PayloadOf } from '../../bridge/inner.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { HeadStateError } from '../../errors/client.js'
import { contextParts } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { withDeadline } from '../deadline.js'
import { fanOut } from '../flows/fanOut.js'
import { answerTo, HEAD_LIFE_ARGS } from '../flows/headCommand.js'
import { progressOf } from '../progress.js'
import { assertNoOpenDeposit } from '../flows/openDeposits.js'
import type { CloseArgs } from './closeHead.js'

const ARGS: OptionNames<CloseArgs<'closeAndFanoutHead'>> = { ...HEAD_LIFE_ARGS, force: true }

/** States from which a head can be paid out. */
const TO_FAN_OUT: readonly string[] = ['Open', 'Closed', 'FanoutPossible', 'FanningOut']

/**
 * Closes the head and pays it out to the base ledger: {@link closeHead}, then {@link fanoutHead}. Continues from the
 * head's present state, e.g. when it is closed already. Without `timeout` there is no limit.
 *
 * @throws {@link OpenDepositError} while a deposit of this client is on its way, unless `force`
 * @throws {@link HeadStateError} when there is no head to close or to fan out; {@link CommandRefusedError},
 * {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * await head.closeAndFanoutHead()
 * console.log(head.status().headStatus) // Idle
 * ```
 */
export async function closeAndFanoutHead(
  head: HeadContext,
  args: CloseArgs<'closeAndFanoutHead'> = {}
): Promise<PayloadOf<'HeadIsFinalized'>> {
  const context = contextParts(head)
  const options = readOptions<CloseArgs<'closeAndFanoutHead'>>(args ?? {}, ARGS, 'args')
  const { report, end } = progressOf(context, 'closeAndFanoutHead', options.onProgress)
  return withDeadline('closeAndFanoutHead', options, Infinity, async (deadline) => {
    await context.connection.connected('closeAndFanoutHead', deadline)
    const { headStatus } = context.bridge
    if (headStatus !== null && !TO_FAN_OUT.includes(headStatus))
      throw new HeadStateError('closeAndFanoutHead', headStatus, TO_FAN_OUT)
    if (context.bridge.headStatus === 'Open') {
      await assertNoOpenDeposit(context, options.force, deadline)
      await answerTo(context, deadline, {
        tag: 'HeadIsClosed',
        send: () => context.bridge.commands.close(),
        onSent: () => report('submitted'),
        resendIn: 'Open'
      })
      report('closed')
    }
    return fanOut(context, deadline, report)
  }).finally(end)
}
