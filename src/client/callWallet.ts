import { WalletFailedError } from '../errors/clientWallet.js'

/**
 * Calls a method of the caller's wallet. An error that it throws is passed on; any other thrown value (undefined, a
 * text, a number, an object of CIP-30) becomes the cause of a {@link WalletFailedError}.
 *
 * @throws {@link WalletFailedError}, the errors of the wallet
 */
export async function callWallet<T>(method: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (reason) {
    if (typeof (reason as { message?: unknown } | null | undefined)?.message === 'string') throw reason
    throw new WalletFailedError(method, reason)
  }
}
