import { useEffect, useState } from 'react'
import type { HeadTransaction, Receipt, ReceiptsArgs } from '../client/inner.js'
import { useHead } from './HeadProvider.js'

/** Number of receipts that {@link useReceipts} keeps unless told otherwise. */
const DEFAULT_LIMIT = 100

/** Arguments of {@link useReceipts}. */
export interface UseReceiptsArgs extends Omit<ReceiptsArgs, 'signal'> {
  /** Number of receipts that are kept, the newest. @default 100 */
  limit?: number | undefined
}

/** Result of {@link useReceipts}. */
export interface ReceiptsState {
  /** The newest last. */
  readonly receipts: readonly Receipt[]
  /** The error that has ended the receipts, e.g. {@link HistoryGapError}. */
  readonly error: Error | null
}

const NONE: ReceiptsState = { receipts: [], error: null }

/**
 * Returns the receipts of the wallet, or of addresses, as `head.receipts()` yields them, while the component is
 * mounted. Call it below a client that is connected, or connects: `HeadProvider` does. To book payments, use a separate
 * program, which stores cursors.
 *
 * @throws {@link HeadProviderMissingError} outside of a `HeadProvider`; the errors of `head.receipts` are in `error`
 * @example
 * ```tsx no-run
 * import { useReceipts } from 'layer-sdk/react'
 *
 * const Paid = () => <ul>{useReceipts().receipts.map(({ cursor, note, amount }) =>
 *   <li key={cursor}>{amount[0]?.quantity} lovelace, {note}</li>)}</ul>
 * ```
 */
export function useReceipts(args: UseReceiptsArgs = {}): ReceiptsState {
  const { address, addresses, after, own, limit = DEFAULT_LIMIT } = args
  const head = useHead()
  const [state, setState] = useState(NONE)
  const list = addresses?.join(' ')
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    setState(NONE)
    void follow()
    return () => over.abort()

    async function follow(): Promise<void> {
      try {
        // The client may connect after this component has mounted.
        await untilConnected(head, signal)
        if (signal.aborted) return
        for await (const receipt of head.receipts({ address, addresses: list?.split(' '), after, own, signal }))
          setState(({ receipts }) => ({ receipts: [...receipts, receipt].slice(-limit), error: null }))
      } catch (error) {
        if (!signal.aborted) setState(({ receipts }) => ({ receipts, error: error as Error }))
      }
    }
  }, [head, address, list, after, own, limit])
  return state
}

/**
 * Returns a transaction by its id, as `head.getTransaction()` does, looked up again with each new snapshot until it is
 * confirmed: undefined before it is known, null where the head does not name it.
 *
 * @param txId - hex, 64 characters; null: none
 * @throws {@link HeadProviderMissingError} outside of a `HeadProvider`
 * @example
 * ```tsx no-run
 * import { useTransaction } from 'layer-sdk/react'
 *
 * const Payment = ({ txId }: { txId: string }) => <p>{useTransaction(txId)?.state ?? '...'}</p>
 * ```
 */
export function useTransaction(txId: string | null): HeadTransaction | null | undefined {
  const head = useHead()
  const [found, setFound] = useState<{ readonly txId: string | null; readonly value: HeadTransaction | null }>()
  useEffect(() => {
    if (txId === null) return undefined
    const over = new AbortController()
    const { signal } = over
    let isLooking = false
    let last: number | null | undefined
    const look = (): void => {
      const { state, snapshotNumber } = head.status()
      if (isLooking || signal.aborted || state !== 'connected' || snapshotNumber === last) return
      isLooking = true
      last = snapshotNumber
      head.getTransaction(txId, { signal }).then(
        (value) => {
          if (signal.aborted) return
          setFound({ txId, value })
          isLooking = value?.state === 'confirmed'
          look()
        },
        () => {
          isLooking = false
        }
      )
    }
    const stop = head.watchHead({ onChange: look })
    return () => {
      stop()
      over.abort()
    }
  }, [head, txId])
  return found?.txId === txId ? found?.value : undefined
}

function untilConnected(head: ReturnType<typeof useHead>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let stop = (): void => undefined
    const done = (): void => {
      stop()
      resolve()
    }
    stop = head.watchHead({
      onChange: ({ state }) => {
        if (state === 'connected') queueMicrotask(done)
      }
    })
    signal.addEventListener('abort', done, { once: true })
  })
}
