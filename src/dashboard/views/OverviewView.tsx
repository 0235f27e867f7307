import type { VNode } from 'preact'
import { countOf, formatAdaText, formatCount, formatDuration, safeText } from '../model/text.js'
import { Empty, ErrorBox, Id, Notice, Panel, Property, Stat } from '../parts/basics.js'
import { useDashboard, useSession } from '../parts/context.js'
import { errorText } from '../model/text.js'
import { LifeCycle } from '../parts/LifeCycle.js'
import { NodePanel } from '../parts/NodePanel.js'
import { TransactionTable } from '../parts/TransactionTable.js'

const RECENT = 8

/** The head at a glance. */
export function OverviewView(): VNode {
  const session = useSession()
  const { headId, headStatus, snapshot } = session.status.value
  void session.revision
  return (
    <>
      <h1 class="view-title">Overview</h1>
      <Trouble />
      <Panel title="Head">
        <LifeCycle />
        {headId === null ? (
          <Empty title={headStatus === null ? 'The state of the head is not known yet' : 'There is no head'}>
            {headStatus !== null && 'Open one under Commands.'}
          </Empty>
        ) : (
          <dl class="properties">
            <Property name="Head id">
              <Id text={headId} label="head id" first={16} last={10} />
            </Property>
            <Property name="Snapshot">{snapshot < 0 ? 'none yet' : formatCount(snapshot)}</Property>
          </dl>
        )}
      </Panel>
      <Figures />
      <div class="columns">
        <Panel title="Newest transactions" aside={<a href="#/transactions">All</a>}>
          <TransactionTable rows={session.txs.rows.slice(0, RECENT)} label="Newest transactions" short />
        </Panel>
        <NodePanel />
      </div>
    </>
  )
}

function Figures(): VNode {
  const session = useSession()
  const { now } = useDashboard()
  const outputs = session.outputs.value
  const { medianLatencyMs, confirmed, refused } = session.txs
  const tokens = outputs === null ? 0 : outputs.assets.filter(({ unit }) => unit !== 'lovelace').length
  return (
    <dl class="stats" aria-label="Figures">
      <Stat
        label="In the head"
        value={outputs === null ? '\u2013' : `${formatAdaText(outputs.lovelace)} ada`}
        note={tokens === 0 ? 'no tokens' : `and ${countOf(tokens, 'token')}`}
      />
      <Stat
        label="Outputs"
        value={formatCount(outputs?.utxos.length ?? 0)}
        note={`at ${formatCount(outputs?.addresses.length ?? 0)} address${outputs?.addresses.length === 1 ? '' : 'es'}`}
      />
      <Stat
        label="Confirmed a second"
        value={session.txs.ratePerSecond(now.value + session.clockOffsetMs.value).toFixed(1)}
        note={`${formatCount(confirmed)} in all, ${formatCount(refused)} refused`}
      />
      <Stat label="Valid to confirmed" value={medianLatencyMs === null ? '\u2013' : formatDuration(medianLatencyMs)} note="median of the newest 200" />
    </dl>
  )
}

/** What a person has to know before anything else. */
function Trouble(): VNode | null {
  const session = useSession()
  const dashboard = useDashboard()
  const { state, synced } = session.status.value
  const { attempt, error } = session.link.value
  if (state === 'reconnecting' || state === 'failed' || state === 'disconnected')
    return error !== null ? (
      <ErrorBox error={errorText(error)}>{attempt > 0 && <p>Attempt {formatCount(attempt)} follows by itself.</p>}</ErrorBox>
    ) : (
      <Notice tone="warn" icon="warn" title="The connection was lost">
        <p>What is shown may be out of date. It reconnects by itself.</p>
      </Notice>
    )
  if (dashboard.connectError.value !== null && state !== 'connected') return <ErrorBox error={dashboard.connectError.value} />
  if (synced === false)
    return (
      <Notice tone="warn" icon="warn" title="The node is behind the base ledger">
        <p>
          It refuses every command until it has caught up{session.node.value.drift === null ? '' : `; it is ${safeText(session.node.value.drift, 40)} s behind`}
          .
        </p>
      </Notice>
    )
  if (session.node.value.networkLost)
    return (
      <Notice tone="warn" icon="warn" title="The node has lost its network of peers">
        <p>No snapshot is confirmed until it is back.</p>
      </Notice>
    )
  return null
}
