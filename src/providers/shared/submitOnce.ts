import { isLayerError } from '../../errors/base.js'
import type { ProviderHttpError, ProviderNetworkError } from '../../errors/provider.js'
import { ProviderResponseError, SubmitOutcomeUnknownError } from '../../errors/provider.js'
import type { SignedTransaction } from './signedTransaction.js'

/** Steps of one kind of provider to submit a transaction and to look it up. */
export interface SubmitSteps {
  url: string
  /** Sends the transaction, once, and resolves with the id in the provider's response. */
  send: () => Promise<string>
  /** Returns true when the provider's mempool or ledger has this id. */
  isKnown: () => Promise<boolean>
}

/**
 * Submits a transaction once. After a lost response or a refusal the id is looked up to find the outcome: a second copy
 * of a submitted transaction is also refused, because the first has spent its inputs.
 */
export async function submitOnce(
  { txId }: SignedTransaction,
  steps: SubmitSteps,
  signal?: AbortSignal
): Promise<string> {
  let failure: unknown
  try {
    const returnedId = await steps.send()
    if (returnedId === txId) return txId
    failure = new ProviderResponseError(steps.url, '', `the transaction's id, ${txId}`, 'another')
  } catch (error) {
    if (signal?.aborted) throw error
    failure = error
  }
  const refused = isLayerError(failure, 'PROVIDER_SUBMIT_REJECTED')
  if (!refused && !isResponseLost(failure)) throw failure
  const known = await steps.isKnown().catch((error: unknown) => {
    if (signal?.aborted) throw error
    return undefined
  })
  if (known) return txId
  // Without an answer about the id, the refusal may be that of a copy.
  throw refused && known === false ? failure : new SubmitOutcomeUnknownError(txId, failure)
}

/** Returns true when the transaction may have arrived without a proper response. */
function isResponseLost(error: unknown): boolean {
  if (isLayerError(error, 'PROVIDER_NETWORK'))
    return !/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test((error as ProviderNetworkError).reason)
  const { status } = error as ProviderHttpError
  if (isLayerError(error, 'PROVIDER_HTTP')) return status >= 500 || status === 408
  return isLayerError(error, 'PROVIDER_TIMEOUT') || isLayerError(error, 'PROVIDER_RESPONSE')
}
