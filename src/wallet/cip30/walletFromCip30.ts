import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { Cip30Api, Cip30Wallet, Cip30WalletOptions } from './cip30.js'
import { createCip30Wallet } from './createCip30Wallet.js'

const OPTIONS: OptionNames<Cip30WalletOptions> = { fetcher: true, submitter: true }

/**
 * Gives a browser wallet the methods of {@link AppWallet}. The form of every answer is checked, and each signature of a
 * transaction is verified against the transaction's id, so that a wrong one is rejected here and not by the ledger.
 * Signatures of data are not verified; use {@link verifyData}.
 *
 * All methods reject with {@link WalletCip30Error} when the browser wallet refuses or fails; `cip30Code` is then its
 * error code.
 *
 * @param api - the result of `await window.cardano.<name>.enable()`.
 * @throws {@link InvalidArgumentError} when `api` is not such an object, or on an unknown option.
 * @example
 * ```ts no-run
 * import { walletFromCip30 } from 'layer-sdk/wallet'
 * const wallet = walletFromCip30(await window.cardano.lace.enable())
 * const { signature, key } = await wallet.signData(await wallet.getPaymentAddress(), 'login 42')
 * ```
 * @see CIP-30
 */
export function walletFromCip30(api: Cip30Api, options?: Cip30WalletOptions): Cip30Wallet {
  if (typeof api !== 'object' || api === null)
    throw new InvalidArgumentError('api', 'what enable() of a browser wallet resolves with', api)
  const { fetcher, submitter } = readOptions(options ?? {}, OPTIONS)
  return createCip30Wallet(api, { fetcher, submitter })
}
