import { addressToString, parseAddress } from '../codec/address.js'
import { InvalidArgumentError } from '../errors/input.js'
import { now } from '../net/timers.js'
import type { Wallet } from '../types/wallet.js'
import { callWallet } from './callWallet.js'

/** Shortest time between two looks at the wallet's account, ms. */
const ACCOUNT_CHECK_MS = 500

/** The addresses of a client's wallet. */
export class WalletAddresses {
  readonly #onChange: () => void
  #known: readonly string[] | null = null
  #request: Promise<readonly string[]> | null = null
  #checkAt = -Infinity
  /** The change address that the wallet named last. */
  #change: string | null = null

  /** `onChange`: called when the addresses are known, and when they are others. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Null until the wallet has named them. */
  get known(): readonly string[] | null {
    return this.#known
  }

  /**
   * Asks the wallet for its addresses; a failure is asked again by the next action. Once they are known, its change
   * address tells whether the user has switched to another account: then all of them are asked for again.
   */
  load(wallet: Wallet): Promise<readonly string[]> {
    if (this.#request !== null && now() < this.#checkAt) return this.#request
    const request = (this.#request = this.#ask(wallet))
    // A wallet that has not answered yet is not asked twice.
    this.#checkAt = Infinity
    request.then(
      () => {
        this.#checkAt = now() + ACCOUNT_CHECK_MS
      },
      () => {
        if (this.#request === request) this.#request = null
      }
    )
    return request
  }

  /** Asks again with the next action: the request under way may never be answered. */
  forgetRequest(): void {
    this.#request = null
  }

  async #ask(wallet: Wallet): Promise<readonly string[]> {
    const change = await callWallet('getChangeAddress', () => wallet.getChangeAddress())
    const known = this.#known
    if (known !== null && change === this.#change) return known
    const all = await callWallet('getAddresses', () => wallet.getAddresses())
    if (!Array.isArray(all))
      throw new InvalidArgumentError('wallet.getAddresses()', 'a list of addresses (bech32)', all)
    const addresses = Object.freeze([
      ...new Set([change, ...all].map((address) => addressToString(parseAddress(address).bytes)))
    ])
    this.#change = change
    this.#known = addresses
    this.#onChange()
    return addresses
  }
}
