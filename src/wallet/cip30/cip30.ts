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
  /** Address that receives change. */
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
  /** The whole signed transaction: CBOR hex. Only the set of key witnesses differs from the input. */
  signTx(txCbor: string, partialSign?: boolean): Promise<string>
  /** {@link signTx} for several transactions, one after the other. */
  signTxs(txCbors: readonly string[], partialSign?: boolean): Promise<string[]>
  /** `address` in bech32; `payload`: hex digits of even length are bytes, other text is UTF-8. */
  signData(address: string, payload: string): Promise<DataSignature>
  /** Resolves with the transaction's id. */
  submitTx(signedTxCbor: string): Promise<string>
  /**
   * Unspent outputs of the wallet, or those at one address. Without a `fetcher` only the wallet's own outputs are
   * known.
   */
  queryUTxOs(address?: string): Promise<UTxO[]>
}

/** Options of {@link walletFromCip30}: replacements of the browser wallet's own provider. */
export type Cip30WalletOptions = Pick<WalletProviderOptions, 'fetcher' | 'submitter'>

/** A page's request to sign or send. */
export type Cip30Request =
  /** The transaction `txCbor` (hex); `partialSign`: signatures of others may still be missing. */
  | { method: 'signTx'; txCbor: string; partialSign: boolean }
  /** Bytes (`payloadHex`) for a key of `address` (bech32). */
  | { method: 'signData'; address: string; payloadHex: string }
  /** The signed transaction `txCbor` (hex). */
  | { method: 'submitTx'; txCbor: string }

/** Options of `AppWallet.toCip30`. */
export interface ToCip30Options {
  /** Index of the account. @default 0 */
  accountIndex?: number
  /** Index of the key. @default 0 */
  keyIndex?: number
  /**
   * Called before anything is signed or sent. Only `true` approves: whatever else it returns or resolves with declines.
   * Left out, everything is approved: set it where a page is not your own.
   */
  approve?: (request: Cip30Request) => boolean | Promise<boolean>
}

/** The CIP-30 object of a wallet, with the newer `getCollateral` and `getExtensions`. */
export interface Cip30FullApi extends Cip30Api {
  /** Extensions in use, by the number of their `cip`. */
  getExtensions(): Promise<{ cip: number }[]>
  /** Outputs with lovelace only that reach `amount` (CBOR coin, at most 5 ada), or null. */
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
