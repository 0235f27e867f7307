import type { VNode } from 'preact'
import { formatTime } from '../model/text.js'
import { Panel } from './basics.js'
import { useDashboard } from './context.js'
import type { Act } from './SettingsGrid.js'

const FILE = 'local-head.json'
/** Most kept states that are shown: as many as the node keeps. */
const MAX_SHOWN = 100
/** Time that the browser gets to begin a download before its URL is revoked, ms. */
const REVOKE_MS = 10_000

/**
 * Keeps the local head's whole state and returns to it later; saved as a file, it can be loaded into a second local
 * head.
 */
export function StatePanel({ act, busy }: { act: Act; busy: boolean }): VNode {
  const { keptStates } = useDashboard()
  const keep = (): Promise<void> =>
    act('The state is kept.', async (control) => {
      const id = await control.snapshot()
      keptStates.value = [{ id, timeMs: Date.now() }, ...keptStates.value].slice(0, MAX_SHOWN)
    })
  const load = (input: HTMLInputElement): void => {
    const file = input.files?.[0]
    if (file !== undefined)
      void act('The state of the file is the local head\u2019s.', async (control) => control.load(await file.text()))
    // The same file may be chosen again.
    input.value = ''
  }
  return (
    <Panel title="State">
      <div class="button-row">
        <button type="button" class="primary" disabled={busy} onClick={() => void keep()}>
          Keep this state
        </button>
        <button
          type="button"
          class="quiet"
          disabled={busy}
          onClick={() => void act(`${FILE} holds the state.`, async (control) => save(await control.dump()))}
        >
          Save to a file
        </button>
      </div>
      <ul class="plain-list">
        {keptStates.value.map(({ id, timeMs }) => (
          <li key={id}>
            <button
              type="button"
              class="quiet"
              disabled={busy}
              onClick={() => void act(`The local head is back at state ${id}.`, (control) => control.revert(id))}
            >
              Go back to state {id}
            </button>{' '}
            <span class="muted">kept {formatTime(timeMs)}</span>
          </li>
        ))}
      </ul>
      <label>
        Load a file
        <input type="file" accept=".json" disabled={busy} onChange={({ currentTarget }) => load(currentTarget)} />
      </label>
      <p class="hint">Ledgers, head, deposits, messages, faults and time; every connection ends and comes back.</p>
    </Panel>
  )
}

function save(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = FILE
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_MS)
}
