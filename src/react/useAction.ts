import { useCallback, useRef, useState } from 'react'
import type { HeadClient } from '../client/inner.js'
import { useHead } from './HeadProvider.js'

/**
 * State of an action: `status`, the step that it has reached, `data` once it has succeeded and `error` once it has
 * failed.
 */
export type ActionState<Data, Step extends string> =
  | { readonly status: 'idle'; readonly step: null; readonly data: undefined; readonly error: null }
  | { readonly status: 'pending'; readonly step: Step | null; readonly data: undefined; readonly error: null }
  | { readonly status: 'success'; readonly step: Step | null; readonly data: Data; readonly error: null }
  | { readonly status: 'error'; readonly step: Step | null; readonly data: undefined; readonly error: Error }

/** An action that a component runs. */
export type ActionMutation<Args, Data, Step extends string> = ActionState<Data, Step> & {
  /**
   * Runs the action. A failure is in `error` as well: a call that is not awaited leaves no unhandled rejection. Of
   * several calls the newest is the one shown.
   */
  readonly run: (args: Args) => Promise<Data>
  /** Sets the state back to `'idle'`. An action under way goes on, and is not shown any more. */
  readonly reset: () => void
}

type Reports<Step extends string> = { onProgress?: ((progress: { readonly state: Step }) => void) | undefined }

const IDLE = { status: 'idle', step: null, data: undefined, error: null } as const

/** Runs an action of the client and shows its steps and its outcome. */
export function useAction<Args extends object, Data, Step extends string>(
  action: (head: HeadClient, args: Args & Reports<Step>) => Promise<Data>
): ActionMutation<Args, Data, Step> {
  const head = useHead()
  const [state, setState] = useState<ActionState<Data, Step>>(IDLE)
  const newest = useRef<object | null>(null)
  const run = useCallback(
    (args: Args) => {
      const key = (newest.current = {})
      let step: Step | null = null
      const show = (next: ActionState<Data, Step>): void => {
        if (newest.current === key) setState(next)
      }
      show({ status: 'pending', step, data: undefined, error: null })
      const { onProgress } = args as Reports<Step>
      const result = action(head, {
        ...args,
        onProgress: (progress) => {
          step = progress.state
          show({ status: 'pending', step, data: undefined, error: null })
          onProgress?.(progress)
        }
      })
      result.then(
        (data) => show({ status: 'success', step, data, error: null }),
        (error: Error) => show({ status: 'error', step, data: undefined, error })
      )
      return result
    },
    [head, action]
  )
  const reset = useCallback(() => {
    newest.current = null
    setState(IDLE)
  }, [])
  return { ...state, run, reset }
}
