import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createHeadClient } from 'layer-sdk/client'
import { App } from './App.tsx'
import { openWallet } from './wallet.js'
import './style.css'

const { HEAD_URL: url, HEAD_ADDRESS: to } = import.meta.env
const root = createRoot(document.getElementById('root'))

try {
  const head = createHeadClient({ url, wallet: await openWallet() })
  root.render(
    <StrictMode>
      <App head={head} to={to} />
    </StrictMode>
  )
} catch (error) {
  root.render(<p role="alert">{error.message}</p>)
}
