import type { DepositTimes } from '../codec/depositPhase.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { ClientContext } from './ClientContext.js'
import type { ActionProgress, TxStep } from './types.js'

/** Function that reports a step of a transaction. */
export type Report = (state: TxStep, txId: string, fee?: bigint) => void

/** Creates a reporter that passes steps to `onProgress` until the action has settled. */
export function progressOf<Action extends string, State extends string>(
  context: ClientContext,
  action: Action,
  onProgress: ((progress: ActionProgress<Action, State>) => void) | undefined
): { report(state: State, txId?: string, fee?: bigint, times?: DepositTimes): void; end(): void } {
  if (onProgress != null && typeof onProgress !== 'function')
    throw new InvalidArgumentError('onProgress', 'a function', onProgress)
  let over = false
  return {
    report(state, txId, fee, times) {
      if (!over && onProgress != null)
        context.callbacks.invokeSafely('onProgress', () =>
          onProgress({
            action,
            state,
            ...(txId === undefined ? {} : { txId }),
            ...(fee === undefined ? {} : { fee }),
            ...(times === undefined ? {} : { times })
          })
        )
    },
    end() {
      over = true
    }
  }
}
