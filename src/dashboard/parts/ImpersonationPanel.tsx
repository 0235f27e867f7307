import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Id, Panel } from './basics.js'
import type { Act } from './SettingsGrid.js'

/** Addresses of the local head that can be spent from without their owners' signatures. */
export function ImpersonationPanel({
  addresses,
  act,
  busy
}: {
  addresses: readonly string[]
  act: Act
  busy: boolean
}): VNode {
  const [address, setAddress] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    void act('No signature of that address is asked for.', (control) => control.impersonate(address.trim()))
  }
  return (
    <Panel title="Impersonation">
      <form onSubmit={submit} autoComplete="off">
        <label>
          Address whose keys are elsewhere
          <input
            type="text"
            required
            value={address}
            spellcheck={false}
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={busy}>
          Impersonate
        </button>
      </form>
      <ul class="plain-list">
        {addresses.map((each) => (
          <li key={each}>
            <Id text={each} label="impersonated address" first={22} last={8} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
