import type { VNode } from 'preact'
import type { ViewName } from '../model/pages.js'
import { VIEWS, viewOf } from '../model/pages.js'
import { formatCount } from '../model/text.js'
import { useDashboard, useSession } from './context.js'
import { Icon } from './Icon.js'

/** Titles of the views. */
export const TITLES: Readonly<Record<ViewName, string>> = {
  overview: 'Overview',
  outputs: 'Outputs',
  transactions: 'Transactions',
  funds: 'Deposits & decommits',
  payout: 'Payout check',
  recognition: 'Recognition',
  commands: 'Commands',
  messages: 'Messages',
  local: 'Local head'
}

export function Navigation(): VNode {
  const dashboard = useDashboard()
  const session = useSession()
  void session.revision
  const route = dashboard.route.value
  const counts: Partial<Record<ViewName, number>> = {
    outputs: session.outputs.value?.utxos.length ?? 0,
    funds: session.pendingDeposits
  }
  const views = VIEWS.filter((view) => view !== 'local' || dashboard.watchedLocal !== null)
  return (
    <nav aria-label="Views">
      <ul>
        {views.map((view) => (
          <li key={view}>
            <a
              href={`#/${view}`}
              aria-current={viewOf(route) !== view ? undefined : route.kind === 'view' ? 'page' : true}
            >
              <Icon name={view} />
              <span>{TITLES[view]}</span>
              {(counts[view] ?? 0) > 0 && <span class="nav-count">{formatCount(counts[view]!)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
