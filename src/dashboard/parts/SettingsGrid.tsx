import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Control, Settings } from '../model/control.js'
import { safeText } from '../model/text.js'

/** Runs a command on the control API, and reports afterwards that `what` is done. */
export type Act = (what: string, run: (control: Control) => Promise<unknown>) => Promise<void>

/** A setting as words: `holdSnapshots` -> `Hold snapshots`. */
const wordsOf = (name: string): string =>
  safeText(
    name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase()),
    60
  )

/**
 * Settings of the local head that are on or off, or a count. `set` sends the one that was changed; a setting of another
 * kind is left out.
 */
export function SettingsGrid({
  legend,
  settings,
  busy,
  act,
  set
}: {
  legend: ComponentChildren
  settings: Settings
  busy: boolean
  act: Act
  set: (control: Control, changed: Settings) => Promise<unknown>
}): VNode {
  // A new choice is shown until the node has answered.
  const [chosen, setChosen] = useState<Settings>({})
  const change = (name: string, value: number | boolean): void => {
    setChosen({ [name]: value })
    void act(`${wordsOf(name)}: ${String(value)}.`, (control) => set(control, { [name]: value })).then(() =>
      setChosen({})
    )
  }
  const entries = Object.entries({ ...settings, ...chosen })
  return (
    <fieldset class="fault-grid" disabled={busy}>
      <legend>{legend}</legend>
      {entries.map(([name, value]) =>
        typeof value === 'boolean' ? (
          <label class="switch" key={name}>
            <input
              type="checkbox"
              checked={value}
              onChange={({ currentTarget }) => change(name, currentTarget.checked)}
            />
            {wordsOf(name)}
          </label>
        ) : typeof value === 'number' ? (
          <label class="count" key={name}>
            <span>{wordsOf(name)}</span>
            <input
              type="number"
              min={0}
              value={value}
              onChange={({ currentTarget }) => change(name, Math.max(0, Math.trunc(Number(currentTarget.value))))}
            />
          </label>
        ) : null
      )}
    </fieldset>
  )
}
