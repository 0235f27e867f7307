import type { Fetcher, RequestOptions, Submitter } from '../../types/provider.js'

/** Anything with a fetcher and a submitter: a provider of this package or of your own. */
export interface Provider {
  /** Reads the ledger. */
  readonly fetcher: Fetcher
  /** Submits signed transactions. */
  readonly submitter: Submitter
}

/** Runs a call on a provider that is chosen for it. */
export type Ask = <T>(run: (provider: Provider) => Promise<T>, options: RequestOptions | undefined) => Promise<T>

/** A provider that hands each call on. */
export function delegate(ask: Ask): Provider {
  return {
    fetcher: {
      fetchAddressUTxOs: (address, asset, options) => ask(({ fetcher }) => fetcher.fetchAddressUTxOs(address, asset, options), options),
      fetchUTxOs: (refs, options) => ask(({ fetcher }) => fetcher.fetchUTxOs(refs, options), options),
      fetchProtocolParameters: (options) => ask(({ fetcher }) => fetcher.fetchProtocolParameters(options), options),
      fetchTip: (options) => ask(({ fetcher }) => fetcher.fetchTip(options), options)
    },
    submitter: { submitTx: (cbor, options) => ask(({ submitter }) => submitter.submitTx(cbor, options), options) }
  }
}
