import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { CommandSpec } from '../model/commands.js'
import { PAGE_COMMANDS, obstacle } from '../model/commands.js'
import type { CommandRun } from '../model/SessionJournal.js'
import { formatTime, safeText } from '../model/text.js'
import { Badge, Empty, Notice, Panel } from '../parts/basics.js'
import type { Tone } from '../parts/basics.js'
import { CommandDialog } from '../parts/CommandDialog.js'
import { useDashboard, useSession } from '../parts/context.js'
import { UnlockDialog } from '../parts/UnlockDialog.js'
import { WalletPanel } from '../parts/WalletPanel.js'

/** Commands to the head, each with its confirmation and its result. */
export function CommandsView(): VNode {
  const dashboard = useDashboard()
  const session = useSession()
  const { headStatus } = session.status.value
  const [chosen, setChosen] = useState<CommandSpec | null>(null)
  return (
    <>
      <h1 class="view-title">Commands</h1>
      {dashboard.unlocked.value ? <WalletPanel /> : <Locked />}
      <Panel title="Commands to the head">
        <ul class="commands">
          {PAGE_COMMANDS.filter(({ only }) => only === undefined || only === headStatus).map((spec) => (
            <Command spec={spec} choose={() => setChosen(spec)} key={spec.id} />
          ))}
        </ul>
      </Panel>
      <Panel title="What came of them">
        <Runs runs={dashboard.journal.runs.value} />
      </Panel>
      {chosen !== null && <CommandDialog spec={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

function Locked(): VNode {
  const [asking, setAsking] = useState(false)
  return (
    <Notice tone="info" icon="locked" title="This page only watches">
      <p>Nothing is sent to the node until you unlock commands.</p>
      <button type="button" class="primary" onClick={() => setAsking(true)}>
        Unlock commands
      </button>
      {asking && <UnlockDialog onClose={() => setAsking(false)} />}
    </Notice>
  )
}

function Command({ spec, choose }: { spec: CommandSpec; choose: () => void }): VNode {
  const dashboard = useDashboard()
  const session = useSession()
  const reason = obstacle(spec, session, dashboard.unlocked.value, dashboard.wallet.value !== null)
  const note = `why-${spec.id}`
  return (
    <li class="command">
      <div>
        <p class="command-title">{spec.title}</p>
        <p class="muted">{spec.summary}</p>
        {reason !== null && (
          <p class="hint" id={note}>
            {reason}
          </p>
        )}
      </div>
      <button
        type="button"
        class={spec.isFinal === true ? 'danger' : 'primary'}
        disabled={reason !== null}
        aria-describedby={reason === null ? undefined : note}
        onClick={choose}
      >
        {spec.title}
      </button>
    </li>
  )
}

const LOOK: Readonly<Record<CommandRun['state'], readonly [Tone, string]>> = {
  running: ['info', 'Running'],
  done: ['ok', 'Done'],
  failed: ['bad', 'Failed']
}

function Runs({ runs }: { runs: readonly CommandRun[] }): VNode {
  if (runs.length === 0) return <Empty title="No command was sent from this page" />
  return (
    <ul class="runs">
      {runs.map((run) => (
        <li key={run.id} class="run">
          <div class="run-head">
            <time class="muted">{formatTime(run.startedAt)}</time>
            <strong>{safeText(run.title, 120)}</strong>
            <Badge tone={LOOK[run.state][0]}>{LOOK[run.state][1]}</Badge>
          </div>
          {run.steps.length > 0 && <p class="muted run-steps">{run.steps.join(' \u2192 ')}</p>}
          {run.result !== '' && <p>{run.result}</p>}
          {run.error !== null && (
            <div class="run-error">
              <p class="bad-text">{run.error.summary}</p>
              <ul>
                {run.error.details.map((line) => (
                  <li key={line}>
                    <bdi>{line}</bdi>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
