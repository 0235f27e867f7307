import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { CommandSpec, FieldName, FieldValues } from '../model/commands.js'
import { addressProblem, lovelaceOf, obstacle } from '../model/commands.js'
import { safeText, shorten } from '../model/text.js'
import { Notice } from './basics.js'
import { useDashboard, useSession } from './context.js'
import { Dialog } from './Dialog.js'

const EMPTY: FieldValues = { amount: '', to: '' }

/** Returns the mistake in a field; null without one. */
function fieldProblem(name: FieldName, value: string): string | null {
  if (name === 'to') return addressProblem(value.trim())
  try {
    return lovelaceOf({ amount: value }) > 0n ? null : 'More than nothing.'
  } catch {
    return 'Ada in digits, with up to six behind a point and no comma, for example 2.5.'
  }
}

/** Requests the fields of a command, shows its consequence, and sends it once it is confirmed. */
export function CommandDialog({ spec, onClose }: { spec: CommandSpec; onClose: () => void }): VNode {
  const dashboard = useDashboard()
  const session = useSession()
  const [values, setValues] = useState(EMPTY)
  const [tried, setTried] = useState(false)
  const wallet = dashboard.wallet.value
  const problems = spec.fields.flatMap((name) => fieldProblem(name, values[name]) ?? [])
  const reason = obstacle(spec, session, dashboard.unlocked.value, wallet !== null)
  const submit = (event: Event): void => {
    event.preventDefault()
    setTried(true)
    if (problems.length > 0 || reason !== null) return
    const title = [
      spec.title,
      values.amount === '' ? '' : `${values.amount.trim()} ada`,
      values.to === '' ? '' : `to ${shorten(values.to.trim())}`
    ]
    const client = spec.needsWallet && wallet !== null ? wallet.client : session.client
    void dashboard.journal.run(title.filter((part) => part !== '').join(' '), (report) =>
      spec.run(client, values, report)
    )
    location.hash = '#/commands'
    onClose()
  }
  return (
    <Dialog title={spec.title} onClose={onClose}>
      <form onSubmit={submit} noValidate autoComplete="off">
        {spec.fields.map((name) => (
          <Field
            key={name}
            name={name}
            value={values[name]}
            problem={tried ? fieldProblem(name, values[name]) : null}
            change={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        {spec.needsWallet && wallet !== null && (
          <p class="muted">
            From {safeText(wallet.label, 60)}, <code title={wallet.address}>{shorten(wallet.address, 16, 8)}</code>
          </p>
        )}
        <Notice
          tone={spec.isFinal === true ? 'warn' : 'info'}
          icon={spec.isFinal === true ? 'warn' : 'commands'}
          title={spec.consequence}
        />
        {reason !== null && <p class="bad-text">{reason}</p>}
        <div class="dialog-actions">
          <button type="button" class="quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={spec.isFinal === true ? 'danger' : 'primary'} disabled={reason !== null}>
            {spec.title}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface FieldProps {
  readonly name: FieldName
  readonly value: string
  readonly problem: string | null
  readonly change: (value: string) => void
}

function Field({ name, value, problem, change }: FieldProps): VNode {
  const id = `field-${name}`
  return (
    <label for={id}>
      {name === 'amount' ? 'Amount in ada' : 'To'}
      <input
        id={id}
        type="text"
        inputMode={name === 'amount' ? 'decimal' : 'text'}
        value={value}
        spellcheck={false}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        placeholder={name === 'amount' ? '2.5' : 'addr_test1...'}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {problem !== null && (
        <span class="bad-text" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </label>
  )
}
