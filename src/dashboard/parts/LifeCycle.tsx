import type { VNode } from 'preact'
import { countOf, formatAdaText, formatDateTime, formatDuration, formatTime } from '../model/text.js'
import { Id } from './basics.js'
import { useDashboard, useSession } from './context.js'
import { Icon } from './Icon.js'

const STEPS = [
  { title: 'No head', states: ['Idle'] },
  { title: 'Open', states: ['Open'] },
  { title: 'Closed', states: ['Closed'] },
  { title: 'Ready to fan out', states: ['FanoutPossible'] },
  { title: 'Paid out', states: ['FanningOut', 'Final'] }
] as const
/** The state Initializing, which only nodes before 2.0 have. */
const INITIALIZING = { title: 'Initializing', states: ['Initializing'] } as const

/** State of the head in its life, and the deadline of its closing. */
export function LifeCycle(): VNode {
  const session = useSession()
  void session.revision
  const { headStatus } = session.status.value
  const { events, deadlines, ended } = session.life
  const steps = headStatus === 'Initializing' ? [STEPS[0], INITIALIZING, ...STEPS.slice(1)] : STEPS
  // The node is idle again after the fanout; the end of its last head stays until there is a new one.
  const isPaidOut = ended !== null && (headStatus === 'Idle' || headStatus === 'Final')
  const current = isPaidOut
    ? steps.length - 1
    : steps.findIndex(({ states }) => (states as readonly string[]).includes(headStatus ?? ''))
  return (
    <>
      <ol class="steps" aria-label="Life of the head">
        {steps.map(({ title }, i) => (
          <li
            key={title}
            class={i < current ? 'past' : i === current ? 'current' : ''}
            aria-current={i === current ? 'step' : undefined}
          >
            <span class="step-mark">{i < current ? <Icon name="check" size={14} /> : i + 1}</span>
            <span>{headStatus === 'FanningOut' && i === current ? 'Fanning out' : title}</span>
          </li>
        ))}
      </ol>
      {isPaidOut && (
        <p class="paid-out">
          {countOf(ended.outputs, 'output')}
          {ended.lovelace === null ? '' : ` with ${formatAdaText(ended.lovelace)} ada`} went to the base ledger{' '}
          {formatDateTime(ended.at)}. Head <Id text={ended.headId} label="head id" />
        </p>
      )}
      {headStatus === 'Closed' && <Deadline />}
      {headStatus !== 'Closed' && deadlines.length > 0 && headStatus === 'FanoutPossible' && (
        <p class="muted">The contestation period ended {formatDateTime(deadlines.at(-1)!.deadline)}.</p>
      )}
      {events.length > 0 && (
        <details class="history">
          <summary>What happened ({events.length})</summary>
          <ul class="timeline">
            {events.slice(0, 30).map(({ at, title, detail }, i) => (
              <li key={`${at}-${i}`}>
                <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
                  {formatTime(at)}
                </time>
                <span>
                  <strong>{title}</strong> <span class="muted">{detail}</span>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function Deadline(): VNode {
  const session = useSession()
  const dashboard = useDashboard()
  const { contestationDeadline } = session.status.value
  const { deadlines } = session.life
  if (contestationDeadline === null)
    return <p class="muted">The node has not said when the contestation period ends.</p>
  const first = deadlines[0]
  const leftMs = contestationDeadline - dashboard.nodeNow
  const passed =
    first === undefined
      ? 0
      : Math.min(1, Math.max(0, (dashboard.nodeNow - first.at) / Math.max(1, contestationDeadline - first.at)))
  return (
    <div class="deadline">
      <p>
        <strong>
          {leftMs > 0 ? `Contestation ends in ${formatDuration(leftMs)}` : 'The contestation period is over'}
        </strong>
        <span class="muted"> {formatDateTime(contestationDeadline)}</span>
      </p>
      <progress max={1} value={passed} aria-label="Contestation period" />
      {deadlines.length > 1 && (
        <ul class="deadline-moves">
          {deadlines.slice(1).map(({ at, deadline: to, snapshot }, i) => (
            <li key={at}>
              {formatTime(at)}: contested with snapshot {snapshot}; the deadline moved by{' '}
              {formatDuration(to - deadlines[i]!.deadline)} to {formatTime(to)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
