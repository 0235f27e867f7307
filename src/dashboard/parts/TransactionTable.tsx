import type { VNode } from 'preact'
import { txSummary } from '../model/explorer.js'
import type { TxRow } from '../model/TxLog.js'
import { countOf, formatAdaText, formatCount, formatDuration, formatTime } from '../model/text.js'
import { Badge, Empty } from './basics.js'
import type { Tone } from './basics.js'
import { useSession } from './context.js'
import { AddressLink, TxLink } from './links.js'
import type { Column } from './VirtualTable.js'
import { VirtualTable } from './VirtualTable.js'

/** By state of a transaction: the tone and the word of its verdict. */
export const VERDICTS: Readonly<Record<TxRow['state'], readonly [Tone, string]>> = {
  valid: ['info', 'Valid'],
  confirmed: ['ok', 'Confirmed'],
  invalid: ['bad', 'Refused']
}

/** Transactions with their amounts and verdicts. */
export function TransactionTable({
  rows,
  label,
  short = false
}: {
  rows: readonly TxRow[]
  label: string
  short?: boolean
}): VNode {
  const long: Column<TxRow>[] = [
    { title: 'From', width: 'minmax(0, 1fr)', wideOnly: true, cell: ({ txId }) => <Ends txId={txId} end="from" /> },
    { title: 'To', width: 'minmax(0, 1fr)', wideOnly: true, cell: ({ txId }) => <Ends txId={txId} end="to" /> }
  ]
  const columns: Column<TxRow>[] = [
    {
      title: 'Time',
      width: '4.6rem',
      wideOnly: true,
      cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
    },
    {
      title: 'Transaction',
      width: short ? 'minmax(5.6rem, 1fr)' : 'minmax(5.6rem, 0.6fr)',
      cell: ({ txId }) => <TxLink txId={txId} first={6} last={4} />
    },
    ...(short ? [] : long),
    { title: 'Ada', width: 'minmax(0, 8.5rem)', end: true, cell: ({ txId }) => <Moved txId={txId} /> },
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
            width: '5rem',
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
    </div>
  )
}

/** Shows the first sender or receiver, and the number of the others. */
function Ends({ txId, end }: { txId: string; end: 'from' | 'to' }): VNode {
  const addresses = txSummary(useSession().book, txId)?.[end] ?? []
  const [first] = addresses
  if (first === undefined) return <span class="muted">not known</span>
  return (
    <>
      <AddressLink address={first} first={10} />
      {addresses.length > 1 && <span class="muted"> +{addresses.length - 1}</span>}
    </>
  )
}

/** Shows the amount that goes to receivers other than the senders. */
function Moved({ txId }: { txId: string }): VNode {
  const summary = txSummary(useSession().book, txId)
  if (summary === null) return <>{'\u2013'}</>
  const { from, lovelace, tokens } = summary
  return (
    <span
      title={`${tokens === 0 ? '' : countOf(tokens, 'token')}${from === null ? ' Senders not known: at most this' : ''}`}
    >
      {from === null && '\u2264 '}
      {formatAdaText(lovelace)}
      {tokens > 0 && ` +${tokens}`}
    </span>
  )
}
