import { stringifyJson } from '../../codec/json.js'
import type { Connector, ConnectorChannel } from '../../bridge/inner.js'
import { BridgeTimeoutError } from '../../errors/bridge.js'
import { now, startTimer } from '../../net/timers.js'

/** Content of a connection. */
export interface ChannelForm {
  /** True: the stored messages come first. */
  readonly history: boolean
  /** True: snapshots come without their outputs. */
  readonly noSnapshotUtxo: boolean
}

/** Silence after which the other side is pinged, ms. */
const PING_MS = 15_000
/** Silence after which the connection counts as lost, ms. */
const LOST_MS = 45_000

/**
 * Opens a connection of its own and passes its messages to `onMessage`; rejects when the connection ends. @throws the
 * error of the connection; the signal's reason
 */
export function openChannel(
  connector: Connector,
  form: ChannelForm,
  signal: AbortSignal,
  onMessage: (message: unknown) => void
): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    let channel: ConnectorChannel | undefined
    let lastMs = now()
    const heard = (): void => void (lastMs = now())
    const finish = (error: unknown): void => {
      stopTimer()
      signal.removeEventListener('abort', onAbort)
      void channel?.close(true)
      reject(error as Error)
    }
    const onAbort = (): void => finish(signal.reason)
    // A connection that breaks without a word would hide a close.
    const look = (): void => {
      const isSilent = now() - lastMs >= PING_MS
      if (isSilent && now() - lastMs >= LOST_MS) return finish(new BridgeTimeoutError('An answer of the node', LOST_MS))
      // Where the runtime cannot ping, silence proves nothing: the next request shows whether the node is there.
      if (isSilent && channel?.ping?.() !== true) heard()
      stopTimer = startTimer(PING_MS, look)
    }
    let stopTimer = startTimer(PING_MS, look)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      channel = connector.open(
        {
          onOpen: () => undefined,
          onInvalid: () => undefined,
          onActivity: heard,
          onClose: finish,
          onMessage(message) {
            heard()
            onMessage(message)
          }
        },
        { ...form, unfiltered: true }
      )
    } catch (error) {
      finish(error)
    }
  })
}

/** Returns the text of a message, which a connector may pass as a parsed value. */
export function messageTextOf(message: unknown): string {
  if (typeof message === 'string') return message
  try {
    return stringifyJson(message)
  } catch {
    return ''
  }
}
