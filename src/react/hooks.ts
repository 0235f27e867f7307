import { useMemo, useRef, useSyncExternalStore } from 'react'
import type { MessageEventMap, PayloadOf } from '../bridge/inner.js'
import type { ClientStatus, GetBalanceArgs, GetUtxosArgs, HeadBalance, HeadClient } from '../client/inner.js'
import type { UTxO } from '../types/utxo.js'
import { useHead } from './HeadProvider.js'

/** Status on a page from the server, and in the browser's first render with it: a client that has not connected yet. */
const SERVER_STATUS: ClientStatus = /* @__PURE__ */ Object.freeze({
  state: 'idle',
  headStatus: null,
  headId: null,
  nodeVersion: null,
  parties: null,
  snapshotNumber: null,
  contestationDeadline: null,
  synced: null,
  ready: false,
  partial: false,
  pending: 0
})

const unknown = (): null => null

function useStore<T>(select: (head: HeadClient) => T, onServer: () => T, ...inputs: readonly unknown[]): T {
  const head = useHead()
  const { subscribe, get } = useMemo(() => head.store(select), [head, ...inputs])
  return useSyncExternalStore(subscribe, get, onServer)
}

/**
 * Returns the status of connection, head and node, as `head.status()`. Renders on each change of it, so with each
 * snapshot; with a selector, only when its result changes. On a server: the status of a client that has not connected.
 *
 * @param select - selects a part of the status. It may be a new function in each render, because its results are
 * compared, plain objects by content.
 * @throws {@link HeadProviderMissingError} outside of a `HeadProvider`
 * @example
 * ```tsx no-run
 * import { useHeadStatus } from 'layer-sdk/react'
 *
 * const Status = () => {
 *   const { state, headStatus } = useHeadStatus()
 *   return <p>{state}, {headStatus ?? 'not known yet'}</p>
 * }
 * const IsOpen = () => <p>{useHeadStatus(({ headStatus }) => headStatus === 'Open') ? 'open' : 'not open'}</p>
 * ```
 */
export function useHeadStatus(): ClientStatus
/** {@inheritDoc useHeadStatus} */
export function useHeadStatus<T>(select: (status: ClientStatus) => T): T
export function useHeadStatus<T>(
  select: (status: ClientStatus) => ClientStatus | T = (status) => status
): ClientStatus | T {
  const latest = useRef(select)
  latest.current = select
  return useStore(
    (head) => latest.current(head.status()),
    () => select(SERVER_STATUS)
  )
}

/**
 * Returns the money of an address in the head, or of the wallet; null before it is known. Renders only when it has
 * changed.
 *
 * @param args - `address`: bech32. @default all addresses of the wallet
 * @throws {@link WalletMissingError} without a wallet and an address; {@link InvalidAddressError};
 * {@link HeadProviderMissingError}
 * @example
 * ```tsx no-run
 * import { useBalance } from 'layer-sdk/react'
 * import { formatAda } from 'layer-sdk/utils'
 *
 * const Balance = () => {
 *   const balance = useBalance()
 *   return <p>{balance === null ? '...' : formatAda(balance.pending.lovelace)}</p>
 * }
 * ```
 */
export function useBalance({ address }: GetBalanceArgs = {}): HeadBalance | null {
  return useStore((head) => head.getBalance({ address }), unknown, address)
}

/**
 * Returns the unspent outputs of an address in the head, or of the wallet; null before they are known. Renders only
 * when they have changed.
 *
 * @throws {@link WalletMissingError} without a wallet and an address; {@link InvalidAddressError};
 * {@link HeadProviderMissingError}
 * @example
 * ```tsx no-run
 * import { useUtxos } from 'layer-sdk/react'
 *
 * const Outputs = () => <p>{useUtxos({ view: 'confirmed' })?.length ?? '...'} outputs</p>
 * ```
 */
export function useUtxos({ address, view }: GetUtxosArgs = {}): readonly UTxO[] | null {
  return useStore<readonly UTxO[] | null>((head) => head.getUtxos({ address, view }), unknown, address, view)
}

/**
 * Returns the newest message of the node with this tag since the component mounted; null before the first.
 *
 * @throws {@link HeadProviderMissingError} outside of a `HeadProvider`
 * @example
 * ```tsx no-run
 * import { useLatest } from 'layer-sdk/react'
 *
 * const Snapshot = () => <p>Snapshot {useLatest('SnapshotConfirmed')?.snapshot.number ?? '...'}</p>
 * ```
 */
export function useLatest<Tag extends keyof MessageEventMap>(tag: Tag): PayloadOf<Tag> | null {
  const head = useHead()
  const { subscribe, get } = useMemo(() => {
    let latest: PayloadOf<Tag> | null = null
    return {
      subscribe: (onChange: () => void) =>
        head.bridge.events.on('onMessage', (payload) => {
          if (payload.tag !== tag) return
          latest = payload as PayloadOf<Tag>
          onChange()
        }),
      get: () => latest
    }
  }, [head, tag])
  return useSyncExternalStore(subscribe, get, unknown)
}
