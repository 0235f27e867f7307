import { type OptionNames, readOptions } from '../codec/options.js'
import { described, byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { NetworkName } from '../constants.js'
import type { Fetcher, Submitter } from '../types/provider.js'
import { assertNetwork } from './shared/arguments.js'
import { resolveEndpoint } from './shared/endpoint.js'
import type { FetchLike } from './shared/httpClient.js'
import { createIndexerFetcher } from './indexer/fetcher.js'
import type { RateLimit } from './shared/rateLimiter.js'
import { createLimiter } from './shared/rateLimiter.js'
import type { TransportOptions } from './shared/retry.js'
import { resolvePolicy, TRANSPORT_OPTIONS, wholeNumber } from './shared/retry.js'

/** Options of {@link IndexerProvider}. */
export interface IndexerProviderOptions extends TransportOptions {
  /** The project's key, sent as header `project_id`. It begins with the network's name. */
  apiKey: string
  /** Network of the ledger. */
  network: NetworkName
  /**
   * URL of a different service with the same interface, e.g. `http://localhost:3000`. @default the public service of
   * the network
   */
  baseUrl?: string
  /** Replaces the global `fetch`. */
  fetch?: FetchLike
  /**
   * Rate limit of the service, below which requests are kept by waiting; false = no limit. @default 10 requests a
   * second, 500 at once
   */
  rateLimit?: RateLimit | false
  /** Maximum number of pages of 100 outputs that one call reads: a list without an end is an error. @default 1000 */
  maxPages?: number
  /** Allows sending the key over plain http: to hosts that are not local. @default false */
  allowInsecure?: boolean
}

const OPTIONS: OptionNames<IndexerProviderOptions> = {
  apiKey: true,
  network: true,
  baseUrl: true,
  fetch: true,
  rateLimit: true,
  maxPages: true,
  allowInsecure: true,
  ...TRANSPORT_OPTIONS
}

/**
 * Reads the ledger and submits through Blockfrost's interface.
 *
 * An empty list means that there is no entry; every failure is an error of the family `Provider...Error`.
 *
 * @example
 * ```ts no-run
 * import { IndexerProvider } from 'layer-sdk/providers'
 * const { fetcher } = new IndexerProvider({ apiKey: 'preprod...', network: 'preprod' })
 * const utxos = await fetcher.fetchAddressUTxOs('addr_test1...')
 * ```
 * @see https://docs.blockfrost.io
 */
export class IndexerProvider {
  /** Reads the ledger. */
  readonly fetcher: Fetcher
  /** Submits signed transactions. */
  readonly submitter: Submitter

  /** @throws {@link InvalidArgumentError} when an option cannot be used, e.g. a key of another network. */
  constructor(options: IndexerProviderOptions) {
    const settings = readOptions(options ?? {}, OPTIONS)
    const network = assertNetwork(settings.network)
    const { apiKey, baseUrl, rateLimit } = settings
    assertKey(apiKey, network, baseUrl != null)
    const client = {
      endpoint: resolveEndpoint(
        'baseUrl',
        baseUrl ?? `https://cardano-${network}.blockfrost.io/api/v0`,
        'https: http:',
        [apiKey],
        settings.allowInsecure ?? false
      ),
      policy: resolvePolicy(settings),
      headers: { project_id: apiKey },
      fetch: settings.fetch,
      limiter: rateLimit === false ? undefined : createLimiter(rateLimit ?? { perSecond: 10, burst: 500 })
    }
    // Closures, not fields: no object that is reachable from the provider shows the key.
    this.fetcher = createIndexerFetcher(client, network, wholeNumber('maxPages', settings.maxPages ?? 1_000, 1_000_000))
    // Lazy: reading needs no hash function.
    this.submitter = {
      submitTx: async (cbor, options) => (await import('./indexer/submitter.js')).submitToIndexer(client, cbor, options)
    }
  }
}

function assertKey(apiKey: unknown, network: NetworkName, elsewhere: boolean): void {
  // The key is described, never repeated.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new InvalidArgumentError('apiKey', 'a key without spaces', byType(apiKey))
  const named = /^(mainnet|preprod|preview)/.exec(apiKey)?.[0]
  if (named ? named !== network : !elsewhere) {
    throw new InvalidArgumentError(
      'apiKey',
      `a key of ${network}, which begins with that word`,
      named ? described(`a key of ${named}`) : described('a key that begins with no network')
    )
  }
}
