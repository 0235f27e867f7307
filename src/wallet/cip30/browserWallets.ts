import type { Cip30FullApi } from './cip30.js'

/** A CIP-30 wallet that is installed in the browser and has not been enabled yet. */
export interface BrowserWallet {
  /** Name of its member in `window.cardano`, e.g. `lace`. */
  readonly id: string
  /** Name for people; the id where the wallet states none. */
  readonly name: string
  /** Picture as a data or https URL; `null` where the wallet states none. */
  readonly icon: string | null
  /** Asks the user for access. Rejects with the wallet's own error when the user declines. */
  enable(): Promise<Cip30FullApi>
}

/**
 * Lists the CIP-30 wallets that are installed in the page, in the order in which they registered. Wallets register at
 * their own time after the page has loaded: call it when the user opens the list. Outside of a page the list is empty.
 *
 * @param page object with the member `cardano`. @default globalThis
 * @see CIP-30, "cardano.{walletName}"
 * @example
 * ```ts
 * import { browserWallets, walletFromCip30 } from 'layer-sdk/wallet'
 *
 * for (const { id, name } of browserWallets()) console.log(id, name)
 * const [first] = browserWallets()
 * const wallet = first === undefined ? null : walletFromCip30(await first.enable())
 * console.log(wallet === null ? 'install a wallet' : await wallet.getNetworkId())
 * ```
 */
export function browserWallets(page: object = globalThis): BrowserWallet[] {
  const registered: unknown = Reflect.get(page, 'cardano')
  if (typeof registered !== 'object' || registered === null) return []
  return Object.keys(registered).flatMap((id) => readWallet(registered, id) ?? [])
}

/**
 * Reads an entry of `window.cardano`. Returns null when it cannot be read as a wallet, because any script of the page
 * can write there.
 */
function readWallet(registered: object, id: string): BrowserWallet | null {
  try {
    const wallet = Reflect.get(registered, id) as Partial<Record<'name' | 'icon' | 'enable', unknown>> | null
    if (typeof wallet !== 'object' || wallet === null || typeof wallet.enable !== 'function') return null
    const { name, icon } = wallet
    return {
      id,
      name: typeof name === 'string' && name !== '' ? name : id,
      icon: typeof icon === 'string' ? icon : null,
      enable: async () => (wallet.enable as () => Promise<Cip30FullApi>)()
    }
  } catch {
    return null
  }
}
