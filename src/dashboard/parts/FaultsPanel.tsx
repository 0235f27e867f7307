import type { VNode } from 'preact'
import type { Settings } from '../model/control.js'
import { Badge, Panel } from './basics.js'
import type { Act } from './SettingsGrid.js'
import { SettingsGrid } from './SettingsGrid.js'

/** Faults that the local head commits on demand: switches and counts. */
export function FaultsPanel({ faults, act, busy }: { faults: Settings; act: Act; busy: boolean }): VNode {
  const values = Object.values(faults)
  const isActive = values.some((value) => value === true || (typeof value === 'number' && value > 0))
  const switches = Object.fromEntries(Object.entries(faults).filter(([, value]) => typeof value === 'boolean'))
  const counts = Object.fromEntries(Object.entries(faults).filter(([, value]) => typeof value === 'number'))
  return (
    <Panel title="Faults" aside={isActive ? <Badge tone="warn">active</Badge> : <span class="muted">none</span>}>
      {[switches, counts].map((settings, i) => (
        <SettingsGrid
          key={i}
          legend={<span class="hidden">{i === 0 ? 'Faults that are on or off' : 'Faults with a number'}</span>}
          settings={settings}
          busy={busy}
          act={act}
          set={(control, changed) => control.setFaults(changed)}
        />
      ))}
      <div class="button-row" role="group" aria-label="Distance to the base ledger">
        <button
          type="button"
          class="quiet"
          disabled={busy}
          onClick={() => void act('The node has fallen behind.', (control) => control.setDrift(600))}
        >
          Fall 10 min behind
        </button>
        <button
          type="button"
          class="quiet"
          disabled={busy}
          onClick={() => void act('The node has caught up.', (control) => control.setDrift(0))}
        >
          Catch up
        </button>
      </div>
    </Panel>
  )
}
