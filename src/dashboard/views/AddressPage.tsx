import type { VNode } from 'preact'
import { addressDetails } from '../model/explorer.js'
import { summarise } from '../model/outputs.js'
import { MAX_TX_ROWS } from '../model/TxLog.js'
import { countOf, formatAmount, formatCount, safeText } from '../model/text.js'
import { CopyButton, Empty, Panel, Property } from '../parts/basics.js'
import { NameOf } from '../parts/links.js'
import { HistoryButton } from '../parts/HistoryButton.js'
import { TransactionTable } from '../parts/TransactionTable.js'
import { UtxoTable } from '../parts/UtxoTable.js'
import { useSources } from '../parts/useSources.js'

const MAX_UNITS = 50

/** One address: its outputs in the head, and the transactions that it takes part in. */
export function AddressPage({ address }: { address: string }): VNode {
  const sources = useSources()
  const { utxos, paidOut, rows } = addressDetails(sources, address)
  const { assets } = summarise(utxos)
  return (
    <>
      <h1 class="view-title">Address</h1>
      <Panel title="In the head" id="address-holds">
        <dl class="properties">
          <Property name="Address">
            <NameOf address={address} /> <code class="breakable">{safeText(address, 400)}</code>
            <CopyButton text={address} label="address" />
          </Property>
          <Property name="Holds">
            {assets.length === 0 ? (
              'no output in this head'
            ) : (
              <span class="amount-list">
                {assets.slice(0, MAX_UNITS).map(({ unit, quantity }) => (
                  <bdi key={unit}>{formatAmount(unit, quantity)}</bdi>
                ))}
                {assets.length > MAX_UNITS && <span class="muted">and {assets.length - MAX_UNITS} more</span>}
              </span>
            )}
          </Property>
        </dl>
        {utxos.length > 0 && (
          <div class="low">
            <UtxoTable utxos={utxos} label="Outputs of this address" withAddress={false} />
          </div>
        )}
      </Panel>
      {paidOut.length > 0 && (
        <Panel title={`Paid out: ${countOf(paidOut.length, 'output')}`} id="address-paid-out">
          <div class="low">
            <UtxoTable utxos={paidOut} label="Outputs that were paid out" withAddress={false} />
          </div>
        </Panel>
      )}
      <Panel title={countOf(rows.length, 'transaction')} id="address-txs" aside={<HistoryButton />}>
        {rows.length === 0 ? (
          <Empty title="This page has seen no transaction of it" />
        ) : (
          <TransactionTable rows={rows} label="Transactions of this address" />
        )}
        <p class="hint">Of the newest {formatCount(MAX_TX_ROWS)} transactions that this page knows.</p>
      </Panel>
    </>
  )
}
