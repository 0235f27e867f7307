/**
 * Providers read the base ledger (Cardano, layer one) and submit transactions to it: `IndexerProvider` over
 * Blockfrost's API, `RpcProvider` over Ogmios, `KupoProvider` over Kupo. `FallbackProvider` tries several in turn.
 *
 * @see docs/guides/providers.md
 * @packageDocumentation
 */
export { IndexerProvider } from './IndexerProvider.js'
export type { IndexerProviderOptions } from './IndexerProvider.js'
export { KupoProvider } from './KupoProvider.js'
export type { KupoProviderOptions } from './KupoProvider.js'
export { RpcProvider } from './RpcProvider.js'
export type { RpcProviderOptions } from './RpcProvider.js'
export { FallbackProvider } from './FallbackProvider.js'
export type { FallbackProviderOptions } from './FallbackProvider.js'
export type { Provider } from './shared/callProvider.js'
export type { FetchLike } from './shared/httpClient.js'
export type { RateLimit } from './shared/rateLimiter.js'
export type { RetryOptions, TransportOptions } from './shared/retry.js'
export type { WebSocketConstructor, WebSocketLike } from '../net/webSocketTypes.js'
export type { NetworkName } from '../constants.js'
export type { Fetcher, ProtocolParameters, RequestOptions, Submitter, Tip } from '../types/provider.js'
export type { Amount, ScriptLanguage, ScriptRef, TxInput, TxOutput, UTxO } from '../types/utxo.js'
