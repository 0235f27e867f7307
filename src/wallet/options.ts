import type { OptionNames } from '../codec/options.js'
import type { NetworkId } from '../constants.js'
import { InvalidArgumentError } from '../errors/input.js'
import { WalletProviderMissingError } from '../errors/wallet.js'
import type { Fetcher, ProtocolParameters, Submitter } from '../types/provider.js'
import type { UTxO } from '../types/utxo.js'
import type { WalletKey } from './keys/walletKey.js'

/** Options of wallets that use a provider. */
export interface WalletProviderOptions {
  /** 0 for every test network, 1 for mainnet (`NETWORK_ID`). */
  networkId: number
  /** Reads the ledger; a provider's `fetcher`. Only `queryUTxOs` and the CIP-30 object need it. */
  fetcher?: (Pick<Fetcher, 'fetchAddressUTxOs'> & Partial<Pick<Fetcher, 'fetchProtocolParameters'>>) | undefined
  /** Sends transactions; a provider's `submitter`. Only `submitTx` needs it. */
  submitter?: Submitter | undefined
}

/** Returns the network id when it is 0 or 1. */
export function assertNetworkId(networkId: unknown): NetworkId {
  if (networkId === 0 || networkId === 1) return networkId
  throw new InvalidArgumentError('networkId', '0 (test networks) or 1 (mainnet)', networkId)
}

/** Sends a signed transaction through the submitter; rejects when there is none, or something else in its place. */
export async function submitWith(submitter: Submitter | undefined, signedTxCbor: string): Promise<string> {
  if (typeof submitter?.submitTx !== 'function') throw new WalletProviderMissingError('submitter')
  return submitter.submitTx(signedTxCbor)
}

/** Asks the fetcher for an address's unspent outputs; rejects when there is none, or something else in its place. */
export async function queryWith(fetcher: WalletProviderOptions['fetcher'], address: string): Promise<UTxO[]> {
  if (typeof fetcher?.fetchAddressUTxOs !== 'function') throw new WalletProviderMissingError('fetcher')
  return fetcher.fetchAddressUTxOs(address)
}

/** Asks the fetcher for the base ledger's parameters; rejects when there is none, or one without them. */
export async function parametersWith(fetcher: WalletProviderOptions['fetcher']): Promise<ProtocolParameters> {
  if (typeof fetcher?.fetchProtocolParameters !== 'function') throw new WalletProviderMissingError('fetcher')
  return fetcher.fetchProtocolParameters()
}

/**
 * Makes the consoles of Node and Deno show the text of `render` instead of the object, by a hidden property of the
 * instance.
 */
export function hideFromInspect(target: object, render: () => string): void {
  Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), { value: render })
}

/** Options of {@link EmbeddedWallet}. */
export interface EmbeddedWalletOptions {
  /** 0 for every test network, 1 for mainnet (`NETWORK_ID`). */
  networkId: number
  /** Source of its keys or addresses. */
  key: WalletKey
  /**
   * Index of the stake key for every address. When left out, it is the key index, so that `getAccount(a, k)`,
   * `getPaymentAddress(a, k)` and `getRewardAddress(a, k)` agree. Lace, Eternl and CIP-11 use 0 for all: set 0 to see
   * their addresses beyond the first.
   */
  stakeKeyIndex?: number | undefined
}

/** Names of the options of {@link EmbeddedWallet}. */
export const EMBEDDED_WALLET_OPTIONS: OptionNames<EmbeddedWalletOptions> = {
  networkId: true,
  key: true,
  stakeKeyIndex: true
}
