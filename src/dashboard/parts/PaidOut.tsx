import type { VNode } from 'preact'
import { MAX_PAID_OUT } from '../model/LifeLog.js'
import { countOf, formatAdaText, formatCount } from '../model/text.js'
import { Panel } from './basics.js'
import { useSession } from './context.js'
import { UtxoTable } from './UtxoTable.js'

/** Outputs of a head that has been paid out, or of the steps so far; nothing before. */
export function PaidOut(): VNode | null {
  const session = useSession()
  void session.revision
  const { ended, paying } = session.life
  const shown = ended ?? paying
  if (shown === null) return null
  const { outputs, lovelace, utxo } = shown
  const sum = `${countOf(outputs, 'output')}${lovelace === null ? '' : `, ${formatAdaText(lovelace)} ada`}`
  return (
    <Panel title={`${ended === null ? 'Paid out so far' : 'Paid out'}: ${sum}`} id="paid-out">
      <div class="low">
        <UtxoTable utxos={utxo} label="Outputs that were paid out" />
      </div>
      {outputs > utxo.length && (
        <p class="hint">
          {utxo.length === 0
            ? 'An output of it could not be read.'
            : `The first ${formatCount(MAX_PAID_OUT)} are shown.`}
        </p>
      )}
    </Panel>
  )
}
