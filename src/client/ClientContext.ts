import { addressToString, parseAddress } from '../codec/address.js'
import type { LayerBridge } from '../bridge/LayerBridge.js'
import { NETWORK_ID, SLOT_CONFIG } from '../constants.js'
import type { NetworkName } from '../constants.js'
import { isLayerError } from '../errors/base.js'
import { HeadStateError, NodeUnsyncedError, WalletMissingError } from '../errors/client.js'
import { NotConnectedError } from '../errors/bridge.js'
import { InvalidArgumentError } from '../errors/input.js'
import { txParametersFromProtocol } from '../tx/parameters.js'
import type { TxParameters } from '../tx/parameters.js'
import type { UTxO } from '../types/utxo.js'
import type { Wallet } from '../types/wallet.js'
import type { Deadline } from './deadline.js'
import { OwnTxs } from './OwnTxs.js'
import { PendingView } from './PendingView.js'
import type { Spendable } from './PendingView.js'
import { MAX_DEPTH } from './limits.js'
import type { SettledTx } from './types.js'

/** What the context is made from. */
export interface ContextOptions {
  /** The connection. */
  readonly bridge: LayerBridge
  /** Null: a client that watches. */
  readonly wallet: Wallet | null
  /** How long a transaction can be confirmed after it was built, ms. */
  readonly expiresInMs: number
  /** Network of the base ledger, for its slots; null: not known. */
  readonly network: NetworkName | null
  /** Whether an address filter leaves out outputs of others. */
  readonly partial: boolean
  /** Gets what a callback of the caller's has thrown. */
  readonly onHandlerError: (error: unknown, callback: string) => void
}

/** Bounds kept of what has been settled, so that `waitForTx` can answer at once. */
const MAX_SETTLED = 1_000

/**
 * What all actions of one head client share.
 *
 * @example
 * ```ts no-run
 * import { getBalance } from 'layer-sdk/client'
 * console.log(getBalance(head.context)?.confirmed.lovelace)
 * ```
 */
export class ClientContext {
  /** The connection, and the head's confirmed state. */
  readonly bridge: LayerBridge
  /** Null for a client that watches. */
  readonly wallet: Wallet | null
  /** How long a transaction can be confirmed after it was built, ms. */
  readonly expiresInMs: number
  /** Whether an address filter leaves out outputs of others. */
  readonly partial: boolean
  /** The head's outputs as they will be once the client's own transactions are confirmed. */
  readonly view: PendingView
  /** Transactions of this client that are not settled. */
  readonly txs: OwnTxs
  /** How recent transactions ended, oldest first. */
  readonly settled: Map<string, SettledTx> = new Map<string, SettledTx>()
  readonly #network: NetworkName | null
  readonly #onHandlerError: ContextOptions['onHandlerError']
  readonly #changes = new Set<() => void>()
  #addresses: readonly string[] | null = null
  #addressesAsked: Promise<readonly string[]> | null = null
  #parameters: { readonly key: string; readonly value: Promise<TxParameters> } | null = null
  #parties: { readonly headId: string | null; readonly vkeys: readonly string[] } | null = null
  #partiesAsked: { readonly headId: string | null; readonly vkeys: Promise<string[]> } | null = null
  #stopBridge: (() => void) | null = null
  #announced = true

  constructor(options: ContextOptions) {
    this.bridge = options.bridge
    this.wallet = options.wallet
    this.expiresInMs = options.expiresInMs
    this.partial = options.partial
    this.#network = options.network
    this.#onHandlerError = options.onHandlerError
    this.view = new PendingView({
      utxos: (address) => this.bridge.getAddressUTxOs(address),
      isUnspent: (ref) => this.bridge.isUnspent(ref)
    })
    this.txs = new OwnTxs(this)
  }

  /** The wallet, for an action that needs one. @throws {@link WalletMissingError} */
  walletFor(action: string): Wallet {
    if (this.wallet === null) throw new WalletMissingError(action)
    return this.wallet
  }

  /** The wallet's addresses; null until the wallet has named them. */
  get addresses(): readonly string[] | null {
    return this.#addresses
  }

  /** Asks the wallet for its addresses, once; a failure is asked again by the next action. */
  loadAddresses(wallet: Wallet): Promise<readonly string[]> {
    this.#addressesAsked ??= (async () => {
      const [change, all] = [await wallet.getChangeAddress(), await wallet.getAddresses()]
      if (!Array.isArray(all)) throw new InvalidArgumentError('wallet.getAddresses()', 'a list of addresses (bech32)', all)
      const addresses = Object.freeze([...new Set([change, ...all].map((address) => addressToString(parseAddress(address).bytes)))])
      this.#addresses = addresses
      this.changed()
      return addresses
    })()
    this.#addressesAsked.catch(() => {
      this.#addressesAsked = null
    })
    return this.#addressesAsked
  }

  /** Compares networks. @throws {@link InvalidAddressError} when the wallet is on another network than the head: it would seem to hold nothing */
  assertHeadNetwork(addresses: readonly string[]): void {
    this.bridge.getAddressBalance(addresses[0]!)
  }

  /** The head's own parameters, asked once per head and version of its node. @throws what `bridge.getProtocolParameters()` rejects with */
  loadParameters(): Promise<TxParameters> {
    const { headId, layerNodeVersion } = this.bridge.getSnapshot()
    const key = `${headId}|${layerNodeVersion}`
    if (this.#parameters?.key !== key) {
      const value = this.bridge.getProtocolParameters().then(txParametersFromProtocol)
      const entry = (this.#parameters = { key, value })
      value.catch(() => {
        if (this.#parameters === entry) this.#parameters = null
      })
    }
    return this.#parameters!.value
  }

  /** Keys of the head's parties; null until known. */
  get parties(): readonly string[] | null {
    const { headId, state } = this.bridge.getSnapshot()
    if (this.#parties !== null && this.#parties.headId === headId) return this.#parties.vkeys
    if (headId !== null && state === 'connected') void this.loadParties().catch(() => undefined)
    return null
  }

  /** Asks the node for the head's parties, once per head. Hydra verification keys: hex. @throws what `bridge.headInfo()` rejects with */
  async loadParties(): Promise<string[]> {
    const { headId } = this.bridge.getSnapshot()
    if (this.#parties?.headId !== headId) {
      if (this.#partiesAsked?.headId !== headId) {
        const vkeys = this.bridge.headInfo().then(
          ({ parties }) => parties.map(({ vkey }) => vkey),
          (error: unknown) => {
            // Nodes and gateways without the route do not tell.
            if (isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR') || isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_NODE')) return []
            this.#partiesAsked = null
            throw error
          }
        )
        this.#partiesAsked = { headId, vkeys }
      }
      const vkeys = await this.#partiesAsked.vkeys
      this.#parties = { headId, vkeys: Object.freeze(vkeys) }
      this.changed()
    }
    return [...this.#parties!.vkeys]
  }

  /** Waits for the connection while the client makes one. @throws {@link NotConnectedError} when it does not */
  async connected(action: string, deadline: Deadline): Promise<void> {
    for (;;) {
      const { state } = this.bridge.getSnapshot()
      if (state === 'connected') return
      if (state !== 'connecting' && state !== 'reconnecting') throw new NotConnectedError(action)
      await deadline.race(this.nextChange(), 'the connection')
    }
  }

  /**
   * Waits until the connection stands and the head's outputs are known, and checks that the head is open.
   *
   * @throws {@link HeadStateError}, {@link NodeUnsyncedError}, {@link NotConnectedError}
   */
  async ready(action: string, deadline: Deadline): Promise<void> {
    for (;;) {
      await this.connected(action, deadline)
      const { seeded, headStatus, chainSynced } = this.bridge.getSnapshot()
      if (headStatus !== null && headStatus !== 'Open') throw new HeadStateError(action, headStatus, ['Open'])
      if (chainSynced === false) throw new NodeUnsyncedError(action)
      if (seeded) return
      await deadline.race(this.nextChange(), "the head's state")
    }
  }

  /** Slots of the head's ledger; null where neither the node nor the network is known to define it. `zeroTime` (ms since the Unix epoch) is the start of `zeroSlot`; `slotLength`: ms. */
  get slotConfig(): { readonly zeroTime: number; readonly zeroSlot: number; readonly slotLength: number } | null {
    const zeroTime = this.bridge.slotZeroTimestamp
    // A head takes its slots from the base ledger: one second each.
    if (zeroTime !== null) return { zeroTime, zeroSlot: 0, slotLength: 1_000 }
    const network = this.#network ?? this.#networkOfAddresses()
    return network === null ? null : SLOT_CONFIG[network.toUpperCase() as keyof typeof SLOT_CONFIG]
  }

  /** Slot of the head's ledger at a time; null where neither the node nor the network is known to define it. `timeMs`: ms since the Unix epoch. */
  slotAt(timeMs: number): number | null {
    const config = this.slotConfig
    return config === null ? null : config.zeroSlot + Math.floor((timeMs - config.zeroTime) / config.slotLength)
  }

  /** Unspent outputs of the wallet, as they are or will be; null before they are known. @throws {@link InvalidAddressError} */
  walletUtxos(view: 'confirmed' | 'pending', addresses: readonly string[]): UTxO[] | null {
    if (view === 'pending') return this.view.spendable(addresses)?.map(({ utxo }) => utxo) ?? null
    const found: UTxO[] = []
    for (const address of addresses) {
      const utxos = this.bridge.getAddressUTxOs(address)
      if (utxos === null) return null
      found.push(...utxos)
    }
    return found
  }

  /** Whether outputs are kept back that may be free once what is in flight has settled. */
  isHeldBack(spendable: readonly Spendable[]): boolean {
    if (spendable.some(({ depth }) => depth >= MAX_DEPTH) || this.view.isHolding) return true
    for (const { offered } of this.view.pending) if (!offered) return true
    return false
  }

  /** Calls `listener` after a change of the head, the connection or the pending view. Several changes of one task are one call. */
  subscribe(listener: () => void): () => void {
    this.#changes.add(listener)
    this.#stopBridge ??= this.bridge.subscribe(() => this.changed())
    return () => {
      this.#changes.delete(listener)
      if (this.#changes.size > 0) return
      this.#stopBridge?.()
      this.#stopBridge = null
    }
  }

  /** Resolves at the next change, or after `withinMs` without one. */
  nextChange(withinMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        stop()
        clearTimeout(timer)
        resolve()
      }
      const stop = this.subscribe(finish)
      const timer = withinMs === undefined ? undefined : setTimeout(finish, withinMs)
    })
  }

  /** The pending view or the wallet's addresses have changed. */
  changed(): void {
    if (!this.#announced || this.#changes.size === 0) return
    this.#announced = false
    queueMicrotask(() => {
      this.#announced = true
      for (const listener of [...this.#changes]) listener()
    })
  }

  /** Notes how a transaction ended. */
  remember(settled: SettledTx): void {
    this.settled.set(settled.txId, settled)
    if (this.settled.size > MAX_SETTLED) this.settled.delete(this.settled.keys().next().value!)
  }

  /** A transaction with this id is sent again: how it ended before says nothing. */
  forget(txId: string): void {
    this.settled.delete(txId)
  }

  /** Runs a callback of the caller's; what it throws ends in `onHandlerError`. */
  invokeSafely(name: string, callback: () => unknown): void {
    try {
      const result: unknown = callback()
      if (result instanceof Promise) result.catch((error: unknown) => this.#onHandlerError(error, name))
    } catch (error) {
      try {
        this.#onHandlerError(error, name)
      } catch {
        /* An error of the error's handler has nowhere to go. */
      }
    }
  }

  #networkOfAddresses(): NetworkName | null {
    const [address] = this.#addresses ?? []
    // A test address may be of preprod, preview or a local network.
    return address !== undefined && parseAddress(address).networkId === NETWORK_ID.MAINNET ? 'mainnet' : null
  }
}
