import type { VNode } from 'preact'
import { moneyInHead } from '../model/outputs.js'
import { formatCount, formatDuration } from '../model/text.js'
import { Empty, Id, Panel, Property, Stat } from '../parts/basics.js'
import { useDashboard, useSession } from '../parts/context.js'
import { LifeCycle } from '../parts/LifeCycle.js'
import { NodePanel } from '../parts/NodePanel.js'
import { PaidOut } from '../parts/PaidOut.js'
import { TransactionTable } from '../parts/TransactionTable.js'

const RECENT = 8

/** The head at a glance. */
export function OverviewView(): VNode {
  const session = useSession()
  const { headId, headStatus, snapshotNumber } = session.status.value
  void session.revision
  const deposit = session.funds.snapshotDeposit
  return (
    <>
      <h1 class="view-title">Overview</h1>
      <Panel title="Head">
        <LifeCycle />
        {headId === null && session.life.ended !== null ? null : headId === null ? (
          <Empty title={headStatus === null ? 'The state of the head is not known yet' : 'There is no head'}>
            {headStatus !== null && 'Open one under Commands.'}
          </Empty>
        ) : (
          <dl class="properties">
            <Property name="Head id">
              <Id text={headId} label="head id" first={16} last={10} />
            </Property>
            <Property name="Snapshot">{snapshotNumber === null ? 'none yet' : formatCount(snapshotNumber)}</Property>
            {deposit?.number === snapshotNumber && (
              <Property name="Its deposit">
                <Id text={deposit.depositTxId} label="deposit id" />
              </Property>
            )}
          </dl>
        )}
      </Panel>
      <PaidOut />
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
  const { headId, headStatus } = session.status.value
  const { medianLatencyMs, confirmed, refused } = session.txs
  // Unknown is not zero.
  const unknown =
    headId === null && headStatus !== null
      ? { value: '\u2013', note: 'no head' }
      : { value: <span class="skeleton" />, note: 'loading' }
  return (
    <dl class="stats" aria-label="Figures">
      <Stat label="In the head" {...(outputs === null ? unknown : moneyInHead(outputs))} />
      <Stat
        label="Outputs"
        {...(outputs === null
          ? unknown
          : {
              value: formatCount(outputs.utxos.length),
              note: `at ${formatCount(outputs.addresses.length)} address${outputs.addresses.length === 1 ? '' : 'es'}`
            })}
      />
      <Stat
        label="Confirmed a second"
        value={session.txs.ratePerSecond(now.value + session.clockOffsetMs.value).toFixed(1)}
        note={`${formatCount(confirmed)} in all, ${formatCount(refused)} refused`}
      />
      <Stat
        label="Valid to confirmed"
        value={medianLatencyMs === null ? '\u2013' : formatDuration(medianLatencyMs)}
        note="median of the newest 200"
      />
    </dl>
  )
}
