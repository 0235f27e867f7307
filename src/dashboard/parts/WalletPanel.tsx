import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { LOCAL_PHRASE } from '../model/local.js'
import type { ErrorText } from '../model/text.js'
import { errorText, formatAdaText, safeText } from '../model/text.js'
import type { OpenWallet } from '../model/wallets.js'
import { pageWallets, openBrowserWallet, openDevAccount } from '../model/wallets.js'
import { ErrorBox, Id, Panel, Property } from './basics.js'
import { useDashboard, useSession } from './context.js'

/** The wallet that commands sign with. */
export function WalletPanel(): VNode {
  const { wallet } = useDashboard()
  return <Panel title="Wallet">{wallet.value === null ? <ChooseWallet /> : <Open wallet={wallet.value} />}</Panel>
}

function Open({ wallet }: { wallet: OpenWallet }): VNode {
  const dashboard = useDashboard()
  const session = useSession()
  void session.revision
  void session.outputs.value
  const balance = balanceOf(wallet)
  return (
    <div class="wallet">
      <dl class="properties">
        <Property name="Wallet">{safeText(wallet.label, 60)}</Property>
        <Property name="Address">
          <Id text={wallet.address} label="address" first={20} last={10} />
        </Property>
        <Property name="In the head">
          {balance === null ? 'not known yet' : `${formatAdaText(balance.spendable)} ada`}
        </Property>
        {balance !== null && balance.arriving > 0n && (
          <Property name="Arriving">{`${formatAdaText(balance.arriving)} ada, of a deposit that is not final yet`}</Property>
        )}
      </dl>
      <button type="button" class="quiet" onClick={() => dashboard.closeWallet()}>
        Close wallet
      </button>
    </div>
  )
}

function balanceOf({ client, address }: OpenWallet): { readonly spendable: bigint; readonly arriving: bigint } | null {
  try {
    const balance = client.getBalance({ address })
    return balance === null ? null : { spendable: balance.confirmed.lovelace, arriving: balance.arriving.lovelace }
  } catch {
    // Another network than the head's.
    return null
  }
}

function ChooseWallet(): VNode {
  const dashboard = useDashboard()
  const session = useSession()
  const [error, setError] = useState<ErrorText | null>(null)
  const [busy, setBusy] = useState(false)
  const found = pageWallets(globalThis)
  const open = async (opening: () => Promise<OpenWallet>): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      const wallet = await opening()
      // The connection may have gone meanwhile.
      if (dashboard.session.value === session) dashboard.wallet.value = wallet
      else wallet.close()
    } catch (problem) {
      setError(errorText(problem))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p class="muted">
        Deposits, payments and decommits are signed by a wallet. Opening, closing and fanning out need none.
      </p>
      {error !== null && <ErrorBox error={error} />}
      {dashboard.watchedLocal !== null && (
        <DevAccounts busy={busy} open={(phrase, index) => void open(() => openDevAccount(session, phrase, index))} />
      )}
      {found.length > 0 && (
        <div class="button-row">
          {found.map((wallet) => (
            <button
              type="button"
              class="quiet"
              key={wallet.id}
              disabled={busy}
              onClick={() => void open(() => openBrowserWallet(session, wallet))}
            >
              {safeText(wallet.name, 40)}
            </button>
          ))}
        </div>
      )}
      {dashboard.watchedLocal === null && found.length === 0 && (
        <p class="hint">No browser wallet (CIP-30) was found in this browser. Keys are never typed into this page.</p>
      )}
    </>
  )
}

function DevAccounts({ busy, open }: { busy: boolean; open: (phrase: string, index: number) => void }): VNode | null {
  const { watchedLocal: local } = useDashboard()
  const [index, setIndex] = useState(0)
  const [phrase, setPhrase] = useState('')
  if (local === null || local.accounts.length === 0 || local.networkId !== 0) return null
  const submit = (event: Event): void => {
    event.preventDefault()
    open(local.publicPhrase ? LOCAL_PHRASE : phrase, index)
    setPhrase('')
  }
  return (
    <form class="inline-form" onSubmit={submit} autoComplete="off">
      <label>
        Development account
        <select value={index} onChange={({ currentTarget }) => setIndex(Number(currentTarget.value))}>
          {local.accounts.map(({ index: each, address }) => (
            <option value={each} key={each}>
              {each}: {safeText(`${address.slice(0, 18)}\u2026${address.slice(-6)}`)}
            </option>
          ))}
        </select>
      </label>
      {!local.publicPhrase && (
        <label>
          Development phrase of this local head
          <input
            type="password"
            required
            value={phrase}
            autoComplete="off"
            onInput={({ currentTarget }) => setPhrase(currentTarget.value)}
          />
          <span class="hint">Never one of a real wallet.</span>
        </label>
      )}
      <button type="submit" class="primary" disabled={busy}>
        {busy ? 'Opening' : 'Use this account'}
      </button>
    </form>
  )
}
