import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { UTxO } from '../../types/utxo.js'
import { lazyMethods } from './lazyMethods.js'
import type { WalletProviderOptions } from '../options.js'
import type { DataSignature } from '../signing/signData.js'

/** Page of a list, from 0. */
export interface Cip30Paginate {
  /** Number of the page, from 0. */
  page: number
  /** Entries of a page. */
  limit: number
}

/** What a browser wallet gives a page after `enable()`. Addresses, values, outputs and transactions are CBOR or raw bytes in hex. @see CIP-30 */
export interface Cip30Api {
  /** Extensions in use, by the number of their `cip`. */
  getExtensions?(): Promise<{ cip: number }[]>
  /** 0 on test networks, 1 on mainnet. */
  getNetworkId(): Promise<number>
  /** Null when `amount` (CBOR value) cannot be reached. */
  getUtxos(amount?: string, paginate?: Cip30Paginate): Promise<string[] | null>
  /** All that the wallet holds: a CBOR value. */
  getBalance(): Promise<string>
  /** Addresses that were used. */
  getUsedAddresses(paginate?: Cip30Paginate): Promise<string[]>
  /** Addresses that were not used yet. */
  getUnusedAddresses(): Promise<string[]>
  /** Where change goes. */
  getChangeAddress(): Promise<string>
  /** Reward addresses of the wallet. */
  getRewardAddresses(): Promise<string[]>
  /** Resolves with a witness set. */
  signTx(tx: string, partialSign?: boolean): Promise<string>
  /** `payload` in hex. */
  signData(address: string, payload: string): Promise<DataSignature>
  /** Submits a signed transaction and resolves with its id (hex, 64 characters). */
  submitTx(tx: string): Promise<string>
}

/** A browser wallet behind the methods of this package's own wallets. */
export interface Cip30Wallet {
  /** 0 on test networks, 1 on mainnet. */
  getNetworkId(): Promise<number>
  /** The wallet's change address: bech32. */
  getPaymentAddress(): Promise<string>
  /** The wallet's change address: bech32. */
  getChangeAddress(): Promise<string>
  /** The wallet's used addresses, its change address first: bech32. */
  getAddresses(): Promise<string[]>
  /** The wallet's first reward address: bech32. */
  getRewardAddress(): Promise<string>
  /** The whole signed transaction: CBOR hex. Only the set of key witnesses differs from what came in. */
  signTx(txCbor: string, partialSign?: boolean): Promise<string>
  /** {@link signTx} for several transactions, one after the other. */
  signTxs(txCbors: readonly string[], partialSign?: boolean): Promise<string[]>
  /** `address` in bech32; `payload`: hex digits of even length are bytes, other text is UTF-8. */
  signData(address: string, payload: string): Promise<DataSignature>
  /** Resolves with the transaction's id. */
  submitTx(signedTxCbor: string): Promise<string>
  /** Unspent outputs of the wallet, or those at one address. Without a `fetcher` only the wallet's own outputs are known. */
  queryUTxOs(address?: string): Promise<UTxO[]>
}

/** Options of {@link walletFromCip30}: what to use in place of the browser wallet's own provider. */
export type Cip30WalletOptions = Pick<WalletProviderOptions, 'fetcher' | 'submitter'>

const OPTIONS: OptionNames<Cip30WalletOptions> = { fetcher: true, submitter: true }

const METHODS: readonly (keyof Cip30Wallet)[] = [
  'getNetworkId', 'getPaymentAddress', 'getChangeAddress', 'getAddresses', 'getRewardAddress', 'signTx', 'signTxs', 'signData', 'submitTx', 'queryUTxOs'
]

/**
 * Gives a browser wallet the methods of {@link AppWallet}. Every answer is checked for its form, and each signature of a transaction
 * against the transaction's own id: a wrong one is refused here, not by the ledger. Signed data is for {@link verifyData}.
 *
 * All methods reject with {@link WalletCip30Error} when the browser wallet refuses or fails; `cip30Code` is then its error code.
 *
 * @param api - what `await window.cardano.<name>.enable()` resolves with.
 * @example
 * ```ts no-run
 * import { walletFromCip30 } from 'layer-sdk/wallet'
 * const wallet = walletFromCip30(await window.cardano.lace.enable())
 * const { signature, key } = await wallet.signData(await wallet.getPaymentAddress(), 'login 42')
 * ```
 * @see CIP-30
 */
export function walletFromCip30(api: Cip30Api, options?: Cip30WalletOptions): Cip30Wallet {
  if (typeof api !== 'object' || api === null) throw new InvalidArgumentError('api', 'what enable() of a browser wallet resolves with', api)
  const { fetcher, submitter } = readOptions(options ?? {}, OPTIONS)
  return lazyMethods(METHODS, async () => (await import('./cip30Parts.js')).createCip30Wallet(api, { fetcher, submitter }))
}
