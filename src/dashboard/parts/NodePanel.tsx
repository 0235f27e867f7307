import type { VNode } from 'preact'
import { partiesShown } from '../model/parties.js'
import { countOf, formatCount, formatDateTime, formatDuration, safeText } from '../model/text.js'
import { unknownVersion } from '../model/version.js'
import { Badge, Id, Panel, Property } from './basics.js'
import { useDashboard, useSession } from './context.js'

/** Connection, version, synchronisation and parties. */
export function NodePanel(): VNode {
  const session = useSession()
  const dashboard = useDashboard()
  const { nodeVersion, synced } = session.status.value
  const { since, drops } = session.link.value
  const { slot, contestationPeriod, greetings } = session.node.value
  const depositPeriod = greetings?.env?.depositPeriod
  return (
    <Panel title="Node">
      <dl class="properties">
        <Property name={session.target.kind === 'node' ? 'URL' : 'Gateway'}>
          <span class="breakable">{safeText(withoutQuery(session.target.url), 200)}</span>
        </Property>
        <Property name="Connected">
          {since === null ? 'no' : `for ${formatDuration(Math.max(0, dashboard.now.value - since))}`}
          {drops > 0 && <span class="muted">, lost {countOf(drops, 'time')}</span>}
        </Property>
        <Property name="Version">
          {nodeVersion === null ? 'not said' : <Id text={nodeVersion} label="version" first={14} last={4} />}
          {unknownVersion(nodeVersion) !== null && <Badge tone="warn">unknown</Badge>}
        </Property>
        <Property name="Base ledger">
          {synced === null ? 'not said' : synced ? <Badge tone="ok">In sync</Badge> : <Badge tone="warn">Behind</Badge>}
          {slot !== null && <span class="muted"> slot {formatCount(slot)}</span>}
        </Property>
        {contestationPeriod !== null && (
          <Property name="Contestation period">{formatDuration(contestationPeriod * 1_000)}</Property>
        )}
        {typeof depositPeriod === 'number' && (
          <Property name="Deposit period">{formatDuration(depositPeriod * 1_000)}</Property>
        )}
        {session.clockOffsetMs.value !== 0 && <Property name="Its clock">{formatDateTime(dashboard.nodeNow)}</Property>}
      </dl>
      <Parties />
    </Panel>
  )
}

function Parties(): VNode {
  const session = useSession()
  const dashboard = useDashboard()
  const { greetings } = session.node.value
  const { parties, peers, contest } = partiesShown(session.status.value, greetings, dashboard.now.value)
  return (
    <>
      <h3>Parties {parties.length > 0 && <span class="muted">({formatCount(parties.length)})</span>}</h3>
      {parties.length === 0 ? (
        <p class="muted">The node has not named them.</p>
      ) : (
        <ul class="plain-list">
          {parties.map(({ vkey, isOwn, late }) => (
            <li key={vkey}>
              <Id text={vkey} label="party key" /> {isOwn && <Badge tone="info">this node</Badge>}
              {late !== null && <Badge tone="bad">{late}</Badge>}
            </li>
          ))}
        </ul>
      )}
      {contest !== null && <p>{contest}</p>}
      {peers.length > 0 && (
        <>
          <h3>Peers</h3>
          <ul class="plain-list">
            {peers.map(({ name, isConnected }) => (
              <li key={name}>
                <span class="breakable">{name}</span>{' '}
                <Badge tone={isConnected ? 'ok' : 'bad'}>{isConnected ? 'connected' : 'not connected'}</Badge>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

// A hub's query may hold a key.
function withoutQuery(url: string): string {
  try {
    const { protocol, host, pathname, search } = new URL(url)
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}${search === '' ? '' : '?\u2026'}`
  } catch {
    return 'not a URL'
  }
}
