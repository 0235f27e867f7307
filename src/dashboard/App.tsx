import { useSignalEffect } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ViewName } from './model/Dashboard.js'
import { VIEWS } from './model/Dashboard.js'
import { SessionContext, useDashboard } from './parts/context.js'
import { Header } from './parts/Header.js'
import { Navigation, TITLES } from './parts/Navigation.js'
import { Trouble } from './parts/Trouble.js'
import { CommandsView } from './views/CommandsView.js'
import { ConnectView } from './views/ConnectView.js'
import { FundsView } from './views/FundsView.js'
import { LocalView } from './views/LocalView.js'
import { MessagesView } from './views/MessagesView.js'
import { OutputsView } from './views/OutputsView.js'
import { OverviewView } from './views/OverviewView.js'
import { PayoutView } from './views/PayoutView.js'
import { TransactionsView } from './views/TransactionsView.js'

const COMPONENTS: Readonly<Record<ViewName, () => VNode>> = {
  overview: OverviewView,
  outputs: OutputsView,
  transactions: TransactionsView,
  funds: FundsView,
  payout: PayoutView,
  commands: CommandsView,
  messages: MessagesView,
  local: LocalView
}

/** The whole page. */
export function App(): VNode {
  const dashboard = useDashboard()
  useRoute()
  useSignalEffect(() => {
    const theme = dashboard.theme.value
    if (theme === 'auto') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  })
  const session = dashboard.session.value
  if (session === null) return <ConnectView />
  const View = COMPONENTS[dashboard.view.value]
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#main" onClick={toMain}>
        Skip to the content
      </a>
      <Header />
      <div class="layout">
        <Navigation />
        <main id="main" tabIndex={-1}>
          <Trouble />
          <View />
        </main>
      </div>
      <p class="hidden" role="status" aria-live="polite">
        {dashboard.journal.announcement}
      </p>
    </SessionContext.Provider>
  )
}

// The fragment names the view, so that a link to #main would leave it.
function toMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** The fragment of the address names the view: links, the back button and bookmarks work. */
function useRoute(): void {
  const dashboard = useDashboard()
  useEffect(() => {
    const read = (): void => {
      const name = location.hash.replace(/^#\/?/, '')
      const view = VIEWS.find((each) => each === name) ?? 'overview'
      dashboard.view.value = view
      document.title = `${TITLES[view]} \u2013 layer-sdk dashboard`
      scrollTo(0, 0)
    }
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [dashboard])
}
