// The page of docs/guides/react.md under StrictMode, with the wallet behind its CIP-30 interface.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AppWallet, walletFromCip30 } from 'layer-sdk/wallet'
import { App, createHead } from './app.jsx'

const { url, words, to } = await (await fetch('/env.json')).json()
const wallet = walletFromCip30(new AppWallet({ networkId: 0, key: { type: 'mnemonic', words } }).toCip30())
const head = createHead({ url, wallet })
createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <App head={head} to={to} />
  </StrictMode>
)
