import { type OptionNames, readOptions } from '../codec/options.js'
import { isLayerError } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { SubmitRejectedError } from '../errors/refusal.js'
import { ProvidersExhaustedError, SubmitOutcomeUnknownError } from '../errors/provider.js'
import type { Fetcher, Submitter } from '../types/provider.js'
import type { CallProvider, Provider } from './shared/callProvider.js'
import { agreeing } from './shared/agreed.js'
import { delegate } from './shared/callProvider.js'

/** Options of {@link FallbackProvider}. */
export interface FallbackProviderOptions {
  /** Time during which a provider that failed is tried only after all others, ms. @default 30000 */
  cooldown?: number
  /**
   * Number of providers that must give the same answer. With 2, outputs, metadata and the tip are requested from two
   * providers; the call rejects with `ProvidersDisagreeError` when outputs or metadata differ, and of two tips the
   * older one is returned. @default 1
   */
  agree?: 1 | 2
}

const OPTIONS: OptionNames<FallbackProviderOptions> = { cooldown: true, agree: true }

/**
 * Calls the first healthy provider, and the next one when it fails.
 *
 * A refusal of a transaction and an error in the arguments are final: no other provider is tried. When one provider may
 * have accepted a transaction, a later provider's refusal or failure does not prove the outcome, so the call rejects
 * with `SubmitOutcomeUnknownError`.
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
  /** Reads the ledger. */
  readonly fetcher: Fetcher
  /** Submits signed transactions. */
  readonly submitter: Submitter

  constructor(providers: readonly Provider[], options?: FallbackProviderOptions) {
    const isList =
      Array.isArray(providers) &&
      providers.length > 0 &&
      (providers as (Provider | null)[]).every((each) => each?.fetcher && each.submitter)
    if (!isList)
      throw new InvalidArgumentError('providers', 'an array of { fetcher, submitter }, at least one', providers)
    const { cooldown = 30_000, agree = 1 } = readOptions(options ?? {}, OPTIONS)
    if (!(typeof cooldown === 'number' && cooldown >= 0))
      throw new InvalidArgumentError('cooldown', 'milliseconds from 0', cooldown)
    if (agree !== 1 && agree !== 2) throw new InvalidArgumentError('agree', '1 or 2', agree)
    if (agree > providers.length) throw new InvalidArgumentError('providers', 'two, to agree', providers.length)
    const { fetcher, submitter } = delegate(createCallProvider([...providers], cooldown), [...providers])
    this.fetcher = agree === 2 ? agreeing([...providers], fetcher) : fetcher
    this.submitter = submitter
  }
}

function createCallProvider(providers: readonly Provider[], cooldown: number): CallProvider {
  const downUntil = new Map<Provider, number>()
  return async (run, options, can = () => true) => {
    const now = performance.now()
    const isDown = (provider: Provider): boolean => (downUntil.get(provider) ?? 0) > now
    const able = providers.filter(can)
    const order = [...able.filter((each) => !isDown(each)), ...able.filter(isDown)]
    const errors: unknown[] = []
    for (const provider of order) {
      try {
        const result = await run(provider)
        downUntil.delete(provider)
        return result
      } catch (error) {
        errors.push(error)
        if (options?.signal?.aborted || (isLayerError(error) && error.code.startsWith('INPUT_'))) throw error
        if (isLayerError(error, 'PROVIDER_SUBMIT_REJECTED')) break
        // A service without such a request is not down.
        if (!isLayerError(error, 'PROVIDER_UNSUPPORTED')) downUntil.set(provider, performance.now() + cooldown)
      }
    }
    throw combineErrors(errors)
  }
}

/**
 * Returns the error of the whole call: the only error or the last refusal, else {@link ProvidersExhaustedError}. When
 * an earlier provider may have accepted the transaction, it is {@link SubmitOutcomeUnknownError}.
 */
function combineErrors(errors: readonly unknown[]): unknown {
  const last = errors[errors.length - 1]
  if (errors.length === 1) return last
  const refusal = isLayerError(last, 'PROVIDER_SUBMIT_REJECTED') ? (last as SubmitRejectedError) : undefined
  // When an earlier provider may have accepted the transaction, a later one's refusal is no proof: its inputs may be
  // spent by it. A provider of the user's own does not say whether it may have.
  const isUncertain = (error: unknown): boolean =>
    isLayerError(error, 'PROVIDER_SUBMIT_UNKNOWN') || (refusal !== undefined && !isLayerError(error))
  const uncertain = errors.find(isUncertain)
  if (uncertain === undefined) return refusal ?? new ProvidersExhaustedError(errors)
  const { txId } = refusal ?? (uncertain as SubmitOutcomeUnknownError)
  return new SubmitOutcomeUnknownError(txId, new ProvidersExhaustedError(errors))
}
