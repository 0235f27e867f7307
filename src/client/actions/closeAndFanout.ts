import type { PayloadOf } from '../../bridge/inner.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { HeadStateError } from '../../errors/client.js'
import type { ClientContext } from '../ClientContext.js'
import { withDeadline } from '../deadline.js'
import { fanOut } from '../flows/fanOut.js'
import { answerTo, HEAD_LIFE_ARGS } from '../flows/headCommand.js'
import { progressOf } from '../progress.js'
import { assertNoOpenDeposit } from '../flows/openDeposits.js'
import type { CloseArgs } from './close.js'

const ARGS: OptionNames<CloseArgs<'closeAndFanout'>> = { ...HEAD_LIFE_ARGS, force: true }

/** States from which a head can be paid out. */
const TO_FAN_OUT: readonly string[] = ['Open', 'Closed', 'FanoutPossible', 'FanningOut']

/**
 * {@link close}, then {@link fanout}; continues where the head stands. Without `timeout` there is no limit.
 *
 * @throws {@link OpenDepositError} while a deposit with an id is on its way, unless `force`
 * @throws {@link HeadStateError} when there is no head to close or to fan out; {@link CommandRefusedError},
 * {@link ClientTimeoutError}
 * @example
 * ```ts no-run
 * await head.closeAndFanout()
 * console.log(head.status().headStatus) // Idle
 * ```
 */
export async function closeAndFanout(
  context: ClientContext,
  args: CloseArgs<'closeAndFanout'> = {}
): Promise<PayloadOf<'HeadIsFinalized'>> {
  const options = readOptions<CloseArgs<'closeAndFanout'>>(args ?? {}, ARGS, 'args')
  const { report, end } = progressOf(context, 'closeAndFanout', options.onProgress)
  return withDeadline('closeAndFanout', options, Infinity, async (deadline) => {
    await context.connection.connected('closeAndFanout', deadline)
    const { headStatus } = context.bridge
    if (headStatus !== null && !TO_FAN_OUT.includes(headStatus))
      throw new HeadStateError('closeAndFanout', headStatus, TO_FAN_OUT)
    if (context.bridge.headStatus === 'Open') {
      assertNoOpenDeposit(context, options.force)
      await answerTo(context, 'HeadIsClosed', deadline, () => {
        context.bridge.commands.close()
        report('submitted')
      })
      report('closed')
    }
    return fanOut(context, deadline, report)
  }).finally(end)
}
