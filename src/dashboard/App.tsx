import { useSignalEffect } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Page, PageRoute, ViewName } from './model/pages.js'
import { linkTo, readRoute } from './model/pages.js'
import { Notice } from './parts/basics.js'
import { SessionContext, useDashboard } from './parts/context.js'
import { Header } from './parts/Header.js'
import { Navigation, TITLES } from './parts/Navigation.js'
import { SearchField } from './parts/SearchField.js'
import { Trouble } from './parts/Trouble.js'
import { AddressPage } from './views/AddressPage.js'
import { CommandsView } from './views/CommandsView.js'
import { ConnectView } from './views/ConnectView.js'
import { FundsView } from './views/FundsView.js'
import { LocalView } from './views/LocalView.js'
import { MessagesView } from './views/MessagesView.js'
import { OutputPage } from './views/OutputPage.js'
import { OutputsView } from './views/OutputsView.js'
import { OverviewView } from './views/OverviewView.js'
import { PayoutView } from './views/PayoutView.js'
import { HeadMoneyView } from './views/HeadMoneyView.js'
import { TransactionPage } from './views/TransactionPage.js'
import { TransactionsView } from './views/TransactionsView.js'

const COMPONENTS: Readonly<Record<ViewName, () => VNode>> = {
  overview: OverviewView,
  outputs: OutputsView,
  transactions: TransactionsView,
  funds: FundsView,
  payout: PayoutView,
  recognition: HeadMoneyView,
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
  const route = dashboard.route.value
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
          <SearchField />
          <Place route={route} />
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

/** Titles of the pages. */
const PAGE_TITLES: Readonly<Record<Page['kind'], string>> = {
  transaction: 'Transaction',
  address: 'Address',
  output: 'Output'
}

function Place({ route }: { route: PageRoute }): VNode {
  switch (route.kind) {
    case 'view': {
      const View = COMPONENTS[route.view]
      return <View />
    }
    // Another thing is another page: no state of the one before is kept.
    case 'transaction':
      return <TransactionPage txId={route.txId} key={linkTo(route)} />
    case 'address':
      return <AddressPage address={route.address} key={linkTo(route)} />
    case 'output':
      return <OutputPage txHash={route.txHash} index={route.index} key={linkTo(route)} />
    case 'problem':
      return (
        <>
          <h1 class="view-title">No such page</h1>
          <Notice tone="warn" icon="warn" title="This link leads nowhere">
            <p class="breakable">
              <bdi>{route.message}</bdi>
            </p>
          </Notice>
        </>
      )
  }
}

/** Shows the view or page that the URL's fragment names, so that links, the back button and bookmarks work. */
function useRoute(): void {
  const dashboard = useDashboard()
  useEffect(() => {
    const read = (): void => {
      const route = readRoute(location.hash)
      dashboard.route.value = route
      const title =
        route.kind === 'view' ? TITLES[route.view] : route.kind === 'problem' ? 'No such page' : PAGE_TITLES[route.kind]
      document.title = `${title} \u2013 layer-sdk dashboard`
      scrollTo(0, 0)
    }
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [dashboard])
}
