import { type OptionNames, readOptions } from '../codec/options.js'
import type { NetworkName } from '../constants.js'
import { ProviderUnsupportedError } from '../errors/provider.js'
import type { Fetcher, Submitter } from '../types/provider.js'
import { createKupoFetcher } from './kupo/fetcher.js'
import { assertNetwork } from './shared/arguments.js'
import { resolveEndpoint } from './shared/endpoint.js'
import type { FetchLike } from './shared/httpClient.js'
import type { TransportOptions } from './shared/retry.js'
import { resolvePolicy, TRANSPORT_OPTIONS } from './shared/retry.js'

/** Options of {@link KupoProvider}. */
export interface KupoProviderOptions extends TransportOptions {
  /** URL of the server, such as `http://localhost:1442`. */
  baseUrl: string
  /** Network of the ledger. */
  network: NetworkName
  /** Replaces the global `fetch`. */
  fetch?: FetchLike
  /** Allows sending credentials of the URL over plain http: to hosts that are not local. @default false */
  allowInsecure?: boolean
}

const OPTIONS: OptionNames<KupoProviderOptions> = {
  baseUrl: true,
  network: true,
  fetch: true,
  allowInsecure: true,
  ...TRANSPORT_OPTIONS
}

/**
 * Reads unspent outputs, datums, scripts and metadata through Kupo's HTTP interface. Kupo indexes only outputs that
 * match its configured patterns; other outputs appear not to exist. Protocol parameters and submissions reject with
 * `ProviderUnsupportedError`, because Kupo has neither, so a {@link FallbackProvider} tries the next provider. The
 * height of a tip is always -1, because Kupo does not know it.
 *
 * @example
 * ```ts no-run
 * import { KupoProvider } from 'layer-sdk/providers'
 * const { fetcher } = new KupoProvider({ baseUrl: 'http://localhost:1442', network: 'preprod' })
 * const utxos = await fetcher.fetchAddressUTxOs('addr_test1...')
 * ```
 * @see https://cardanosolutions.github.io/kupo
 */
export class KupoProvider {
  /** Reads the ledger. */
  readonly fetcher: Fetcher
  /** Always rejects, because Kupo cannot submit transactions. */
  readonly submitter: Submitter

  /** @throws {@link InvalidArgumentError} when an option cannot be used. */
  constructor(options: KupoProviderOptions) {
    const settings = readOptions(options ?? {}, OPTIONS)
    const network = assertNetwork(settings.network)
    const { baseUrl, fetch, allowInsecure = false } = settings
    const endpoint = resolveEndpoint('baseUrl', baseUrl, 'https: http:', [], allowInsecure)
    this.fetcher = createKupoFetcher({ endpoint, policy: resolvePolicy(settings), headers: {}, fetch }, network)
    this.submitter = {
      submitTx: () =>
        Promise.reject(
          new ProviderUnsupportedError('KupoProvider', 'submit transactions', 'an IndexerProvider or a RpcProvider')
        )
    }
  }
}
