import type { VNode } from 'preact'
import type { PartyStatus } from '../model/control.js'
import { Id, Panel } from './basics.js'
import type { Act } from './SettingsGrid.js'
import { SettingsGrid } from './SettingsGrid.js'

/** How each party of the local head behaves: cut off, slow to sign, closing with an old snapshot. */
export function PartiesPanel({
  parties,
  act,
  busy
}: {
  parties: readonly PartyStatus[]
  act: Act
  busy: boolean
}): VNode {
  return (
    <Panel title="Parties of the local head">
      {parties.map(({ index, vkey, silent, signDelayMs, closeWithOld }) => (
        <SettingsGrid
          key={vkey}
          legend={
            <>
              Party {index} <Id text={vkey} label={`key of party ${index}`} />
            </>
          }
          settings={{ silent, signDelayMs, closeWithOld }}
          busy={busy}
          act={act}
          set={(control, changed) => control.setParty(index, changed)}
        />
      ))}
    </Panel>
  )
}
