import { startTimer } from '../../net/timers.js'
import type { ClientContext } from '../ClientContext.js'

/** Interval between two calls of `look` after `timeMs`, or after a call that failed, ms. */
const LOOK_AGAIN_MS = 2_000

/**
 * Calls `look` after each loss of the connection, once the client is connected again and the head's outputs are known,
 * because messages may have been missed. From `timeMs` on (ms since the Unix epoch), calls it at intervals too. Calls
 * never overlap; one that fails is repeated.
 *
 * @param onEnd - called when the client will not connect again by itself
 * @returns a function that ends the calls
 */
export function watchGaps(
  context: ClientContext,
  look: () => Promise<void>,
  onEnd: () => void = () => undefined,
  timeMs: number | null = null
): () => void {
  const isReady = (): boolean => {
    const { state, ready, headId } = context.bridge.getSnapshot()
    return state === 'connected' && (ready || headId === null)
  }
  let wasReady = isReady()
  let over = false
  let looking = false
  let again = false
  let stopTimer = (): void => undefined
  const lookNow = async (): Promise<void> => {
    again = true
    if (looking) return
    looking = true
    while (again && !over && isReady()) {
      again = false
      await look().catch(() => {
        // The connection was lost meanwhile, or the node did not answer: the next time decides.
        arm(LOOK_AGAIN_MS)
      })
    }
    looking = false
  }
  const arm = (delayMs: number): void => {
    stopTimer()
    if (over) return
    stopTimer = startTimer(delayMs, () => {
      void lookNow()
      if (timeMs !== null && Date.now() >= timeMs) arm(LOOK_AGAIN_MS)
      else if (timeMs !== null) arm(timeMs - Date.now())
    })
  }
  if (timeMs !== null) arm(timeMs - Date.now())
  const unsubscribe = context.changes.subscribe(() => {
    const { state } = context.bridge.getSnapshot()
    if (state === 'disconnected' || state === 'failed') onEnd()
    const ready = isReady()
    if (ready && !wasReady) void lookNow()
    wasReady = ready
  })
  return () => {
    over = true
    stopTimer()
    unsubscribe()
  }
}
