import type { UTxO } from '../../types/utxo.js'
import type { Account } from '../keys/Account.js'
import type { WalletProviderOptions } from '../options.js'
import type { DataSignature } from '../signing/signData.js'

/** Page of a list, from 0. */
export interface Cip30Paginate {
  /** Number of the page, from 0. */
  page: number
  /** Number of entries on a page. */
  limit: number
}

/**
 * The API that a browser wallet gives a page after `enable()`. Addresses, values, outputs and transactions are CBOR or
 * raw bytes in hex. @see CIP-30
 */
export interface Cip30Api {
  /** Returns the extensions in use, each with `cip`, the number of its CIP. */
  getExtensions?(): Promise<{ cip: number }[]>
  /** Returns 0 on test networks, 1 on mainnet. */
  getNetworkId(): Promise<number>
  /**
   * Returns the wallet's unspent outputs; with `amount` (CBOR value), outputs that reach it, or null when they cannot.
   */
  getUtxos(amount?: string, paginate?: Cip30Paginate): Promise<string[] | null>
  /** Returns the total of all that the wallet holds: a CBOR value. */
  getBalance(): Promise<string>
  /** Returns the addresses that were used. */
  getUsedAddresses(paginate?: Cip30Paginate): Promise<string[]>
  /** Returns the addresses that were not used yet. */
  getUnusedAddresses(): Promise<string[]>
  /** Returns the address that receives change. */
  getChangeAddress(): Promise<string>
  /** Returns the reward addresses of the wallet. */
  getRewardAddresses(): Promise<string[]>
  /** Signs a transaction and resolves with a witness set that holds the wallet's signatures. */
  signTx(tx: string, partialSign?: boolean): Promise<string>
  /** Signs `payload` (hex) for an address. */
  signData(address: string, payload: string): Promise<DataSignature>
  /** Submits a signed transaction and resolves with its id (hex, 64 characters). */
  submitTx(tx: string): Promise<string>
}

/** A browser wallet behind the methods of this package's own wallets. */
export interface Cip30Wallet {
  /** Returns 0 on test networks, 1 on mainnet. */
  getNetworkId(): Promise<number>
  /** Returns the wallet's change address: bech32. */
  getPaymentAddress(): Promise<string>
  /** Returns the wallet's change address: bech32. */
  getChangeAddress(): Promise<string>
  /** Returns the wallet's used addresses, its change address first: bech32. */
  getAddresses(): Promise<string[]>
  /** Returns the wallet's first reward address: bech32. */
  getRewardAddress(): Promise<string>
  /** Signs a transaction and returns it whole: CBOR hex. Only the set of key witnesses differs from the input. */
  signTx(txCbor: string, partialSign?: boolean): Promise<string>
  /** Signs several transactions with {@link signTx}, one after the other. */
  signTxs(txCbors: readonly string[], partialSign?: boolean): Promise<string[]>
  /** Signs data for `address` (bech32). `payload`: hex digits of even length are bytes, other text is UTF-8. */
  signData(address: string, payload: string): Promise<DataSignature>
  /** Submits a signed transaction and resolves with its id. */
  submitTx(signedTxCbor: string): Promise<string>
  /**
   * Returns the unspent outputs of the wallet, or those at one address. Without a `fetcher` only the wallet's own
   * outputs are known.
   */
  queryUTxOs(address?: string): Promise<UTxO[]>
}

/** Options of {@link walletFromCip30}: a `fetcher` and a `submitter` to use in place of the browser wallet's own. */
export type Cip30WalletOptions = Pick<WalletProviderOptions, 'fetcher' | 'submitter'>

/** A page's request to sign or to submit, as `approve` receives it. */
export type Cip30Request =
  /** Sign the transaction `txCbor` (hex); `partialSign`: signatures of others may still be missing. */
  | { method: 'signTx'; txCbor: string; partialSign: boolean }
  /** Sign the bytes `payloadHex` with the key of `address` (bech32). */
  | { method: 'signData'; address: string; payloadHex: string }
  /** Submit the signed transaction `txCbor` (hex). */
  | { method: 'submitTx'; txCbor: string }

/** Options of `AppWallet.toCip30`. */
export interface ToCip30Options {
  /** Index of the account. @default 0 */
  accountIndex?: number
  /** Index of the key. @default 0 */
  keyIndex?: number
  /**
   * Called before each signature and submission. Only `true` approves; any other value that it returns or resolves with
   * declines. When it is left out, every request is approved, so set it for pages that are not your own.
   */
  approve?: (request: Cip30Request) => boolean | Promise<boolean>
}

/** The CIP-30 object of a wallet, with the newer `getCollateral` and `getExtensions`. */
export interface Cip30FullApi extends Cip30Api {
  /** Returns the extensions in use, each with `cip`, the number of its CIP. */
  getExtensions(): Promise<{ cip: number }[]>
  /**
   * Returns outputs with lovelace only that reach `amount` (CBOR coin, at most 5 ada), or null when there are too few.
   */
  getCollateral(params?: { amount?: string }): Promise<string[] | null>
}

/** Members of a wallet that the CIP-30 object needs. */
export interface Cip30Source {
  getNetworkId(): number
  getAccount(accountIndex?: number, keyIndex?: number): Account
  signTx(txCbor: string, partialSign?: boolean, accountIndex?: number, keyIndex?: number): Promise<string>
  signData(address: string, payload: string, accountIndex?: number, keyIndex?: number): Promise<DataSignature>
  submitTx(signedTxCbor: string): Promise<string>
  queryUTxOs(address: string): Promise<UTxO[]>
}
