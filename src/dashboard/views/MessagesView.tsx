import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { LogRow } from '../model/MessageLog.js'
import { MAX_MESSAGES, messageText } from '../model/MessageLog.js'
import { formatCount, formatDateTime, formatTime, safeText } from '../model/text.js'
import { CopyButton, Empty, Panel } from '../parts/basics.js'
import { useSession } from '../parts/context.js'
import { Dialog } from '../parts/Dialog.js'
import type { Column } from '../parts/VirtualTable.js'
import { VirtualTable } from '../parts/VirtualTable.js'

const PREVIEW = 160

/** The node's messages, one by one. */
export function MessagesView(): VNode {
  const session = useSession()
  void session.revision
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<LogRow | null>(null)
  const [held, setHeld] = useState<readonly LogRow[] | null>(null)
  const all = held ?? session.messages.rows
  const term = query.trim().toLowerCase()
  const rows =
    term === ''
      ? all
      : all.filter((row) => row.tag.toLowerCase().includes(term) || messageText(row).toLowerCase().includes(term))
  const columns: Column<LogRow>[] = [
    {
      title: 'Time',
      width: '5.2rem',
      cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
    },
    {
      title: 'Message',
      width: 'minmax(9rem, 15rem)',
      cell: (row) => (
        <button type="button" class="link" onClick={() => setChosen(row)}>
          {safeText(row.tag, 60)}
        </button>
      )
    },
    {
      title: 'Content',
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: (row) => <span class="mono muted cut">{previewOf(row)}</span>
    }
  ]
  return (
    <>
      <h1 class="view-title">Messages</h1>
      <Panel title={`${formatCount(session.messages.count)} messages`} id="message-list">
        <div class="filters">
          <label class="grow">
            <span class="hidden">Search messages</span>
            <input
              type="search"
              placeholder="Tag, id or any text"
              value={query}
              onInput={({ currentTarget }) => setQuery(currentTarget.value)}
            />
          </label>
          <button
            type="button"
            class="quiet"
            aria-pressed={held !== null}
            onClick={() => setHeld(held === null ? session.messages.rows : null)}
          >
            {held === null ? 'Pause' : 'Go on'}
          </button>
        </div>
        <div class="tall">
          <VirtualTable
            label="Messages"
            rows={rows}
            columns={columns}
            keyOf={({ id }) => id}
            growsAtTop
            empty={<Empty title="No message yet" />}
          />
        </div>
        <p class="hint">
          The newest {formatCount(MAX_MESSAGES)} are kept, in the form that the bridge delivers; whole sets of outputs
          are left out.
        </p>
      </Panel>
      {chosen !== null && (
        <Dialog title={safeText(chosen.tag, 60)} onClose={() => setChosen(null)}>
          <p class="muted">
            {formatDateTime(chosen.at)} <CopyButton text={messageText(chosen)} label="message" />
          </p>
          <pre tabIndex={0} aria-label="Message">
            {safeText(messageText(chosen), 40_000)}
          </pre>
        </Dialog>
      )}
    </>
  )
}

/** Returns the members that tell a message from others of its tag, in a line. */
function previewOf(row: LogRow): string {
  const { tag: _tag, headId: _headId, timestamp: _time, seq: _seq, ...rest } = row.payload as Record<string, unknown>
  return safeText(
    messageText({ ...row, payload: rest })
      .replace(/\s+/g, ' ')
      .slice(0, PREVIEW),
    PREVIEW
  )
}
