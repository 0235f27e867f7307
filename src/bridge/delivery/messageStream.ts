import { MAX_QUEUED, MAX_QUEUED_WEIGHT } from './Emitter.js'
import type { MessageDispatcher } from './MessageDispatcher.js'
import type { LayerPayload } from '../protocol/messages.js'

/**
 * Returns the messages of a bridge from now on as an async iterator. A slow reader loses the oldest messages beyond a
 * bound, and `onSlow` is called; the iterator ends with `disconnect()` or the signal, and throws when the connection is
 * lost for good.
 */
export function streamMessages(
  dispatcher: MessageDispatcher,
  onSlow: (backlog: { queued: number; dropped: number }) => void,
  signal?: AbortSignal
): AsyncIterableIterator<LayerPayload> {
  const queue: (readonly [payload: LayerPayload, weight: number])[] = []
  let weight = 0
  let dropped = 0
  let over: { error: Error | null } | null = null
  const waiting: (() => void)[] = []
  // Every waiting reader checks the queue again, in the order of the calls.
  const wake = (): void => waiting.splice(0).forEach((resolve) => resolve())
  const end = (error: Error | null): void => {
    over ??= { error }
    unsubscribe()
    signal?.removeEventListener('abort', abort)
    wake()
  }
  const abort = (): void => end(null)
  const unsubscribe = dispatcher.subscribe({
    onPayload(payload, size) {
      queue.push([payload, size])
      weight += size
      while (queue.length > MAX_QUEUED || (weight > MAX_QUEUED_WEIGHT && queue.length > 1)) {
        weight -= queue.shift()?.[1] ?? 0
        if (dropped++ === 0) onSlow({ queued: queue.length, dropped })
      }
      wake()
    },
    onEnd: end
  })
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted === true) abort()
  return {
    async next() {
      while (queue.length === 0 && over === null) {
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      const next = queue.shift()
      if (next !== undefined) {
        weight -= next[1]
        if (queue.length === 0) dropped = 0
        return { done: false, value: next[0] }
      }
      const error = over?.error ?? null
      over = { error: null }
      if (error !== null) throw error
      return { done: true, value: undefined }
    },
    async return() {
      queue.length = 0
      end(null)
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    }
  }
}
