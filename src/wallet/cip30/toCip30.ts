import { type OptionNames, readOptions } from '../../codec/options.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { Cip30FullApi, Cip30Source, ToCip30Options } from './cip30.js'
import { createCip30Api } from './createCip30Api.js'

const OPTIONS: OptionNames<ToCip30Options> = { accountIndex: true, keyIndex: true, approve: true }

/** Implements `AppWallet.toCip30`. */
export function toCip30Api(wallet: Cip30Source, options: ToCip30Options = {}): Cip30FullApi {
  const { accountIndex = 0, keyIndex = 0, approve = () => true } = readOptions(options, OPTIONS)
  // Consent must be a function: null must not approve every request.
  if (typeof approve !== 'function') throw new InvalidArgumentError('approve', 'a function', approve)
  const account = wallet.getAccount(accountIndex, keyIndex)
  return createCip30Api(wallet, account, approve)
}
