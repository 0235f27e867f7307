import { type OptionNames, readOptions } from '../codec/options.js'
import { generateMnemonicText } from '../crypto/inner.js'
import type { ProtocolParameters } from '../types/provider.js'
import type { UTxO } from '../types/utxo.js'
import { EmbeddedWallet } from './EmbeddedWallet.js'
import type { Cip30FullApi, ToCip30Options } from './cip30/cip30.js'
import { toCip30Api } from './cip30/toCip30.js'
import {
  parametersWith,
  queryWith,
  submitWith,
  type WalletProviderOptions,
  type EmbeddedWalletOptions
} from './options.js'

/** Options of {@link AppWallet}. */
export interface AppWalletOptions extends EmbeddedWalletOptions, WalletProviderOptions {}

const OPTIONS: OptionNames<AppWalletOptions> = {
  networkId: true,
  key: true,
  stakeKeyIndex: true,
  fetcher: true,
  submitter: true
}

/**
 * A wallet with accounts and key indexes, made from a recovery phrase or a root key (CIP-1852), or read-only from an
 * account's public key or from addresses.
 *
 * The root key is derived at the first use, in some milliseconds; {@link AppWallet.create} does it in the background.
 * The phrase of a Ledger, or of a Trezor with 24 words, gives different addresses on the device, because these devices
 * derive keys in their own ways.
 *
 * @example
 * ```ts
 * import { AppWallet } from 'layer-sdk/wallet'
 * import { NETWORK_ID } from 'layer-sdk/utils'
 * const words = AppWallet.brew().split(' ')
 * const wallet = new AppWallet({ networkId: NETWORK_ID.PREPROD, key: { type: 'mnemonic', words } })
 * console.log(wallet.getPaymentAddress())
 * ```
 */
export class AppWallet extends EmbeddedWallet {
  readonly #fetcher: AppWalletOptions['fetcher']
  readonly #submitter: AppWalletOptions['submitter']

  /** Throws like {@link EmbeddedWallet}'s constructor. */
  constructor(options: AppWalletOptions) {
    const { fetcher, submitter, ...keyOptions } = readOptions(options, OPTIONS)
    super(keyOptions)
    this.#fetcher = fetcher
    this.#submitter = submitter
  }

  /**
   * Creates an {@link AppWallet} whose root key WebCrypto derives in the background, so that this slow work does not
   * block a page. Rejects with the errors that the constructor throws.
   */
  static async create(options: AppWalletOptions): Promise<AppWallet> {
    const wallet = new AppWallet(options)
    await wallet.prepareKeys()
    return wallet
  }

  /**
   * Generates a random recovery phrase: words separated by spaces.
   *
   * @param strength - 128, 160, 192, 224 or 256 bits for 12, 15, 18, 21 or 24 words.
   * @throws {@link InvalidMnemonicError} on another strength.
   * @throws {@link RuntimeUnsupportedError} when the runtime has no `crypto.getRandomValues`, or one whose bytes are
   * all equal.
   */
  static brew(strength = 256): string {
    return generateMnemonicText(strength)
  }

  /**
   * Submits a signed transaction (CBOR hex) and resolves with its id.
   *
   * @throws {@link WalletProviderMissingError} `WALLET_SUBMITTER_MISSING` without a submitter; else the submitter's
   * rejection.
   */
  async submitTx(signedTxCbor: string): Promise<string> {
    return submitWith(this.#submitter, signedTxCbor)
  }

  /**
   * Returns the unspent outputs at any address (bech32).
   *
   * @throws {@link WalletProviderMissingError} `WALLET_FETCHER_MISSING` without a fetcher; else the fetcher's
   * rejection.
   */
  async queryUTxOs(address: string): Promise<UTxO[]> {
    return queryWith(this.#fetcher, address)
  }

  /**
   * Returns the protocol parameters of the base ledger.
   *
   * @throws {@link WalletProviderMissingError} `WALLET_FETCHER_MISSING` without a fetcher; else the fetcher's
   * rejection.
   */
  async getProtocolParameters(): Promise<ProtocolParameters> {
    return parametersWith(this.#fetcher)
  }

  /**
   * Returns this wallet as the API object of a browser wallet, for pages and tests that use CIP-30. The object shows
   * one account and key index. Its methods reject with objects `{ code, info }` of CIP-30, not with this package's
   * errors.
   *
   * @throws {@link WalletReadOnlyError} on a wallet made from addresses.
   * @throws {@link InvalidArgumentError} on an index out of range, or when `approve` is given and is not a function.
   * @example
   * ```ts
   * import { AppWallet, walletFromCip30 } from 'layer-sdk/wallet'
   * const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: AppWallet.brew().split(' ') } })
   * const api = wallet.toCip30({ approve: ({ method }) => method !== 'submitTx' })
   * console.log(await walletFromCip30(api).getPaymentAddress() === wallet.getPaymentAddress()) // true
   * ```
   * @see CIP-30
   */
  toCip30(options?: ToCip30Options): Cip30FullApi {
    return toCip30Api(this, options ?? {})
  }
}
