import type { Fetcher, RequestOptions, Submitter } from '../../types/provider.js'

/** Anything with a fetcher and a submitter: a provider of this package or of your own. */
export interface Provider {
  /** Reads the ledger. */
  readonly fetcher: Fetcher
  /** Submits signed transactions. */
  readonly submitter: Submitter
}

/** Chooses a provider and runs a call on it. */
export type CallProvider = <T>(
  run: (provider: Provider) => Promise<T>,
  options: RequestOptions | undefined,
  /** Providers that can run it. @default all */
  can?: (provider: Provider) => boolean
) => Promise<T>

const findsAssets = ({ fetcher }: Provider): boolean => fetcher.fetchAssetUTxOs !== undefined
const findsMetadata = ({ fetcher }: Provider): boolean => fetcher.fetchTxMetadata !== undefined

/**
 * Creates a provider whose every call runs on the provider that `callProvider` chooses. It has the optional methods
 * that at least one of `providers` has.
 */
export function delegate(callProvider: CallProvider, providers: readonly Provider[] = []): Provider {
  const assets: Pick<Fetcher, 'fetchAssetUTxOs'> = {
    fetchAssetUTxOs: (unit, options) =>
      callProvider(({ fetcher }) => fetcher.fetchAssetUTxOs!(unit, options), options, findsAssets)
  }
  const metadata: Pick<Fetcher, 'fetchTxMetadata'> = {
    fetchTxMetadata: (txHash, options) =>
      callProvider(({ fetcher }) => fetcher.fetchTxMetadata!(txHash, options), options, findsMetadata)
  }
  return {
    fetcher: {
      fetchAddressUTxOs: (address, asset, options) =>
        callProvider(({ fetcher }) => fetcher.fetchAddressUTxOs(address, asset, options), options),
      fetchUTxOs: (refs, options) => callProvider(({ fetcher }) => fetcher.fetchUTxOs(refs, options), options),
      fetchProtocolParameters: (options) =>
        callProvider(({ fetcher }) => fetcher.fetchProtocolParameters(options), options),
      ...(providers.some(findsAssets) ? assets : {}),
      ...(providers.some(findsMetadata) ? metadata : {}),
      fetchTip: (options) => callProvider(({ fetcher }) => fetcher.fetchTip(options), options)
    },
    submitter: {
      submitTx: (cbor, options) => callProvider(({ submitter }) => submitter.submitTx(cbor, options), options)
    }
  }
}
