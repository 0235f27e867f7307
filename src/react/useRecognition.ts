import { useEffect, useRef, useState } from 'react'
import type { Recognition, RecognitionStore, WatchRecognitionOptions } from '../recognition/index.js'

/** Result of {@link useRecognition}. */
export interface RecognitionView {
  /** The newest answer; null before the first. */
  readonly data: Recognition | null
  /** `pending` before the first answer; `error` while the chain source fails, with the last answer still in `data`. */
  readonly status: 'pending' | 'success' | 'error'
  /** Failure of the chain source, or of wrong options; null otherwise. */
  readonly error: unknown
  /** Requests a new answer at once. */
  refresh(): void
}

type Result = Omit<RecognitionView, 'refresh'>

const PENDING: Result = { data: null, status: 'pending', error: null }

/**
 * Recognises a head and a wallet's money in it, and renders when the answer has changed. It needs no `HeadProvider`,
 * loads the recognition when it mounts, and stops when it unmounts. A new provider object restarts it: create the
 * provider outside of the component.
 *
 * @example
 * ```tsx no-run
 * import { SLOT_CONFIG } from 'layer-sdk'
 * import { KupoProvider } from 'layer-sdk/providers'
 * import { useRecognition } from 'layer-sdk/react'
 *
 * const provider = new KupoProvider({ baseUrl: 'http://localhost:1442', network: 'preprod' })
 * const HeadMoney = ({ headId, address }: { headId: string; address: string }) => {
 *   const { data, status } = useRecognition({
 *     headId,
 *     provider,
 *     endpoints: ['https://head.example'],
 *     addresses: [address],
 *     slotConfig: SLOT_CONFIG.PREPROD
 *   })
 *   return <p>{status === 'pending' ? '...' : data?.state}</p>
 * }
 * ```
 */
export function useRecognition(options: WatchRecognitionOptions): RecognitionView {
  const [result, setResult] = useState(PENDING)
  const [round, setRound] = useState(0)
  const latest = useRef(options)
  latest.current = options
  const records = useRef<RecognitionStore | null>(null)
  const { headId, provider, endpoints, addresses, depositAddress, depositTxIds, interval, strict, headIdFrom } = options
  const identity = JSON.stringify([
    headId,
    endpoints,
    addresses,
    depositAddress,
    depositTxIds,
    interval,
    strict,
    headIdFrom
  ])

  useEffect(() => {
    let isEnded = false
    let unwatch = (): void => undefined
    const fail = (error: unknown): void => {
      if (!isEnded) setResult(({ data }) => ({ data, status: 'error', error }))
    }
    const start = async (): Promise<void> => {
      const [{ watchRecognition }, { createMemoryStore }] = await Promise.all([
        import('../recognition/watchRecognition.js'),
        import('../recognition/store.js')
      ])
      if (isEnded) return
      // Looking again never goes back from a verified snapshot.
      records.current ??= createMemoryStore()
      unwatch = watchRecognition({ store: records.current, ...latest.current, onError: fail }, (data) =>
        setResult({ data, status: 'success', error: null })
      )
    }
    start().catch(fail)
    return () => {
      isEnded = true
      unwatch()
    }
  }, [identity, provider, round])

  useEffect(() => setResult(PENDING), [identity, provider])

  return { ...result, refresh: () => setRound((count) => count + 1) }
}
