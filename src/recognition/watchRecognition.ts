import { InvalidArgumentError } from '../errors/input.js'
import type { Fetcher } from '../types/provider.js'
import { SetMemo } from './bindSet.js'
import { PolledSource } from './PolledSource.js'
import type { RecogniseHeadOptions } from './recogniseHead.js'
import { recogniseHead } from './recogniseHead.js'
import { createMemoryStore } from './store.js'
import type { Recognition } from './types.js'

/** Arguments of {@link watchRecognition}. */
export interface WatchRecognitionOptions extends RecogniseHeadOptions {
  /** Time between two checks, ms; after failures it doubles, up to eight times as much. @default 20000 */
  readonly interval?: number | undefined
  /** Receives the errors of the chain source; the watch continues after them. */
  readonly onError?: ((error: unknown) => void) | undefined
}

const DEFAULT_INTERVAL = 20_000
/** Longest wait after failures, as a multiple of the interval. */
const MAX_BACKOFF = 8

/**
 * Recognises a head again and again. Calls `onChange` with the first answer, with each one that differs from the one
 * before, and with the first one after a failure. Never reports an older snapshot than one that was verified. Returns a
 * function that ends the watch.
 *
 * One check runs at a time. A check without a change costs one request to each endpoint and one to the chain source, or
 * two if there is a new block; while there is no head, one more at each tenth block. With `depositAddress`, the head
 * and that address are read in turn, so a new deposit is found at most one check later.
 *
 * @throws {@link InvalidArgumentError} on a wrong interval; other wrong options go to `onError`.
 * @example
 * ```ts no-run
 * import { SLOT_CONFIG } from 'layer-sdk'
 * import { KupoProvider } from 'layer-sdk/providers'
 * import { watchRecognition } from 'layer-sdk/recognition'
 * const options = {
 *   headId: 'd276058a22ad180bc94bfc89d85d6c02c5e5a110dd5ddcd759f213b1',
 *   provider: new KupoProvider({ baseUrl: 'http://localhost:1442', network: 'preprod' }),
 *   endpoints: ['https://head.example'],
 *   addresses: ['addr_test1...'],
 *   slotConfig: SLOT_CONFIG.PREPROD
 * }
 * const unwatch = watchRecognition(options, (found) => console.log(found.state, found.inHead?.available))
 * setTimeout(unwatch, 60_000)
 * ```
 */
export function watchRecognition(options: WatchRecognitionOptions, onChange: (found: Recognition) => void): () => void {
  const { interval = DEFAULT_INTERVAL, onError = () => undefined, ...settings } = options
  if (!(Number.isFinite(interval) && interval > 0))
    throw new InvalidArgumentError('interval', 'a number of milliseconds above 0', interval)
  if (typeof onChange !== 'function') throw new InvalidArgumentError('onChange', 'a function', onChange)
  let timer: ReturnType<typeof setTimeout> | undefined
  const ended = new AbortController()
  const { signal } = ended
  const end = (): void => {
    ended.abort()
    clearTimeout(timer)
    settings.signal?.removeEventListener('abort', end)
  }
  const source = new PolledSource(settings.provider?.fetcher as Fetcher)
  // One that is none is named by the call.
  const isSource = typeof settings.provider?.fetcher?.fetchTip === 'function'
  const provider = isSource ? { fetcher: source.fetcher } : settings.provider
  const { memo = new SetMemo(), store = createMemoryStore() } = settings
  let last: string | null = null
  let failures = 0

  const look = async (): Promise<void> => {
    try {
      source.begin()
      const once = (): Promise<Recognition> => recogniseHead({ ...settings, memo, store, signal, provider })
      let found = await once()
      if (source.isTorn) {
        source.begin({ whole: true })
        found = await once()
      }
      if (signal.aborted) return
      failures = found.reason === 'unreachable' ? failures + 1 : 0
      const text = keyOf(found)
      if (text !== last) onChange(found)
      last = text
    } catch (error) {
      if (signal.aborted) return
      failures++
      // The answer after a failure is called, even an equal one: it ends the failure.
      last = null
      onError(error)
    }
    if (!signal.aborted) timer = setTimeout(() => void look(), interval * Math.min(2 ** failures, MAX_BACKOFF))
  }
  settings.signal?.addEventListener('abort', end)
  if (settings.signal?.aborted === true) end()
  else void look()
  return end
}

/** Returns all of an answer as text except its time, which changes with each block. */
function keyOf({ asOf: _asOf, ...found }: Recognition): string {
  return JSON.stringify(found)
}
