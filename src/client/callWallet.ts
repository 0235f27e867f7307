import { WalletFailedError } from '../errors/clientWallet.js'

/**
 * Calls a method of the caller's wallet. A rejection with an error passes; any other value (undefined, a text, a
 * number, an object of CIP-30) becomes the cause of one.
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
