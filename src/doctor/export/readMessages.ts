import type { Connector, ConnectorChannel } from '../../bridge/inner.js'
import { BridgeTimeoutError } from '../../errors/bridge.js'
import { now, startTimer } from '../../net/timers.js'
import { messageTextOf } from '../watch/openChannel.js'

/** Characters of unread messages above which the connection is paused. */
export const WAITING_LIMIT = 16_777_216
/** Silence after which the other side is pinged, and after which the connection counts as lost, ms. */
const PING_MS = 15_000
const LOST_MS = 45_000

/**
 * Error with which reading ends when the reader is too slow: the connection could not be paused, or ended while it was.
 */
export class NoRoom extends Error {}

/**
 * Yields the messages of a connection until it ends; while the reader is busy, the connection is paused.
 *
 * @throws the error of the connection, the reason of the signal, {@link NoRoom}
 */
export async function* readMessages(
  connector: Connector,
  history: boolean,
  signal: AbortSignal,
  maxWaiting: number = WAITING_LIMIT
): AsyncGenerator<string> {
  signal.throwIfAborted()
  const queue = new Queue()
  let [lastMs, isPaused] = [now(), false]
  const heard = (): void => void (lastMs = now())
  const onAbort = (): void => queue.end(signal.reason)
  const look = (): void => {
    const silentMs = isPaused ? 0 : now() - lastMs
    if (silentMs >= LOST_MS) return queue.end(new BridgeTimeoutError('An answer of the node', LOST_MS))
    // Where the runtime cannot ping, silence proves nothing.
    if (isPaused || (silentMs >= PING_MS && channel.ping?.() !== true)) heard()
    stopTimer = startTimer(PING_MS, look)
  }
  let stopTimer = startTimer(PING_MS, look)
  signal.addEventListener('abort', onAbort, { once: true })
  const channel: ConnectorChannel = connector.open(
    {
      onOpen: () => undefined,
      onInvalid: () => undefined,
      onActivity: heard,
      // The other side may end a connection that is paused: the rest comes over the next one.
      onClose: (error) => queue.end(isPaused ? new NoRoom() : error),
      onMessage(message) {
        heard()
        queue.add(messageTextOf(message))
        if (queue.size <= maxWaiting || isPaused) return
        isPaused = channel.pause?.() === true
        if (!isPaused) queue.end(new NoRoom())
      }
    },
    { history, noSnapshotUtxo: false, unfiltered: true }
  )
  try {
    for (;;) {
      const text = await queue.next()
      yield text
      if (!isPaused || queue.size > 0) continue
      isPaused = false
      heard()
      channel.resume?.()
    }
  } finally {
    stopTimer()
    signal.removeEventListener('abort', onAbort)
    void channel.close(true)
  }
}

/** Queue of messages in their order, followed by the end of the connection. */
class Queue {
  readonly #texts: string[] = []
  #first = 0
  #size = 0
  #end: { readonly error: unknown } | null = null
  #wake: (() => void) | null = null

  /** Number of characters that wait. */
  get size(): number {
    return this.#size
  }

  add(text: string): void {
    if (this.#end !== null) return
    this.#texts.push(text)
    this.#size += text.length
    this.#wake?.()
  }

  end(error: unknown): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  /** Resolves with the next text. @throws the error with which the connection ended */
  async next(): Promise<string> {
    while (this.#first === this.#texts.length) {
      if (this.#end !== null) throw this.#end.error
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#wake = null
    }
    const text = this.#texts[this.#first]!
    this.#texts[this.#first++] = ''
    this.#size -= text.length
    if (this.#first >= 1_024 || this.#first === this.#texts.length)
      this.#first -= this.#texts.splice(0, this.#first).length
    return text
  }
}
