import { WalletFailedError } from '../errors/clientWallet.js'

/**
 * Calls a method of the caller's wallet. What it rejects with passes when it is an error; anything else (nothing, a
 * text, a number, an object of CIP-30) becomes the cause of one.
 *
 * @throws {@link WalletFailedError}, what the wallet rejects with
 */
export async function callWallet<T>(method: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (reason) {
    if (typeof (reason as { message?: unknown } | null | undefined)?.message === 'string') throw reason
    throw new WalletFailedError(method, reason)
  }
}
