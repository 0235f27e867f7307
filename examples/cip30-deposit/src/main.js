import { createHeadClient } from 'layer-sdk/client'
import { RpcProvider } from 'layer-sdk/providers'
import { ada, formatAda } from 'layer-sdk/utils'
import { walletFromCip30 } from 'layer-sdk/wallet'
import { attempt, element, say, show } from './page.js'

const { HEAD_URL: url, HEAD_RPC_URL: rpcUrl, HEAD_LOCAL: isLocal } = import.meta.env
// Where there is no provider for the base ledger, the wallet itself says what it holds.
const provider = rpcUrl === undefined ? {} : new RpcProvider({ apiEndpoint: rpcUrl, network: 'preprod' })

let wallet
let head

if (isLocal) (await import('./developmentWallet.js')).install(provider)
showWallets()

/** Whatever is installed: a list of known names would leave out new wallets. */
function showWallets() {
  const installed = Object.entries(window.cardano ?? {}).filter(([, each]) => typeof each?.enable === 'function')
  element('none').hidden = installed.length > 0
  for (const [id, each] of installed) {
    const button = document.createElement('button')
    button.textContent = typeof each.name === 'string' ? each.name : id
    button.addEventListener('click', () => attempt(() => connect(each)))
    element('wallets').append(button)
  }
}

async function connect(chosen) {
  wallet = walletFromCip30(await chosen.enable(), { fetcher: provider.fetcher })
  head = createHeadClient({ url, wallet })
  await head.connect()
  head.watchBalance({
    onChange: (balance) =>
      say('inside', balance === null ? 'not known yet' : `${formatAda(balance.confirmed.lovelace)} ada`)
  })
  say('address', await wallet.getChangeAddress())
  await showBase()
  element('choose').hidden = true
  show('account')
}

async function showBase() {
  const utxos = await wallet.queryUTxOs(await wallet.getChangeAddress())
  const lovelace = utxos.flatMap(({ output }) => output.amount).filter(({ unit }) => unit === 'lovelace')
  say('base', `${formatAda(lovelace.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n))} ada`)
}

element('move').addEventListener('submit', (event) => {
  event.preventDefault()
  const move = event.submitter.id
  void attempt(async () => {
    for (const id of ['deposit', 'withdraw']) element(id).disabled = true
    try {
      say('progress', 'Waiting for the wallet')
      // Resolves when the money has arrived; a deposit takes the node's deposit period.
      await head[move]({
        amount: ada(element('amount').value.trim()),
        onProgress: ({ state }) => say('progress', STEPS[state] ?? state)
      })
      say('progress', move === 'deposit' ? 'The money is in the head.' : 'The money is on the base ledger.')
    } catch (error) {
      say('progress', '')
      throw error
    } finally {
      for (const id of ['deposit', 'withdraw']) element(id).disabled = false
      await showBase()
    }
  })
})

/** The steps that take a while, in the words of people. */
const STEPS = {
  drafted: 'Waiting for the wallet',
  built: 'Waiting for the wallet',
  submitted: 'Sent',
  recorded: 'The base ledger has the deposit; the head takes it after the deposit period',
  approved: 'All parties have agreed'
}
