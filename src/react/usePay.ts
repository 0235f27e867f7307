import { useCallback, useRef, useState } from 'react'
import type { PayArgs, TxResult } from '../client/inner.js'
import { useHead } from './HeadProvider.js'

/**
 * State of a payment of {@link usePay}: `status`, with `data` once it has succeeded and `error` once it has failed.
 */
export type PayState =
  | { readonly status: 'idle' | 'pending'; readonly data: null; readonly error: null }
  | { readonly status: 'success'; readonly data: TxResult; readonly error: null }
  | { readonly status: 'error'; readonly data: null; readonly error: Error }

/** Result of {@link usePay}. */
export type PayMutation = PayState & {
  /**
   * Pays as `head.pay(args)`. A failure is in `error` as well: a call that is not awaited leaves no unhandled
   * rejection. Of several calls the newest is the one shown; all of them are paid.
   */
  readonly pay: (args: PayArgs) => Promise<TxResult>
  /** Sets the state back to `'idle'`. A payment under way goes on, and is not shown any more. */
  readonly reset: () => void
}

const IDLE: PayState = { status: 'idle', data: null, error: null }
const PENDING: PayState = { status: 'pending', data: null, error: null }

/**
 * Pays in the head and shows the outcome.
 *
 * @throws {@link HeadProviderMissingError} outside of a `HeadProvider`; the error of `head.pay` is in `error`
 * @example
 * ```tsx no-run
 * import { usePay } from 'layer-sdk/react'
 *
 * const Pay = ({ to }: { to: string }) => {
 *   const { pay, status, data, error } = usePay()
 *   return <>
 *     <button disabled={status === 'pending'} onClick={() => pay({ to, amount: 2_000_000n })}>Pay 2 ada</button>
 *     <p>{error?.message ?? data?.txId}</p>
 *   </>
 * }
 * ```
 */
export function usePay(): PayMutation {
  const head = useHead()
  const [state, setState] = useState<PayState>(IDLE)
  const newest = useRef<object | null>(null)
  const pay = useCallback(
    (args: PayArgs) => {
      const result = head.pay(args)
      newest.current = result
      const show = (next: PayState): void => {
        if (newest.current === result) setState(next)
      }
      show(PENDING)
      result.then(
        (data) => show({ status: 'success', data, error: null }),
        (error: Error) => show({ status: 'error', data: null, error })
      )
      return result
    },
    [head]
  )
  const reset = useCallback(() => {
    newest.current = null
    setState(IDLE)
  }, [])
  return { ...state, pay, reset }
}
