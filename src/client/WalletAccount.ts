import type { LayerBridge } from '../bridge/inner.js'
import { addressToString, parseAddress } from '../codec/address.js'
import { WalletMissingError } from '../errors/clientWallet.js'
import { InvalidArgumentError } from '../errors/input.js'
import { now } from '../net/timers.js'
import type { Wallet } from '../types/wallet.js'
import { BaseOutputs } from './BaseOutputs.js'
import { callWallet } from './callWallet.js'
import { DepositsUnderWay } from './DepositsUnderWay.js'
import type { PaymentRecords } from './PaymentRecords.js'

/** Shortest interval between two checks for a switch of the wallet to a different account, ms. */
const ACCOUNT_CHECK_MS = 500

/** The wallet of a client: its addresses, and its outputs on the base ledger that deposits have chosen. */
export class WalletAccount {
  /** The wallet; null for a client that only watches. */
  readonly wallet: Wallet | null
  /** Payments, deposits and withdrawals of the wallet that have ids. */
  readonly records: PaymentRecords
  /** Outputs of the base ledger that deposits have chosen. */
  readonly base: BaseOutputs = new BaseOutputs()
  /** Deposits on their way into the head. */
  readonly deposits: DepositsUnderWay = new DepositsUnderWay()
  readonly #bridge: Pick<LayerBridge, 'getAddressBalance'>
  readonly #onChange: () => void
  #addresses: readonly string[] | null = null
  #request: Promise<readonly string[]> | null = null
  #checkAt = -Infinity
  /** The change address that the wallet named last. */
  #change: string | null = null

  /** `onChange`: called when the addresses become known, and when they change. */
  constructor(
    bridge: Pick<LayerBridge, 'getAddressBalance'>,
    wallet: Wallet | null,
    records: PaymentRecords,
    onChange: () => void
  ) {
    this.wallet = wallet
    this.records = records
    this.#bridge = bridge
    this.#onChange = onChange
  }

  /** Returns the wallet, for an action that requires one. @throws {@link WalletMissingError} */
  walletFor(action: string): Wallet {
    if (this.wallet === null) throw new WalletMissingError(action)
    return this.wallet
  }

  /**
   * Checks that the wallet and the head are on the same network. @throws {@link InvalidAddressError} when they are not:
   * the wallet would seem to be empty
   */
  assertHeadNetwork(addresses: readonly string[]): void {
    this.#bridge.getAddressBalance(addresses[0]!)
  }

  /** The wallet's addresses; null until the wallet has named them. */
  get addresses(): readonly string[] | null {
    return this.#addresses
  }

  /**
   * Requests the wallet's addresses; after a failure the next action requests them again. Later calls compare its
   * change address: when that differs, the wallet has switched to a different account, and all addresses are requested
   * again.
   *
   * @throws {@link WalletFailedError}, {@link InvalidArgumentError}
   */
  load(wallet: Wallet): Promise<readonly string[]> {
    if (this.#request !== null && now() < this.#checkAt) return this.#request
    const request = (this.#request = this.#ask(wallet))
    // A wallet that has not answered yet receives no second request.
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

  /** Makes the next action request the addresses again, because the request under way may never be answered. */
  forgetRequest(): void {
    this.#request = null
  }

  async #ask(wallet: Wallet): Promise<readonly string[]> {
    const change = await callWallet('getChangeAddress', () => wallet.getChangeAddress())
    const cachedAddresses = this.#addresses
    if (cachedAddresses !== null && change === this.#change) return cachedAddresses
    const all = await callWallet('getAddresses', () => wallet.getAddresses())
    if (!Array.isArray(all))
      throw new InvalidArgumentError('wallet.getAddresses()', 'a list of addresses (bech32)', all)
    const addresses = Object.freeze([
      ...new Set([change, ...all].map((address) => addressToString(parseAddress(address).bytes)))
    ])
    this.#change = change
    this.#addresses = addresses
    this.#onChange()
    return addresses
  }
}
