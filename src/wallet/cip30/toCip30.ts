import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { UTxO } from '../../types/utxo.js'
import type { Account } from '../keys/Account.js'
import type { Cip30Api } from './cip30.js'
import { lazyMethods } from './lazyMethods.js'
import type { DataSignature } from '../signing/signData.js'

/** What a page asks to be signed or sent. */
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
   * Called before anything is signed or sent. Only `true` approves: whatever else it returns or resolves with declines. Left out,
   * everything is approved: set it where a page is not your own.
   */
  approve?: (request: Cip30Request) => boolean | Promise<boolean>
}

const OPTIONS: OptionNames<ToCip30Options> = { accountIndex: true, keyIndex: true, approve: true }

/** The CIP-30 object of a wallet, with the newer `getCollateral` and `getExtensions`. */
export interface Cip30FullApi extends Cip30Api {
  /** Extensions in use, by the number of their `cip`. */
  getExtensions(): Promise<{ cip: number }[]>
  /** Outputs with lovelace only that reach `amount` (CBOR coin, at most 5 ada), or null. */
  getCollateral(params?: { amount?: string }): Promise<string[] | null>
}

/** What the CIP-30 object needs of a wallet. */
export interface Cip30Source {
  getNetworkId(): number
  getAccount(accountIndex?: number, keyIndex?: number): Account
  signTx(txCbor: string, partialSign?: boolean, accountIndex?: number, keyIndex?: number): Promise<string>
  signData(address: string, payload: string, accountIndex?: number, keyIndex?: number): Promise<DataSignature>
  submitTx(signedTxCbor: string): Promise<string>
  queryUTxOs(address: string): Promise<UTxO[]>
}

const METHODS: readonly (keyof Cip30FullApi)[] = [
  'getExtensions', 'getNetworkId', 'getUtxos', 'getCollateral', 'getBalance', 'getUsedAddresses', 'getUnusedAddresses',
  'getChangeAddress', 'getRewardAddresses', 'signTx', 'signData', 'submitTx'
]

/** See `AppWallet.toCip30`. */
export function toCip30Api(wallet: Cip30Source, options: ToCip30Options = {}): Cip30FullApi {
  const { accountIndex = 0, keyIndex = 0, approve = () => true } = readOptions(options, OPTIONS)
  // Nothing but a function may stand where consent is asked for: null must not mean that everything is approved.
  if (typeof approve !== 'function') throw new InvalidArgumentError('approve', 'a function', approve)
  const account = wallet.getAccount(accountIndex, keyIndex)
  return lazyMethods(METHODS, async () => (await import('./cip30Parts.js')).createCip30Api(wallet, account, approve))
}
