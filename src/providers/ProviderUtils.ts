// The members of the root entry's namespace `ProviderUtils`.
export { IndexerProvider } from './IndexerProvider.js'
export { RpcProvider } from './RpcProvider.js'
