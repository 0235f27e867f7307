import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { formatCount } from '../model/text.js'
import { Panel } from '../parts/basics.js'
import { useSession } from '../parts/context.js'
import { HistoryButton } from '../parts/HistoryButton.js'
import { TransactionTable } from '../parts/TransactionTable.js'
import { MAX_TX_ROWS } from '../model/TxLog.js'

const FILTERS = [
  ['all', 'All'],
  ['valid', 'Valid'],
  ['confirmed', 'Confirmed'],
  ['invalid', 'Refused']
] as const

/** Transactions as they come. */
export function TransactionsView(): VNode {
  const session = useSession()
  void session.revision
  const [filter, setFilter] = useState<string>('all')
  const [query, setQuery] = useState('')
  const term = query.trim().toLowerCase()
  const { rows, confirmed, refused } = session.txs
  const found =
    filter === 'all' && term === ''
      ? rows
      : rows.filter(({ state, txId }) => (filter === 'all' || state === filter) && txId.includes(term))
  return (
    <>
      <h1 class="view-title">Transactions</h1>
      <Panel
        title={`${formatCount(confirmed)} confirmed, ${formatCount(refused)} refused`}
        id="tx-list"
        aside={<HistoryButton />}
      >
        <div class="filters">
          <label class="grow">
            <span class="hidden">Search by id</span>
            <input
              type="search"
              placeholder="Search by id"
              value={query}
              onInput={({ currentTarget }) => setQuery(currentTarget.value)}
            />
          </label>
          <label>
            <span class="hidden">Verdict</span>
            <select value={filter} onChange={({ currentTarget }) => setFilter(currentTarget.value)}>
              {FILTERS.map(([value, title]) => (
                <option value={value} key={value}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        </div>
        <TransactionTable rows={found} label="Transactions" />
        <p class="hint">
          The newest {formatCount(MAX_TX_ROWS)} are kept. Latency is the node's own time from TxValid to the snapshot.
        </p>
      </Panel>
    </>
  )
}
