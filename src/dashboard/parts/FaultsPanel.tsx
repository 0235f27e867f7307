import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Control } from '../model/control.js'
import { safeText } from '../model/text.js'
import { Badge, Panel } from './basics.js'

/** Runs something on the control API, and says afterwards that it is done. */
export type Act = (what: string, run: (control: Control) => Promise<unknown>) => Promise<void>

/** A fault as words: `holdSnapshots` -> `Hold snapshots`. */
const wordsOf = (name: string): string =>
  safeText(
    name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase()),
    60
  )

/** Faults that the local head commits on demand: switches and counts. */
export function FaultsPanel({ faults, act, busy }: { faults: Readonly<Record<string, unknown>>; act: Act; busy: boolean }): VNode {
  const entries = Object.entries(faults)
  const switches = entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
  const counts = entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  // What was just chosen stands until the node has answered.
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({})
  const set = (name: string, value: number | boolean): void => {
    if (typeof value === 'boolean') setChosen({ [name]: value })
    void act(`${wordsOf(name)}: ${String(value)}.`, (control) => control.setFaults({ [name]: value })).then(() => setChosen({}))
  }
  return (
    <Panel
      title="Faults"
      aside={switches.some(([, on]) => on) || counts.some(([, count]) => count > 0) ? <Badge tone="warn">active</Badge> : <span class="muted">none</span>}
    >
      <fieldset class="fault-grid" disabled={busy}>
        <legend class="hidden">Faults that are on or off</legend>
        {switches.map(([name, on]) => (
          <label class="switch" key={name}>
            <input type="checkbox" checked={chosen[name] ?? on} onChange={({ currentTarget }) => set(name, currentTarget.checked)} />
            {wordsOf(name)}
          </label>
        ))}
      </fieldset>
      <fieldset class="fault-grid" disabled={busy}>
        <legend class="hidden">Faults with a number</legend>
        {counts.map(([name, count]) => (
          <label class="count" key={name}>
            <span>{wordsOf(name)}</span>
            <input type="number" min={0} value={count} onChange={({ currentTarget }) => set(name, Math.max(0, Math.trunc(Number(currentTarget.value))))} />
          </label>
        ))}
      </fieldset>
      <div class="button-row" role="group" aria-label="Distance to the base ledger">
        <button type="button" class="quiet" disabled={busy} onClick={() => void act('The node has fallen behind.', (control) => control.setDrift(600))}>
          Fall 10 min behind
        </button>
        <button type="button" class="quiet" disabled={busy} onClick={() => void act('The node has caught up.', (control) => control.setDrift(0))}>
          Catch up
        </button>
      </div>
    </Panel>
  )
}
