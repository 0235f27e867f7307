import type { PayloadOf } from '../../bridge/inner.js'
import { CommandRefusedError } from '../../errors/operation.js'
import type { ClientContext } from '../ClientContext.js'
import type { Deadline } from '../deadline.js'
import type { HeadStep } from '../types.js'
import { answerTo, nextMessage } from './headCommand.js'

/** Waits for the end of the contestation period, fans out and resolves with the node's HeadIsFinalized. */
export async function fanOut(
  context: ClientContext,
  deadline: Deadline,
  report: (step: HeadStep) => void
): Promise<PayloadOf<'HeadIsFinalized'>> {
  const { bridge } = context
  const over = new AbortController()
  // From here on: another party may fan out first.
  const finalized = nextMessage(context, 'HeadIsFinalized', over.signal)
  const stop = bridge.observe({
    onMessage: ({ tag }) => {
      if (tag === 'HeadPartiallyFannedOut') report('partiallyFannedOut')
    }
  })
  try {
    const wasClosed = bridge.headStatus === 'Closed'
    // Fanning out before the end of the contestation period would only fail.
    while (bridge.headStatus === 'Closed')
      await deadline.race(context.changes.next(), 'the end of the contestation period')
    if (wasClosed) report('readyToFanout')
    const isUnderWay = bridge.headStatus === 'FanningOut' || (wasClosed && bridge.headStatus === 'Idle')
    const payload = isUnderWay
      ? await deadline.race(finalized, 'the fanout')
      : await answerTo(context, deadline, {
          tag: 'HeadIsFinalized',
          send: () => bridge.commands.fanout(),
          onSent: () => report('submitted'),
          resendIn: 'FanoutPossible'
        }).catch((error: unknown) => {
          // Another party's came first: from 2.4 on the head is fanning out by then, and accepts no other.
          if (!(error instanceof CommandRefusedError) || error.headState !== 'FanningOut') throw error
          return deadline.race(finalized, 'the fanout')
        })
    report('finalized')
    return payload
  } finally {
    stop()
    over.abort()
  }
}
