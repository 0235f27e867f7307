import type { ClientContext } from './ClientContext.js'
import type { Deadline } from './deadline.js'
import { isVerifying } from './ownTx.js'

/**
 * With the option `verify`, waits until the verified outputs show an effect, which `shows` tests.
 *
 * @returns true once they show it; false at once without the option
 */
export async function untilVerified(
  context: Pick<ClientContext, 'bridge' | 'changes'>,
  shows: () => boolean,
  deadline: Deadline,
  waitingFor: string
): Promise<boolean> {
  while (isVerifying(context) && !shows()) await deadline.race(context.changes.next(), waitingFor)
  return isVerifying(context)
}
