import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { NetworkName } from '../../constants.js'
import { addressProblem } from '../model/commands.js'
import type { TypedSettings } from '../model/HeadWatch.js'
import { useDashboard } from './context.js'

const NETWORKS: readonly NetworkName[] = ['preprod', 'preview', 'mainnet']
const words = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/** Form for the addresses, the source of the base ledger and the heads. */
export function WatchForm({
  settings,
  onApply
}: {
  settings: TypedSettings
  onApply: (settings: TypedSettings) => void
}): VNode {
  const { names } = useDashboard()
  const [addresses, setAddresses] = useState(settings.addresses.join(' '))
  const [kupoUrl, setKupoUrl] = useState(settings.kupoUrl)
  const [network, setNetwork] = useState(settings.network)
  const [endpoints, setEndpoints] = useState(settings.endpoints.join(' '))
  const [otherId, setOtherId] = useState(settings.other?.headId ?? '')
  const [otherEndpoints, setOtherEndpoints] = useState(settings.other?.endpoints.join(' ') ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: Event): void => {
    event.preventDefault()
    const found = problemOf(words(addresses), otherId.trim())
    setProblem(found)
    if (found !== null) return
    const other = { headId: otherId.trim(), endpoints: words(otherEndpoints), depositTxIds: [] }
    onApply({
      addresses: words(addresses),
      kupoUrl: kupoUrl.trim(),
      network,
      endpoints: words(endpoints),
      other: other.headId === '' ? null : other
    })
  }
  return (
    <form onSubmit={submit} autoComplete="off">
      <Field label="Addresses" value={addresses} onInput={setAddresses} list="known-addresses" required />
      <datalist id="known-addresses">
        {[...names].map(([address, name]) => (
          <option key={address} value={address} label={name} />
        ))}
      </datalist>
      <Field label="URL of a Kupo" value={kupoUrl} onInput={setKupoUrl} type="url" required />
      <label>
        Network
        <select value={network} onChange={({ currentTarget }) => setNetwork(currentTarget.value as NetworkName)}>
          {NETWORKS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Field label="HTTP addresses of this head's nodes" value={endpoints} onInput={setEndpoints} />
      <Field label="Id of another head" value={otherId} onInput={setOtherId} />
      <Field label="HTTP addresses of its nodes" value={otherEndpoints} onInput={setOtherEndpoints} />
      {problem !== null && (
        <p class="bad-text" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="quiet">
        Look
      </button>
    </form>
  )
}

function problemOf(addresses: readonly string[], otherId: string): string | null {
  for (const address of addresses) {
    const found = addressProblem(address)
    if (found !== null) return found
  }
  return otherId === '' || /^[0-9a-f]{56}$/.test(otherId)
    ? null
    : 'The id of a head has 56 lower-case hexadecimal digits.'
}

function Field({
  label,
  value,
  onInput,
  ...more
}: {
  label: string
  value: string
  onInput: (text: string) => void
  type?: 'url'
  list?: string
  required?: boolean
}): VNode {
  return (
    <label>
      {label}
      <input
        type="text"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        {...more}
      />
    </label>
  )
}
