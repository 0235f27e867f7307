import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { SubmitRejectedError } from '../errors/refusal.js'
import { ProvidersExhaustedError, SubmitOutcomeUnknownError } from '../errors/provider.js'
import type { Fetcher, Submitter } from '../types/provider.js'
import type { Ask, Provider } from './delegate.js'
import { delegate } from './delegate.js'

/** Options of {@link FallbackProvider}. */
export interface FallbackProviderOptions {
  /** How long a provider that failed is asked last, ms. @default 30000 */
  cooldown?: number
}

/**
 * Asks the first healthy provider, and the next one when it fails.
 *
 * A refusal of a transaction is an answer, not a failure, and so is an error in the arguments: they end the call.
 *
 * @example
 * ```ts
 * import { FallbackProvider, IndexerProvider, RpcProvider } from 'layer-sdk/providers'
 * const network = 'preprod'
 * const { fetcher } = new FallbackProvider([
 *   new RpcProvider({ apiEndpoint: 'ws://localhost:1337', network }),
 *   new IndexerProvider({ apiKey: 'preprod...', network })
 * ])
 * ```
 */
export class FallbackProvider implements Provider {
  readonly fetcher: Fetcher
  readonly submitter: Submitter

  constructor(providers: readonly Provider[], options?: FallbackProviderOptions) {
    if (!Array.isArray(providers) || providers.length === 0) throw new InvalidArgumentError('providers', 'an array of at least one', providers)
    const { fetcher, submitter } = delegate(createAsk([...(providers as readonly Provider[])], options?.cooldown ?? 30_000))
    this.fetcher = fetcher
    this.submitter = submitter
  }
}

function createAsk(providers: readonly Provider[], cooldown: number): Ask {
  const downUntil = new Map<Provider, number>()
  return async (run, options) => {
    const now = performance.now()
    const isDown = (provider: Provider): boolean => (downUntil.get(provider) ?? 0) > now
    const order = [...providers.filter((each) => !isDown(each)), ...providers.filter(isDown)]
    const errors: unknown[] = []
    for (const provider of order) {
      try {
        const result = await run(provider)
        downUntil.delete(provider)
        return result
      } catch (error) {
        errors.push(error)
        if (options?.signal?.aborted || (isLayerError(error) && error.code.startsWith('INPUT_'))) throw error
        if (isLayerError(error, 'PROVIDER_SUBMIT_REJECTED')) throw verdict(error as SubmitRejectedError, errors)
        downUntil.set(provider, performance.now() + cooldown)
      }
    }
    throw errors.length === 1 ? errors[0] : new ProvidersExhaustedError(errors)
  }
}

/** When an earlier provider may have taken the transaction, a later one's refusal proves nothing: its inputs may be spent by it. */
function verdict(refusal: SubmitRejectedError, errors: readonly unknown[]): Error {
  const isOpen = errors.some((error) => isLayerError(error, 'PROVIDER_SUBMIT_UNKNOWN'))
  return isOpen ? new SubmitOutcomeUnknownError(refusal.txId, new ProvidersExhaustedError(errors)) : refusal
}
