import { isLayerError } from '../../errors/base.js'
import type { SubmitError } from '../../errors/operation.js'
import { assertFunction } from '../delivery/Emitter.js'
import type { BridgeEmitter } from '../delivery/events.js'
import { submitTx } from './submitTx.js'
import type { SubmitContext, SubmitOptions, SubmittableTransaction, SubmitTxResult } from './submitTx.js'
import { unsentError } from './unsentError.js'

/** Called once, with an error or with the result. */
export type SubmitCallback = (error: SubmitError | null, result: SubmitTxResult | null) => void

/**
 * As {@link submitTx}, with a callback. @throws {@link InvalidArgumentError} when `callback` is not a function; any
 * other error goes to the callback
 */
export function submitTxWithCallback(
  context: SubmitContext & { readonly emitter: BridgeEmitter },
  transaction: SubmittableTransaction,
  callback: SubmitCallback,
  options?: SubmitOptions
): void {
  assertFunction('callback', callback)
  const report: SubmitCallback = (error, result) =>
    context.emitter.invokeSafely('submitTx', () => callback(error, result))
  submitTx(context, transaction, options).then(
    (result) => report(null, result),
    (error: Error) => {
      report(isLayerError(error, 'BRIDGE_SUBMIT') ? error : unsentError(transaction, error), null)
    }
  )
}
