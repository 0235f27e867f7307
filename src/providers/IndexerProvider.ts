import { InvalidArgumentError } from '../errors/input.js'
import type { NetworkName } from '../constants.js'
import type { Fetcher, Submitter } from '../types/provider.js'
import { assertNetwork } from './arguments.js'
import { resolveEndpoint } from './endpoint.js'
import type { FetchLike } from './http.js'
import { createIndexerFetcher } from './indexerFetcher.js'
import type { RateLimit } from './rateLimiter.js'
import { createLimiter } from './rateLimiter.js'
import type { TransportOptions } from './retry.js'
import { resolvePolicy } from './retry.js'

/** Options of {@link IndexerProvider}. */
export interface IndexerProviderOptions extends TransportOptions {
  /** The project's key, sent as header `project_id`. It begins with the network's name. */
  apiKey: string
  /** Network of the ledger. */
  network: NetworkName
  /** A service with the same interface elsewhere, e.g. `http://localhost:3000`. @default the public service of the network */
  baseUrl?: string
  /** Takes the place of the global `fetch`. */
  fetch?: FetchLike
  /** The service's own limit, kept to by waiting; false = none. @default 10 requests a second, 500 at once */
  rateLimit?: RateLimit | false
  /** Sends the key over plain http: to hosts other than this machine. @default false */
  allowInsecure?: boolean
}

/**
 * Reads the ledger and submits through Blockfrost's interface.
 *
 * An empty list means that there is nothing; whatever else happens is an error of the family `Provider...Error`.
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
    const network = assertNetwork(options?.network)
    const { apiKey, baseUrl, rateLimit } = options
    assertKey(apiKey, network, baseUrl != null)
    const client = {
      endpoint: resolveEndpoint(
        'baseUrl',
        baseUrl ?? `https://cardano-${network}.blockfrost.io/api/v0`,
        'https: http:',
        [apiKey],
        options.allowInsecure ?? false
      ),
      policy: resolvePolicy(options),
      headers: { project_id: apiKey },
      fetch: options.fetch,
      limiter: rateLimit === false ? undefined : createLimiter(rateLimit ?? { perSecond: 10, burst: 500 })
    }
    // Closures, not fields: nothing that is reachable from the provider shows the key.
    this.fetcher = createIndexerFetcher(client, network)
    // Loaded when needed: who only reads loads no hash function.
    this.submitter = { submitTx: async (cbor, options) => (await import('./indexerSubmitter.js')).submitToIndexer(client, cbor, options) }
  }
}

function assertKey(apiKey: unknown, network: NetworkName, elsewhere: boolean): void {
  // What came is described, never repeated.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) throw new InvalidArgumentError('apiKey', 'a key without spaces', typeof apiKey)
  const named = /^(mainnet|preprod|preview)/.exec(apiKey)?.[0]
  if (named ? named !== network : !elsewhere) {
    throw new InvalidArgumentError('apiKey', `a key of ${network}, which begins with that word`, named ? `a key of ${named}` : 'another text')
  }
}
