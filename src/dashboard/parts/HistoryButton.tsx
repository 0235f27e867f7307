import type { VNode } from 'preact'
import { useSession } from './context.js'

/** Reads the node's stored messages of this head, or of the last one. */
export function HistoryButton(): VNode | null {
  const session = useSession()
  const state = session.history.value
  void session.revision
  // Watched since it opened.
  if (session.funds.complete && state === 'none') return null
  const { headId, headStatus } = session.status.value
  if (!session.hasHistory || (headId === null && headStatus !== 'Idle')) return null
  if (state === 'read') return <span class="muted">History read</span>
  return (
    <button type="button" class="quiet" disabled={state === 'reading'} onClick={() => void session.readHistory()}>
      {state === 'reading' ? 'Reading the history' : state === 'failed' ? 'Read the history again' : 'Read the history'}
    </button>
  )
}
