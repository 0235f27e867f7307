import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { NetworkName } from '../../constants.js'
import { HeadWatch } from '../model/HeadWatch.js'
import type { TypedSettings, LookedAtHead } from '../model/HeadWatch.js'
import type { ErrorText } from '../model/text.js'
import { errorText } from '../model/text.js'
import { Empty, ErrorBox, Panel } from '../parts/basics.js'
import { useDashboard, useSession } from '../parts/context.js'
import { HeadCard } from '../parts/HeadCard.js'
import { AmountList } from '../parts/links.js'
import { WatchForm } from '../parts/WatchForm.js'

/** Time between two readings of a local head, which one person watches closely, and below of any other, ms. */
const LOCAL_INTERVAL_MS = 2_000
const INTERVAL_MS = 20_000

/** Money of a wallet in heads, as it can be proven from the base ledger, apart from the money on it. */
export function HeadMoneyView(): VNode {
  const initial = useInitial()
  const [typed, setTyped] = useState<TypedSettings | null>(null)
  const settings = typed ?? initial
  const heads = useHeads(settings)
  const isReady = settings.kupoUrl !== '' && settings.addresses.length > 0
  const { watch, error } = useHeadWatch(isReady ? { ...settings, heads } : null)
  return (
    <>
      <h1 class="view-title">Recognition</h1>
      <Panel title="In heads">
        {error !== null && <ErrorBox error={error} />}
        {watch === null ? (
          <Empty title="Nothing is looked for yet">Name an address, and a Kupo that reads the base ledger.</Empty>
        ) : heads.length === 0 ? (
          <Empty title="There is no head to look at" />
        ) : (
          <ul class="cards">
            {heads.map(({ headId }) => (
              <HeadCard key={headId} headId={headId} state={watch.heads.value.get(headId)} />
            ))}
          </ul>
        )}
        <p class="hint">
          Proven by the signatures of the parties and the head&apos;s output on the base ledger. That a snapshot is the
          newest cannot be proven: each sum names the one that it is of.
        </p>
      </Panel>
      {watch !== null && <Base watch={watch} />}
      <Panel title="Where to look">
        <WatchForm settings={settings} onApply={setTyped} key={JSON.stringify(initial)} />
      </Panel>
    </>
  )
}

function Base({ watch }: { watch: HeadWatch }): VNode {
  const base = watch.base.value
  return (
    <Panel title="On the base ledger">
      {base === null ? (
        <p class="muted">Reading.</p>
      ) : (
        <>
          {base.error !== null && <p class="bad-text">{base.error.summary}</p>}
          {base.amount.length === 0 ? <p>nothing</p> : <AmountList amount={base.amount} />}
        </>
      )}
      <p class="hint">Money in heads and in deposits is not part of it.</p>
    </Panel>
  )
}

/** The settings that the page knows: all on a local head, the node's address elsewhere. */
function useInitial(): TypedSettings {
  const { watchedLocal: local, wallet } = useDashboard()
  const { target } = useSession()
  const ownAddress = wallet.value?.address ?? local?.keys[0]?.address ?? local?.accounts[0]?.address
  const network: NetworkName = local?.networkId === 1 ? 'mainnet' : 'preprod'
  return {
    kupoUrl: local === null ? '' : new URL('/kupo', location.href).href,
    network,
    addresses: ownAddress === undefined ? [] : [ownAddress],
    endpoints: target.kind === 'node' ? [target.url.replace(/^ws/, 'http').replace(/\?.*$/, '')] : [],
    other: null
  }
}

function useHeads({ endpoints, other }: TypedSettings): LookedAtHead[] {
  const session = useSession()
  void session.revision
  const { headId } = session.status.value
  // A head that has ended stays: its deposits do, until their owners recover them.
  const [last, setLast] = useState(headId)
  useEffect(() => {
    if (headId !== null) setLast(headId)
  }, [headId])
  const shown = headId ?? last
  const ownHeads = shown === null ? [] : [{ headId: shown, endpoints, depositTxIds: session.funds.pendingIds }]
  return other === null || other.headId === shown ? ownHeads : [...ownHeads, other]
}

function useHeadWatch(settings: (TypedSettings & { readonly heads: readonly LookedAtHead[] }) | null): {
  readonly watch: HeadWatch | null
  readonly error: ErrorText | null
} {
  const dashboard = useDashboard()
  const [state, setState] = useState<{ watch: HeadWatch | null; error: ErrorText | null }>({ watch: null, error: null })
  const intervalMs = dashboard.watchedLocal === null ? INTERVAL_MS : LOCAL_INTERVAL_MS
  useEffect(() => {
    if (settings === null) return undefined
    try {
      const watch = new HeadWatch({ ...settings, intervalMs }, dashboard.recognised)
      setState({ watch, error: null })
      return () => watch.stop()
    } catch (error) {
      setState({ watch: null, error: errorText(error) })
      return undefined
    }
  }, [JSON.stringify(settings), intervalMs, dashboard])
  return settings === null ? { watch: null, error: null } : state
}
