import { isLayerError } from '../../errors/base.js'
import type { ProviderHttpError, ProviderNetworkError } from '../../errors/provider.js'
import { ProviderResponseError, SubmitOutcomeUnknownError } from '../../errors/provider.js'
import type { SignedTransaction } from './signedTransaction.js'

/** How one kind of provider submits. */
export interface SubmitSteps {
  url: string
  /** Sends the transaction, once, and resolves with the id that the provider answers. */
  send: () => Promise<string>
  /** Whether the provider's mempool or ledger has this id. */
  isKnown: () => Promise<boolean>
}

/**
 * Submits once. A lost answer and a refusal are both settled by asking for the id: a transaction that was submitted
 * before is refused, because its inputs are spent, by itself.
 */
export async function submitOnce({ txId }: SignedTransaction, steps: SubmitSteps, signal?: AbortSignal): Promise<string> {
  let failure: unknown
  try {
    const answered = await steps.send()
    if (answered === txId) return txId
    failure = new ProviderResponseError(steps.url, '', `the transaction's id, ${txId}`, 'another')
  } catch (error) {
    if (signal?.aborted) throw error
    failure = error
  }
  const refused = isLayerError(failure, 'PROVIDER_SUBMIT_REJECTED')
  if (!refused && !isAnswerLost(failure)) throw failure
  const known = await steps.isKnown().catch((error: unknown) => {
    if (signal?.aborted) throw error
    return undefined
  })
  if (known) return txId
  // Whom nobody could ask may have been refused because of itself.
  throw refused && known === false ? failure : new SubmitOutcomeUnknownError(txId, failure)
}

/** Whether the transaction may have arrived although no proper answer came back. */
function isAnswerLost(error: unknown): boolean {
  if (isLayerError(error, 'PROVIDER_NETWORK')) return !/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test((error as ProviderNetworkError).reason)
  const { status } = error as ProviderHttpError
  if (isLayerError(error, 'PROVIDER_HTTP')) return status >= 500 || status === 408
  return isLayerError(error, 'PROVIDER_TIMEOUT') || isLayerError(error, 'PROVIDER_RESPONSE')
}
