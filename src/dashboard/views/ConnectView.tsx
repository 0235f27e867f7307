import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { localNodeUrl } from '../model/local.js'
import { ErrorBox } from '../parts/basics.js'
import { useDashboard } from '../parts/context.js'
import { Brand, ThemeButton } from '../parts/Header.js'

type Kind = 'node' | 'gateway'

/** Form for the address of a node or a gateway. */
export function ConnectView(): VNode {
  const { connectError, local } = useDashboard()
  return (
    <div class="connect">
      <header class="connect-head">
        <Brand />
        <ThemeButton />
      </header>
      <main class="panel connect-panel">
        <h1>Look at a head</h1>
        <p class="muted">
          Connect to a node or a gateway. The page only watches until you unlock commands; it keeps nothing and sends
          nothing anywhere else.
        </p>
        {connectError.value !== null && <ErrorBox error={connectError.value} />}
        <ConnectForm initial={local === null ? 'ws://127.0.0.1:4001' : localNodeUrl(local, location)} />
      </main>
    </div>
  )
}

function ConnectForm({ initial }: { initial: string }): VNode {
  const dashboard = useDashboard()
  const [kind, setKind] = useState<Kind>('node')
  const [url, setUrl] = useState(initial)
  const [token, setToken] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    void dashboard.connect(kind === 'node' ? { kind, url: url.trim() } : { kind, url: url.trim(), token: token.trim() })
    setToken('')
  }
  return (
    <form onSubmit={submit} autoComplete="off">
      <fieldset class="choice">
        <legend>Connect to</legend>
        <Choice kind="node" chosen={kind} choose={setKind} title="A node" />
        <Choice kind="gateway" chosen={kind} choose={setKind} title="A gateway" />
      </fieldset>
      <label>
        {kind === 'node' ? 'WebSocket URL of the node' : 'URL of the gateway'}
        <input
          type="url"
          required
          value={url}
          spellcheck={false}
          placeholder={kind === 'node' ? 'ws://127.0.0.1:4001' : 'https://gateway.example'}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      </label>
      {kind === 'gateway' && (
        <label>
          Token
          <input
            type="password"
            value={token}
            autoComplete="off"
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
          <span class="hint">Held in memory until you disconnect, and sent to this gateway alone.</span>
        </label>
      )}
      {location.protocol === 'https:' && (
        <p class="hint">This page came over https: browsers let it connect to wss:// and https:// addresses only.</p>
      )}
      <button type="submit" class="primary wide" disabled={dashboard.connecting.value}>
        Connect
      </button>
    </form>
  )
}

function Choice({
  kind,
  chosen,
  choose,
  title
}: {
  kind: Kind
  chosen: Kind
  choose: (kind: Kind) => void
  title: string
}): VNode {
  return (
    <label class="choice-option">
      <input type="radio" name="kind" checked={chosen === kind} onChange={() => choose(kind)} />
      {title}
    </label>
  )
}
