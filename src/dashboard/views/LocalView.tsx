import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ada } from '../../utils/index.js'
import type { Control, ControlStatus } from '../model/control.js'
import type { ErrorText } from '../model/text.js'
import { errorText, formatCount, formatDateTime, safeText } from '../model/text.js'
import { Empty, ErrorBox, Id, Notice, Panel, Property } from '../parts/basics.js'
import { useDashboard } from '../parts/context.js'
import { FaultsPanel } from '../parts/FaultsPanel.js'
import { ImpersonationPanel } from '../parts/ImpersonationPanel.js'
import { PartiesPanel } from '../parts/PartiesPanel.js'
import type { Act } from '../parts/SettingsGrid.js'
import { StatePanel } from '../parts/StatePanel.js'

const POLL_MS = 2_000

/** Controls of a local head: a faucet, time that can be moved, states to return to, faults. */
export function LocalView(): VNode {
  const { control, watchedLocal } = useDashboard()
  return (
    <>
      <h1 class="view-title">Local head</h1>
      {watchedLocal === null ? (
        <Empty title="This page does not look at a local head" />
      ) : control === null ? (
        <NoControl />
      ) : (
        <Controls control={control} />
      )}
      {watchedLocal !== null && <Accounts />}
    </>
  )
}

function NoControl(): VNode {
  return (
    <Notice tone="info" icon="local" title="The local head runs without its control API">
      <p>Faucet, time and faults are there when it is started with it.</p>
    </Notice>
  )
}

function Controls({ control }: { control: Control }): VNode {
  const [status, setStatus] = useState<ControlStatus | null>(null)
  const [error, setError] = useState<ErrorText | null>(null)
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState('')
  const refresh = (): Promise<void> =>
    control.status().then(setStatus, (problem: unknown) => setError(errorText(problem)))
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => void refresh(), POLL_MS)
    return () => clearInterval(timer)
  }, [control])
  const act: Act = async (what, run) => {
    setBusy(true)
    setError(null)
    setDone('')
    try {
      await run(control)
      setDone(what)
      await refresh()
    } catch (problem) {
      setError(errorText(problem))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {error !== null && <ErrorBox error={error} />}
      <p class="done" role="status">
        {done}
      </p>
      <div class="columns">
        <Faucet act={act} busy={busy} />
        <Time act={act} busy={busy} status={status} />
        <StatePanel act={act} busy={busy} />
        <ImpersonationPanel addresses={status?.impersonated ?? []} act={act} busy={busy} />
      </div>
      {status !== null && <FaultsPanel faults={status.faults ?? {}} act={act} busy={busy} />}
      {status !== null && status.parties.length > 1 && <PartiesPanel parties={status.parties} act={act} busy={busy} />}
    </>
  )
}

function Faucet({ act, busy }: { act: Act; busy: boolean }): VNode {
  const { local } = useDashboard()
  const [address, setAddress] = useState(local?.accounts[0]?.address ?? '')
  const [amount, setAmount] = useState('100')
  const [place, setPlace] = useState<'base' | 'head'>('base')
  const submit = (event: Event): void => {
    event.preventDefault()
    void act(`${amount} ada are there.`, (control) => control.fund(address.trim(), ada(amount.trim()), place))
  }
  return (
    <Panel title="Faucet">
      <form onSubmit={submit} autoComplete="off">
        <label>
          Address
          <input
            type="text"
            required
            value={address}
            spellcheck={false}
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        </label>
        <label>
          Ada
          <input
            type="text"
            required
            inputMode="decimal"
            value={amount}
            onInput={({ currentTarget }) => setAmount(currentTarget.value)}
          />
        </label>
        <label>
          Where
          <select
            value={place}
            onChange={({ currentTarget }) => setPlace(currentTarget.value === 'head' ? 'head' : 'base')}
          >
            <option value="base">Base ledger</option>
            <option value="head">In the head, by a true deposit</option>
          </select>
        </label>
        <button type="submit" class="primary" disabled={busy}>
          Fund
        </button>
      </form>
    </Panel>
  )
}

const JUMPS = [
  ['10 s', 10_000],
  ['1 min', 60_000],
  ['1 h', 3_600_000],
  ['1 day', 86_400_000]
] as const

function Time({ act, busy, status }: { act: Act; busy: boolean; status: ControlStatus | null }): VNode {
  return (
    <Panel title="Time">
      <dl class="properties">
        <Property name="Node's time">{status === null ? 'not known yet' : formatDateTime(status.timeMs)}</Property>
        <Property name="Slot">{status === null ? 'not known yet' : formatCount(status.slot)}</Property>
      </dl>
      <div class="button-row" role="group" aria-label="Move the time on">
        {JUMPS.map(([title, ms]) => (
          <button
            type="button"
            class="quiet"
            key={title}
            disabled={busy}
            onClick={() => void act(`Time moved on by ${title}.`, (control) => control.advance(ms))}
          >
            +{title}
          </button>
        ))}
      </div>
      <p class="hint">Everything that falls due happens, in order: deposits, deadlines, snapshots.</p>
    </Panel>
  )
}

function Accounts(): VNode | null {
  const { watchedLocal: local } = useDashboard()
  if (local === null) return null
  return (
    <Panel title="Funded addresses">
      <p class="muted">Their keys are public: play money only.</p>
      <ul class="plain-list">
        {local.keys.map(({ name, address }) => (
          <li key={address}>
            <strong>{safeText(name, 40)}</strong>{' '}
            <Id text={address} label={`address of ${safeText(name, 40)}`} first={22} last={8} />
          </li>
        ))}
        {local.accounts.map(({ index, address }) => (
          <li key={address}>
            <strong>Account {index}</strong>{' '}
            <Id text={address} label={`address of account ${index}`} first={22} last={8} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
