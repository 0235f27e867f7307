import { CacheColdError } from '../errors/bridge.js'
import type { UTxO } from '../types/utxo.js'
import type { BridgeContext } from './BridgeContext.js'
import type { ConnectionState } from './connection/reconnectPolicy.js'
import { assertFunction } from './delivery/Emitter.js'
import type { HeadAddresses } from './head/HeadAddresses.js'
import type { BridgeSnapshot } from './head/HeadModel.js'
import { type AddressUTxOOptions, checkBounds } from './head/selectOutputs.js'
import type { LayerHeadStatus } from './protocol/types.js'
import type { TrackedTx } from './txs/TxEntry.js'

/**
 * The part of a `LayerBridge` that answers from memory: the state of connection and head, and the confirmed outputs.
 *
 * @example
 * ```ts no-run
 * console.log(bridge.headStatus, bridge.getAddressBalance(address)?.get('lovelace'))
 * ```
 */
export class CachedHead {
  readonly #context: BridgeContext
  readonly #addresses: HeadAddresses

  /** @internal */
  protected constructor(context: BridgeContext, addresses: HeadAddresses) {
    this.#context = context
    this.#addresses = addresses
  }

  /** State of the connection. */
  get state(): ConnectionState {
    return this.#context.connection.state
  }

  /** True when outputs of other addresses may be out of date: the node sends the snapshots of one address alone. */
  get partial(): boolean {
    return this.#context.node.connector.capabilities.partial
  }

  /** True when `readLedger` reads the log of a gateway, which can go on at a place, and no history of a node. @beta */
  get readsLog(): boolean {
    const { history, log } = this.#context.node.connector.capabilities
    return !history && log === true
  }

  /** Unix time of slot 0, ms; null until the node sends it. */
  get slotZeroTimestamp(): number | null {
    return this.#context.model.slotZero?.timestamp ?? null
  }

  /**
   * Number of the snapshot in the cache; -1 before the first, and again from a loss of the connection until the number
   * is known. Greetings brings outputs without a number: balances can be read at once, the number and `getSnapshot().ready` follow
   * with GET /snapshot.
   */
  get lastSnapshotNumber(): number {
    return this.#context.cache.number
  }

  /** State of the head; null until known. */
  get headStatus(): LayerHeadStatus | null {
    return this.#context.model.head.headStatus
  }

  /** True when the node has caught up with the chain; null until it says so. */
  get synced(): boolean | null {
    return this.#context.model.head.synced
  }

  /** End of the contestation period of a closed head, ms since the Unix epoch; null until known. */
  get contestationDeadline(): number | null {
    return this.#context.model.head.contestationDeadline
  }

  /** True when the bridge can be used now. */
  connected(): boolean {
    return this.state === 'connected'
  }

  /** Outputs of the current snapshot, from the cache. @throws {@link CacheColdError} before it is seeded */
  snapshotUtxoArray(): UTxO[] {
    const utxos = this.#context.cache.utxos()
    if (utxos === null) throw new CacheColdError()
    return utxos
  }

  /**
   * Balance of an address by unit, from the cache, with the assets of the pending deposit ({@link getAddressArriving});
   * null before it is seeded, empty when the address holds nothing. The Map is the caller's.
   * @throws {@link InvalidAddressError} when it is no payment address, or one of another network than the head's: never
   * a false empty balance
   */
  getAddressBalance(address: string): Map<string, bigint> | null {
    return this.#context.cache.balance(this.#addresses.resolve(address))
  }

  /**
   * Sum of the pending deposit at an address, part of {@link getAddressBalance}; null before the cache is seeded.
   * @throws {@link InvalidAddressError}
   */
  getAddressArriving(address: string): Map<string, bigint> | null {
    const resolved = this.#addresses.resolve(address)
    return this.#context.cache.seeded ? this.#context.cache.arriving.sumOf(resolved) : null
  }

  /**
   * True when an output, `'txHash#index'`, is of the pending deposit: the head's ledger refuses to spend it yet. No
   * I/O.
   */
  isArriving(ref: string): boolean {
    return this.#context.cache.arriving.has(ref)
  }

  /**
   * Outputs of an address (bech32), from the cache; null before it is seeded. No I/O. The objects are the caller's.
   * @param options - bounds of the list, as in `queryAddressUTxO`.
   * @throws {@link InvalidAddressError} as {@link getAddressBalance}; {@link InvalidArgumentError} on options of
   * another kind
   */
  getAddressUTxOs(address: string, options: AddressUTxOOptions = {}): UTxO[] | null {
    return this.#context.cache.utxos(this.#addresses.resolve(address), checkBounds(options))
  }

  /** True when the snapshot in the cache holds an output, `'txHash#index'`; null before it is seeded. No I/O. */
  isUnspent(ref: string): boolean | null {
    return this.#context.cache.seeded ? this.#context.cache.has(ref) : null
  }

  /**
   * Returns the state of a transaction that this bridge has submitted, by the messages that have come. `txId`: hex, 64
   * characters, lower case. No I/O.
   */
  trackedTx(txId: string): TrackedTx {
    return this.#context.tracker.lookUp(txId)
  }

  /**
   * Calls `listener` after changes of the state of {@link getSnapshot}. Like it, a function that needs no `this`:
   * `useSyncExternalStore(bridge.subscribe, bridge.getSnapshot)`.
   * @returns a function that ends the subscription
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    assertFunction('listener', listener)
    return this.#context.model.subscribe(() => this.#context.emitter.invokeSafely('subscribe', listener))
  }

  /** Returns the state for user interfaces: one frozen object that is replaced when something changes. */
  readonly getSnapshot = (): BridgeSnapshot => this.#context.model.snapshot
}
