import { SubmitError } from '../../errors/operation.js'

/**
 * Returns the error of a call that sent no request, as the {@link SubmitError} that the callback of `submitTx` gets;
 * `error` is its `cause`.
 */
export function unsentError(transaction: unknown, error: Error): SubmitError {
  const txId = (transaction as { txId?: unknown } | null | undefined)?.txId
  return new SubmitError(
    typeof txId === 'string' && txId.length <= 64 ? txId : '',
    'InvalidInput',
    `no transaction was sent: ${error.message.split('\n')[0]}`,
    [],
    error
  )
}
