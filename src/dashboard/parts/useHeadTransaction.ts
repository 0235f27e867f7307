import { useEffect, useState } from 'preact/hooks'
import type { HeadTransaction } from '../../client/index.js'
import type { ErrorText } from '../model/text.js'
import { errorText } from '../model/text.js'
import { useSession } from './context.js'

/** Answer of the node's history to a transaction's id. */
export interface HistoryAnswer {
  readonly state: 'none' | 'reading' | 'read' | 'failed'
  /** Null where the history does not name it. */
  readonly found: HeadTransaction | null
  readonly error: ErrorText | null
}

const NONE: HistoryAnswer = { state: 'none', found: null, error: null }
const TIMEOUT_MS = 60_000

/** Looks a transaction up in the node's history, or in the gateway's log, as soon as `isWanted` is true. */
export function useHeadTransaction(txId: string, isWanted: boolean): HistoryAnswer {
  const session = useSession()
  const isConnected = session.status.value.state === 'connected'
  const [answer, setAnswer] = useState<HistoryAnswer>(NONE)
  useEffect(() => {
    if (!isWanted || !isConnected) return setAnswer(NONE)
    const over = new AbortController()
    setAnswer({ ...NONE, state: 'reading' })
    session.client.getTransaction(txId, { signal: over.signal, timeout: TIMEOUT_MS }).then(
      (found) => {
        if (!over.signal.aborted) setAnswer({ state: 'read', found, error: null })
      },
      (error: unknown) => {
        if (!over.signal.aborted) setAnswer({ state: 'failed', found: null, error: errorText(error) })
      }
    )
    return () => over.abort()
  }, [txId, isWanted, isConnected, session])
  return answer
}
