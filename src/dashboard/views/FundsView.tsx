import type { VNode } from 'preact'
import type { UTxO } from '../../client/index.js'
import type { DecommitRow, DepositRow, FundsStep } from '../../doctor/inner.js'
import { isOver } from '../../doctor/inner.js'
import { depositText } from '../model/depositText.js'
import { formatAmount, formatCount, formatTime, safeText, shorten } from '../model/text.js'
import { Badge, Empty, Id, Panel } from '../parts/basics.js'
import type { Tone } from '../parts/basics.js'
import { useDashboard, useSession } from '../parts/context.js'
import { HistoryButton } from '../parts/HistoryButton.js'
import { Icon } from '../parts/Icon.js'

const DEPOSIT_STEPS = ['recorded', 'activated', 'approved', 'finalized'] as const
const DECOMMIT_STEPS = ['requested', 'approved', 'finalized'] as const
const STEP_NAMES: Readonly<Record<string, string>> = {
  recorded: 'On the base ledger',
  activated: 'Can enter the head',
  approved: 'Signed by all',
  finalized: 'Final',
  requested: 'Requested'
}
const DEPOSIT_STATES: Readonly<Record<FundsStep, readonly [Tone, string]>> = {
  recorded: ['info', 'Under way'],
  activated: ['info', 'Under way'],
  approved: ['info', 'Under way'],
  finalized: ['ok', 'In the head'],
  expired: ['warn', 'Expired'],
  recovered: ['plain', 'Recovered'],
  ended: ['plain', 'Ended unseen']
}
const DECOMMIT_STATES: Readonly<Record<DecommitRow['step'], readonly [Tone, string]>> = {
  requested: ['info', 'Under way'],
  approved: ['info', 'Under way'],
  finalized: ['ok', 'On the base ledger'],
  refused: ['bad', 'Refused']
}

/** Money on its way into the head and out of it. */
export function FundsView(): VNode {
  const session = useSession()
  void session.revision
  const { deposits, decommits } = session.funds
  return (
    <>
      <h1 class="view-title">Deposits and decommits</h1>
      <Panel title="Deposits" aside={<HistoryButton />}>
        {deposits.length === 0 ? (
          <Empty title="No deposit has been seen">Deposits bring outputs of the base ledger into the head.</Empty>
        ) : (
          <ul class="cards">
            {deposits.map((deposit) => (
              <Deposit deposit={deposit} key={deposit.id} />
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Decommits">
        {decommits.length === 0 ? (
          <Empty title="No decommit has been seen">Decommits take outputs out of the open head.</Empty>
        ) : (
          <ul class="cards">
            {decommits.map((each) => (
              <Decommit decommit={each} key={each.id} />
            ))}
          </ul>
        )}
      </Panel>
    </>
  )
}

function Deposit({ deposit }: { deposit: DepositRow }): VNode {
  const dashboard = useDashboard()
  const { id, step, times, deadline, utxo, snapshot } = deposit
  const [tone, state] = DEPOSIT_STATES[step]
  const { env } = useSession().node.value.greetings ?? {}
  const period = typeof env?.depositPeriod === 'number' ? env.depositPeriod * 1_000 : null
  const shown = isOver(step) ? null : depositText(deposit, period, dashboard.nodeNow)
  const canRecover = !isOver(step) && deadline !== null && dashboard.nodeNow > deadline
  return (
    <li class="card">
      <div class="card-head">
        <Id text={id} label="deposit id" />
        <Badge tone={tone}>{state}</Badge>
      </div>
      <Amounts utxo={utxo} />
      <Steps steps={DEPOSIT_STEPS} step={step} times={times} />
      {snapshot !== null && <p class="muted">Snapshot {formatCount(snapshot)} names it.</p>}
      {shown !== null && (
        <p class={shown.phase === 'expired' || shown.phase === 'recoverable' ? 'warn-text' : 'muted'}>{shown.text}</p>
      )}
      {canRecover && <RecoverButton id={id} />}
    </li>
  )
}

function RecoverButton({ id }: { id: string }): VNode {
  const dashboard = useDashboard()
  const session = useSession()
  if (!dashboard.unlocked.value) return <p class="hint">Unlock commands to recover it.</p>
  const recover = (): void =>
    void dashboard.journal.run(`Recover ${shorten(id)}`, async () => {
      await session.client.recover({ depositTxId: id })
      return 'The deposit is back on the base ledger.'
    })
  return (
    <button type="button" class="primary" onClick={recover}>
      Recover this deposit
    </button>
  )
}

function Decommit({ decommit }: { decommit: DecommitRow }): VNode {
  const { id, step, times, utxo, reason } = decommit
  const [tone, state] = DECOMMIT_STATES[step]
  return (
    <li class="card">
      <div class="card-head">
        <Id text={id} label="decommit id" />
        <Badge tone={tone}>{state}</Badge>
      </div>
      <Amounts utxo={utxo} />
      {step === 'refused' ? (
        <p class="bad-text">{safeText(reason ?? 'No reason given', 800)}</p>
      ) : (
        <Steps steps={DECOMMIT_STEPS} step={step} times={times} />
      )}
      {step === 'requested' && (
        <p class="hint">
          A decommit recorded while a snapshot is being signed waits for the next transaction: any payment moves it on.
        </p>
      )}
    </li>
  )
}

function Steps({
  steps,
  step,
  times
}: {
  steps: readonly string[]
  step: string
  times: Readonly<Partial<Record<string, number>>>
}): VNode {
  const reached = steps.indexOf(step)
  return (
    <ol class="mini-steps">
      {steps.map((name, i) => {
        const at = times[name]
        const isDone = at !== undefined || i <= reached
        return (
          <li key={name} class={isDone ? 'past' : ''}>
            <span class="mini-mark">{isDone ? <Icon name="check" size={12} /> : i + 1}</span>
            <span>
              {STEP_NAMES[name]}
              {!isDone && <span class="hidden"> (not yet)</span>}
              {at !== undefined && <time class="muted"> {formatTime(at)}</time>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function Amounts({ utxo }: { utxo: readonly UTxO[] }): VNode {
  const sum = new Map<string, bigint>()
  for (const { output } of utxo)
    for (const { unit, quantity } of output.amount) sum.set(unit, (sum.get(unit) ?? 0n) + BigInt(quantity))
  if (sum.size === 0) return <p class="muted">Its outputs are not known: read the history.</p>
  const shown = [...sum].slice(0, 5)
  return (
    <p class="amounts">
      {shown.map(([unit, quantity]) => (
        <bdi key={unit}>{formatAmount(unit, quantity)}</bdi>
      ))}
      {sum.size > shown.length && <span class="muted">and {sum.size - shown.length} more</span>}
    </p>
  )
}
