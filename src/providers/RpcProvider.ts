import { type OptionNames, readOptions } from '../codec/options.js'
import type { NetworkName } from '../constants.js'
import { InvalidArgumentError } from '../errors/input.js'
import { ProviderUnsupportedError } from '../errors/provider.js'
import type { WebSocketConstructor } from '../net/webSocketTypes.js'
import type { Fetcher, Submitter } from '../types/provider.js'
import { assertNetwork } from './shared/arguments.js'
import { delegate } from './shared/callProvider.js'
import { resolveEndpoint } from './shared/endpoint.js'
import type { FetchLike } from './shared/httpClient.js'
import type { TransportOptions } from './shared/retry.js'
import { resolvePolicy, TRANSPORT_OPTIONS } from './shared/retry.js'

/** Options of {@link RpcProvider}. */
export interface RpcProviderOptions extends TransportOptions {
  /** URL of the server: `http:`, `https:`, `ws:` or `wss:`. */
  apiEndpoint: string
  /** Network of the ledger. */
  network: NetworkName
  /**
   * HTTP headers sent with each request and, except in browsers, with the WebSocket's handshake, e.g. a hosting
   * service's key.
   */
  headers?: Record<string, string>
  /** Replaces the global `fetch`. */
  fetch?: FetchLike
  /** Replaces the runtime's WebSocket, or the package `ws` in Node. */
  webSocketImpl?: WebSocketConstructor
  /** Allows sending keys over plain http: or ws: to hosts that are not local. @default false */
  allowInsecure?: boolean
}

const OPTIONS: OptionNames<RpcProviderOptions> = {
  apiEndpoint: true,
  network: true,
  headers: true,
  fetch: true,
  webSocketImpl: true,
  allowInsecure: true,
  ...TRANSPORT_OPTIONS
}

/**
 * Reads the ledger and submits through Ogmios (JSON-RPC 2.0), over HTTP or a WebSocket.
 *
 * The server searches its whole ledger for an address, which is slow on mainnet.
 *
 * @example
 * ```ts no-run
 * import { RpcProvider } from 'layer-sdk/providers'
 * const { fetcher } = new RpcProvider({ apiEndpoint: 'ws://localhost:1337', network: 'preprod' })
 * const tip = await fetcher.fetchTip()
 * ```
 * @see https://ogmios.dev
 */
export class RpcProvider {
  /** Reads the ledger. */
  readonly fetcher: Fetcher
  /** Submits signed transactions. */
  readonly submitter: Submitter

  /** @throws {@link InvalidArgumentError} when an option cannot be used. */
  constructor(options: RpcProviderOptions) {
    const settings = readOptions(options ?? {}, OPTIONS)
    const network = assertNetwork(settings.network)
    const { fetch, webSocketImpl } = settings
    const headers = assertHeaders(settings.headers ?? {})
    const endpoint = resolveEndpoint(
      'apiEndpoint',
      settings.apiEndpoint,
      'http: https: ws: wss:',
      Object.values(headers),
      settings.allowInsecure ?? false
    )
    const policy = resolvePolicy(settings)
    // Lazy: a page that uses the Indexer alone does not load it.
    const load = once(async () =>
      (await import('./rpc/wiring.js')).createRpcProvider({ endpoint, policy, network, headers, fetch, webSocketImpl })
    )
    const { fetcher, submitter } = delegate(async (run) => run(await load()))
    this.fetcher = {
      ...fetcher,
      fetchAssetUTxOs: () => unsupported('find outputs by a unit alone', 'headAddress, to look for it at an address'),
      fetchTxMetadata: () => unsupported('read the metadata of a transaction', 'an IndexerProvider or a KupoProvider')
    }
    this.submitter = submitter
  }
}

/** Rejects a call for which Ogmios has no query. */
function unsupported(what: string, instead: string): Promise<never> {
  return Promise.reject(new ProviderUnsupportedError('RpcProvider', what, instead))
}

/** Checks the headers and returns a copy, because later changes by the caller would not be checked. */
function assertHeaders(headers: Record<string, string>): Record<string, string> {
  // A Headers object has no own properties: its keys would be dropped in silence.
  const isRecord = typeof headers === 'object' && typeof (headers as { append?: unknown }).append !== 'function'
  if (isRecord && Object.values(headers).every((value) => typeof value === 'string')) return { ...headers }
  throw new InvalidArgumentError('headers', 'an object of names with texts', headers)
}

/** Returns a function that loads once and keeps the result. After a failure the next call loads again. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}
