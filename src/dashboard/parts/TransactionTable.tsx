import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { decodeLedgerError } from '../../client/index.js'
import type { TxRow } from '../model/TxLog.js'
import { errorText, formatCount, formatDateTime, formatDuration, formatTime, safeText, shorten } from '../model/text.js'
import { Badge, Empty, Id, Property } from './basics.js'
import type { Tone } from './basics.js'
import { Dialog } from './Dialog.js'
import type { Column } from './VirtualTable.js'
import { VirtualTable } from './VirtualTable.js'

const VERDICTS: Readonly<Record<TxRow['state'], readonly [Tone, string]>> = {
  valid: ['info', 'Valid'],
  confirmed: ['ok', 'Confirmed'],
  invalid: ['bad', 'Refused']
}

/** Transactions with their verdicts; one is shown whole when it is chosen. */
export function TransactionTable({
  rows,
  label,
  short = false
}: {
  rows: readonly TxRow[]
  label: string
  short?: boolean
}): VNode {
  const [chosen, setChosen] = useState<TxRow | null>(null)
  const columns: Column<TxRow>[] = [
    {
      title: 'Time',
      width: '4.6rem',
      cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
    },
    {
      title: 'Transaction',
      width: 'minmax(0, 1fr)',
      cell: (row) => {
        const shown = short ? shorten(row.txId, 6, 4) : shorten(row.txId, 12, 8)
        return (
          <button type="button" class="link mono" aria-label={`Transaction ${shown}`} onClick={() => setChosen(row)}>
            {shown}
          </button>
        )
      }
    },
    {
      title: 'Verdict',
      width: '6.3rem',
      cell: ({ state }) => <Badge tone={VERDICTS[state][0]}>{VERDICTS[state][1]}</Badge>
    },
    {
      title: 'Latency',
      width: '4.4rem',
      end: true,
      wideOnly: true,
      cell: ({ latencyMs }) => (latencyMs === null ? '\u2013' : formatDuration(latencyMs))
    },
    ...(short
      ? []
      : [
          {
            title: 'Snapshot',
            width: '5.5rem',
            end: true,
            wideOnly: true,
            cell: ({ snapshot }: TxRow) => (snapshot === null ? '\u2013' : formatCount(snapshot))
          }
        ])
  ]
  return (
    <div class={short ? 'short' : 'tall'}>
      <VirtualTable
        label={label}
        rows={rows}
        columns={columns}
        keyOf={({ txId }) => txId}
        growsAtTop={!short}
        empty={<Empty title="No transactions yet">They appear here as they come.</Empty>}
      />
      {chosen !== null && (
        <TransactionDialog
          row={rows.find(({ txId }) => txId === chosen.txId) ?? chosen}
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  )
}

function TransactionDialog({ row, onClose }: { row: TxRow; onClose: () => void }): VNode {
  const [tone, verdict] = VERDICTS[row.state]
  return (
    <Dialog title="Transaction" onClose={onClose}>
      <dl class="properties">
        <Property name="Id">
          <Id text={row.txId} label="transaction id" first={24} last={12} />
        </Property>
        <Property name="Verdict">
          <Badge tone={tone}>{verdict}</Badge>
        </Property>
        <Property name="First seen">{formatDateTime(row.at)}</Property>
        {row.latencyMs !== null && <Property name="Valid to confirmed">{formatDuration(row.latencyMs)}</Property>}
        {row.snapshot !== null && <Property name="Snapshot">{formatCount(row.snapshot)}</Property>}
      </dl>
      {row.reason !== null && <Reason txId={row.txId} reason={row.reason} />}
    </Dialog>
  )
}

/** Why the ledger refused it: for people, and below it in its own words. */
function Reason({ txId, reason }: { txId: string; reason: string }): VNode {
  const error = decodeLedgerError(txId, reason)
  const figures = Object.entries(error.figures)
  return (
    <>
      <h3>{errorText(error).summary}</h3>
      {figures.length > 0 && (
        <dl class="properties">
          {figures.map(([name, value]) => (
            <Property name={name} key={name}>
              {formatCount(value)}
            </Property>
          ))}
        </dl>
      )}
      <h3>In the node's words</h3>
      <pre tabIndex={0} aria-label="The node's words">
        {safeText(reason, 8_000)}
      </pre>
    </>
  )
}
