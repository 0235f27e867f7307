import { NETWORK_ID } from 'layer-sdk/utils'
import { AppWallet, verifyData } from 'layer-sdk/wallet'
import { watchHead } from './head'
import { attempt, element, show } from './page'

const PAGE_SIZE = 5

let wallet: AppWallet | null = null
let shown = 0
let head: Awaited<ReturnType<typeof watchHead>> | null = null

element('create').addEventListener('click', () =>
  attempt(() => {
    element<HTMLTextAreaElement>('words').value = AppWallet.brew()
  })
)

element('restore').addEventListener('submit', (event) =>
  attempt(async () => {
    event.preventDefault()
    const words = element<HTMLTextAreaElement>('words').value.trim().split(/\s+/)
    // WebCrypto derives the root key, so the page stays responsive.
    wallet = await AppWallet.create({ networkId: NETWORK_ID.PREPROD, key: { type: 'mnemonic', words } })
    shown = 0
    element('rows').replaceChildren()
    showMore()
    for (const id of ['addresses', 'head', 'signing']) show(id)
  })
)

element('more').addEventListener('click', () => attempt(showMore))

element('connect').addEventListener('submit', (event) =>
  attempt(async () => {
    event.preventDefault()
    await head?.stop()
    head = await watchHead(element<HTMLInputElement>('url').value, showHead)
  })
)

element('sign').addEventListener('submit', (event) =>
  attempt(async () => {
    event.preventDefault()
    const address = wallet!.getPaymentAddress()
    const payload = element<HTMLInputElement>('message').value
    const { signature, key } = await wallet!.signData(address, payload)
    element('signed').textContent = signature
    element('key').textContent = key
    badge('verified', verifyData({ signature, key, address, payload }) ? 'verified' : 'not verified', true)
    show('signature')
  })
)

function showMore(): void {
  for (const end = shown + PAGE_SIZE; shown < end; shown++) {
    const row = document.createElement('tr')
    const address = wallet!.getPaymentAddress(0, shown)
    row.dataset['address'] = address
    const text = document.createElement('code')
    text.textContent = address
    const cells = [String(shown), text, '–'].map((content) => {
      const cell = document.createElement('td')
      cell.append(content)
      return cell
    })
    cells[2]!.className = 'number'
    row.append(...cells)
    element('rows').append(row)
  }
  showBalances()
}

function showHead(status: string, connected: boolean): void {
  badge('status', status, connected)
  showBalances()
}

/** Balances come from the bridge's memory: no request is made. */
function showBalances(): void {
  for (const row of element('rows').querySelectorAll('tr')) {
    const balance = head?.balance(row.dataset['address']!) ?? null
    row.lastElementChild!.textContent = balance === null ? '–' : `${formatAda(balance.get('lovelace') ?? 0n)} ada`
  }
}

function badge(id: string, text: string, good: boolean): void {
  element(id).textContent = text
  element(id).classList.toggle('good', good)
}

function formatAda(lovelace: bigint): string {
  return `${(lovelace / 1_000_000n).toLocaleString('en')}.${String(lovelace % 1_000_000n).padStart(6, '0')}`
}
