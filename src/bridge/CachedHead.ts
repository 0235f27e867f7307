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

  /**
   * True when the connector filters by address: snapshots that concern other addresses do not arrive, so the outputs of
   * those addresses may be out of date.
   */
  get partial(): boolean {
    return this.#context.node.connector.capabilities.partial
  }

  /**
   * True when `readLedger` reads a gateway's log instead of a node's history. Only a log can be read on from the place
   * where an earlier reading ended. @beta
   */
  get readsLog(): boolean {
    const { history, log } = this.#context.node.connector.capabilities
    return !history && log === true
  }

  /** Unix time of slot 0, ms; null until the node sends it. */
  get slotZeroTimestamp(): number | null {
    return this.#context.model.slotZero?.timestamp ?? null
  }

  /**
   * Number of the snapshot in the cache; -1 before the first, and after a loss of the connection until the number is
   * known again. Greetings (the node's first message) brings outputs without a number: balances can be read at once,
   * while the number and `getSnapshot().ready` follow with the answer to GET /snapshot.
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

  /** Returns true while the bridge is connected, so that commands and transactions can be sent. */
  connected(): boolean {
    return this.state === 'connected'
  }

  /**
   * Returns the outputs of the current snapshot from the cache. @throws {@link CacheColdError} before the cache has any
   */
  snapshotUtxoArray(): UTxO[] {
    const utxos = this.#context.cache.utxos()
    if (utxos === null) throw new CacheColdError()
    return utxos
  }

  /**
   * Returns the balance of an address by unit from the cache, including the assets of the pending deposit
   * ({@link getAddressArriving}). Null before the cache has outputs; an empty Map when the address holds none. The Map
   * is a copy that the caller may change.
   * @throws {@link InvalidAddressError} when it is not a payment address, or belongs to a different network than the
   * head, so that a wrong address never looks like an empty balance; {@link InvalidArgumentError} when it is not among
   * the addresses to which the connector is limited
   */
  getAddressBalance(address: string): Map<string, bigint> | null {
    return this.#context.cache.balance(this.#addresses.resolve(address))
  }

  /**
   * Returns the part of {@link getAddressBalance} that comes from the pending deposit and cannot be spent yet; null
   * before the cache has outputs.
   * @throws {@link InvalidAddressError}
   */
  getAddressArriving(address: string): Map<string, bigint> | null {
    const resolved = this.#addresses.resolve(address)
    return this.#context.cache.seeded ? this.#context.cache.arriving.sumOf(resolved) : null
  }

  /**
   * Returns true when an output (`'txHash#index'`) belongs to the pending deposit, so that the head's ledger does not
   * let it be spent yet. Reads the cache, without I/O.
   */
  isArriving(ref: string): boolean {
    return this.#context.cache.arriving.has(ref)
  }

  /**
   * Returns the outputs of an address (bech32) from the cache, without I/O; null before the cache has outputs. The
   * objects are copies that the caller may change.
   * @param options - bounds of the list, as in `queryAddressUTxO`.
   * @throws {@link InvalidAddressError} and {@link InvalidArgumentError} as {@link getAddressBalance};
   * {@link InvalidArgumentError} on invalid options
   */
  getAddressUTxOs(address: string, options: AddressUTxOOptions = {}): UTxO[] | null {
    return this.#context.cache.utxos(this.#addresses.resolve(address), checkBounds(options))
  }

  /**
   * Returns true when the snapshot in the cache holds an output (`'txHash#index'`); null before it has outputs. No I/O.
   */
  isUnspent(ref: string): boolean | null {
    return this.#context.cache.seeded ? this.#context.cache.has(ref) : null
  }

  /**
   * Returns the state of a transaction that this bridge has submitted, as far as the messages received so far show it.
   * `txId`: hex, 64 characters, lower case. No I/O.
   */
  trackedTx(txId: string): TrackedTx {
    return this.#context.tracker.lookUp(txId)
  }

  /**
   * Calls `listener` after changes of the state that {@link getSnapshot} returns. Both functions work without the
   * bridge as `this`, so they can be passed on: `useSyncExternalStore(bridge.subscribe, bridge.getSnapshot)`.
   * @returns a function that ends the subscription
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    assertFunction('listener', listener)
    return this.#context.model.subscribe(() => this.#context.emitter.invokeSafely('subscribe', listener))
  }

  /**
   * Returns the bridge's state for user interfaces: a frozen object, which stays the same until a value in it changes.
   */
  readonly getSnapshot = (): BridgeSnapshot => this.#context.model.snapshot
}
