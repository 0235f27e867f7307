/**
 * The providers under the one name `ProviderUtils` of the package's root entry.
 *
 * @module
 */
export { IndexerProvider } from './IndexerProvider.js'
export { RpcProvider } from './RpcProvider.js'
