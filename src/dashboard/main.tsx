import { render } from 'preact'
import { App } from './App.js'
import { Dashboard } from './model/Dashboard.js'
import { localNodeUrl, readLocalHead } from './model/local.js'
import { DashboardContext } from './parts/context.js'

const local = readLocalHead(document)
const dashboard = new Dashboard(local, window.top !== window.self)
const root = document.getElementById('app')!
root.textContent = ''

render(
  <DashboardContext.Provider value={dashboard}>
    <App />
  </DashboardContext.Provider>,
  root
)
if (local !== null) void dashboard.connect({ kind: 'node', url: localNodeUrl(local, location) })
addEventListener('pagehide', () => void dashboard.stop(), { once: true })
