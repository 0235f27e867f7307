import { stringifyJson } from '../../codec/json.js'
import { BridgeDisconnectedError, BridgeTimeoutError } from '../../errors/bridge.js'
import { startTimer } from '../../net/timers.js'
import type { Connector, ConnectorChannel } from '../connection/Connector.js'

/** Time limit of the replay. */
export interface ReplayLimits {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Opens a separate connection, passes its messages to `read` up to and including Greetings, which ends the replay, and
 * closes the connection. Without `history`, Greetings is the only message.
 *
 * @throws {@link BridgeTimeoutError}, {@link BridgeDisconnectedError} when the signal ends it, or the error of the
 * connection
 */
export function replayHistory(
  connector: Connector,
  history: boolean,
  read: (message: string) => void,
  limits: ReplayLimits
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Aborted already, e.g. while the bridge reconnects: no event would end it.
    if (limits.signal.aborted) return reject(new BridgeDisconnectedError('Reading the history'))
    let channel: ConnectorChannel | undefined
    const finish = (settle: () => void): void => {
      stopTimer()
      limits.signal.removeEventListener('abort', onAbort)
      void channel?.close(true)
      settle()
    }
    const fail = (error: unknown): void => finish(() => reject(error as Error))
    const onAbort = (): void => fail(new BridgeDisconnectedError('Reading the history'))
    const stopTimer = startTimer(limits.timeoutMs, () =>
      fail(new BridgeTimeoutError('Reading the history', limits.timeoutMs))
    )
    limits.signal.addEventListener('abort', onAbort, { once: true })
    try {
      channel = connector.open(
        {
          onOpen: () => undefined,
          onInvalid: () => undefined,
          onActivity: () => undefined,
          onClose: fail,
          onMessage(message) {
            const text = textOf(message)
            read(text)
            if (text.includes('"headStatus"')) finish(resolve)
          }
        },
        { history, noSnapshotUtxo: true, unfiltered: true }
      )
    } catch (error) {
      fail(error)
    }
  })
}

// A connector may pass a parsed value. A value without a text is no message, and no proof.
function textOf(message: unknown): string {
  if (typeof message === 'string') return message
  try {
    return stringifyJson(message)
  } catch {
    return ''
  }
}
