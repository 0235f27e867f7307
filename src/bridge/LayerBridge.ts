import { isLayerError } from '../errors/base.js'
import { BridgeDisconnectedError, CacheColdError } from '../errors/bridge.js'
import type { SubmitError } from '../errors/operation.js'
import type { Transaction } from '../types/transaction.js'
import type { UTxO } from '../types/utxo.js'
import { createCommands } from './commands.js'
import type { BridgeCommands } from './commands.js'
import { Connection } from './connection/ReconnectingConnection.js'
import type { ConnectionState } from './connection/ReconnectingConnection.js'
import { assertFunction } from './delivery/Emitter.js'
import { createEvents } from './delivery/events.js'
import type { BridgeEmitter, BridgeEvents } from './delivery/events.js'
import { AddressBook, networkOf } from './head/AddressBook.js'
import { networkOfSlotZero } from './head/slotClock.js'
import { SnapshotCache } from './head/SnapshotCache.js'
import type { CacheOutcome } from './head/SnapshotCache.js'
import { HeadModel } from './head/HeadModel.js'
import type { BridgeSnapshot } from './head/HeadModel.js'
import { assertSignal, Inbox } from './delivery/MessageDispatcher.js'
import { streamMessages } from './delivery/messageStream.js'
import { resolveOptions } from './options.js'
import type { InitLayerBridgeOptions, ResolvedBridgeOptions } from './options.js'
import { createOperations } from './operations.js'
import type { Operations } from './operations.js'
import type { LayerHeadTag, LayerPayload, PayloadOf } from './protocol/messages.js'
import type { FacadePorts } from './BridgeContext.js'
import { refusalOf } from './submissions/commandRefusal.js'
import type { HeadInfo, LayerHeadStatus, Protocol, RawProtocolParameters, SubmitL2TxResponse, UTxOObject } from './protocol/types.js'
import type { CardanoSubmission, CommitRequest, DepositDraft, RecoverOptions, TransactionData } from './submissions/deposits.js'
import type { SubmitOptions, SubmitTxResult } from './submissions/submitTx.js'
import type { SubmitL2TxOptions } from './submissions/submitL2Tx.js'
import { unsentError } from './submissions/unsentError.js'
import { waitForTag } from './delivery/waitForTag.js'
import type { WaitOptions } from './delivery/waitForTag.js'
import { weightOf } from './delivery/weightOf.js'
import { decodeMessage, decodePayload } from './protocol/decode.js'
import { encodeInput } from './protocol/encode.js'
import { utxoFromJson } from './protocol/utxoJson.js'
import type { FoundTransaction } from './submissions/findTransaction.js'

/**
 * A connection to a layer-two head: its messages as events, commands, transactions, and the confirmed outputs in memory.
 *
 * @example
 * ```ts
 * import { LayerBridge } from 'layer-sdk/bridge'
 * import { startDevNode } from 'layer-sdk/devnode'
 *
 * const node = await startDevNode({ port: 0 })
 * const bridge = new LayerBridge({ url: node.url })
 * bridge.events.on('onMessage', ({ tag }) => console.log(tag))
 * await bridge.connect()
 * await bridge.disconnect()
 * await node.stop()
 * ```
 */
export class LayerBridge {
  /** Subscribes to events: those of the bridge (`onConnected`, `onMessage`, ...) and each message's tag. */
  readonly events: BridgeEvents
  /** Commands to the head. */
  readonly commands: BridgeCommands
  readonly #options: ResolvedBridgeOptions
  readonly #emitter: BridgeEmitter
  readonly #connection: Connection
  readonly #cache: SnapshotCache = new SnapshotCache()
  readonly #addresses: AddressBook = new AddressBook()
  readonly #inbox: Inbox = new Inbox()
  readonly #model: HeadModel
  readonly #ports: FacadePorts
  readonly #operations: Operations
  // Ends with disconnect(): requests of the caller.
  #life = new AbortController()
  // Ends with the connection: requests of our own.
  #session = new AbortController()

  /** @throws {@link BridgeOptionsError} unless exactly one of `url` and `connector` is given, and each number is in its range */
  constructor(options: InitLayerBridgeOptions) {
    const { connector, log, policy, verifier } = this.#options = resolveOptions(options, {
      onUnverified: (facts) => emitter.emit('onUnverified', facts), onVerified: () => this.#model.changed()
    })
    const emitter = this.#emitter = createEvents(log.warn)
    this.events = emitter.events
    this.#connection = new Connection(connector, policy, {
      onOpen: () => { this.#model.startConnection(); this.#session = new AbortController() },
      onMessage: (message) => this.#receive(message),
      onInvalid: (error) => emitter.emit('onProtocolError', error),
      onConnected: () => { this.#refresh(); emitter.emit('onConnected') },
      onLost: (next) => this.#lost(next),
      onDisconnected: () => emitter.emit('onDisconnected'),
      onConnectError: (error) => emitter.emit('onConnectError', error),
      onReconnecting: (facts) => emitter.emit('onReconnecting', facts),
      onState: () => { log.debug(() => this.state); this.#model.changed() },
      probe: (signal) => this.#operations.snapshotsMissed(this.#cache.number, signal),
      keepAlive: () => emitter.hasListeners() || this.#inbox.size > 0 || this.#operations.tracker.pending > 0 || this.#model.watched
    })
    this.#model = new HeadModel(this.#cache, () => this.state, verifier)
    this.#ports = this.#createPorts()
    this.#operations = this.#createOperations()
    this.commands = createCommands({ ...this.#ports, operations: this.#operations })
  }

  /** Where the connection stands. */
  get state(): ConnectionState { return this.#connection.state }

  /** Unix time of slot 0, ms; null until the node tells. */
  get slotZeroTimestamp(): number | null { return this.#model.slotZero?.timestamp ?? null }

  /**
   * Number of the snapshot in the cache; -1 before the first, and again from a loss of the connection until the number is known. Greetings
   * brings outputs without a number: balances can be read at once, the number and `seeded` follow with GET /snapshot.
   */
  get lastSnapshotNumber(): number { return this.#cache.number }

  /** State of the head; null until known. */
  get headStatus(): LayerHeadStatus | null { return this.#model.head.headStatus }

  /** Whether the node has caught up with the chain; null until it says so. */
  get chainSynced(): boolean | null { return this.#model.head.chainSynced }

  /** End of the contestation period of a closed head, ms since the Unix epoch; null until known. */
  get contestationDeadline(): number | null { return this.#model.head.contestationDeadline }

  /** Connects; resolves when the node has greeted, or a second after the connection opened. @throws the error of `onConnectError` */
  async connect(): Promise<boolean> {
    return this.#connection.connect()
  }

  /** Disconnects, ends the reconnect loop and settles what is pending as 'Disconnected'. */
  async disconnect(): Promise<boolean> {
    this.#life.abort()
    this.#life = new AbortController()
    return this.#connection.disconnect()
  }

  /** Whether the bridge can be used now. */
  connected(): boolean { return this.state === 'connected' }

  /**
   * The head as GET /head describes it.
   * @throws {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async headInfo(): Promise<HeadInfo> { return this.#operations.headInfo() }

  /**
   * The protocol parameters that fees and limits need.
   * @throws {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async getProtocolParameters(): Promise<Protocol> { return this.#operations.protocol() }

  /**
   * The node's protocol parameters, unmodified.
   * @throws {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async getRawProtocolParameters(): Promise<RawProtocolParameters> { return this.#operations.rawProtocol() }

  /**
   * Outputs of the current snapshot, requested from the node; seeds the cache. `{}` when there is no head.
   * @throws {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async querySnapshotUtxo(): Promise<UTxOObject> { return this.#operations.sync.query() }

  /** Outputs of the current snapshot, from the cache. @throws {@link CacheColdError} before it is seeded */
  snapshotUtxoArray(): UTxO[] {
    const utxos = this.#cache.utxos()
    if (utxos === null) throw new CacheColdError()
    return utxos
  }

  /**
   * Balance of an address by unit, from the cache; null before it is seeded, empty when the address holds nothing. The Map is the caller's.
   * @throws {@link InvalidAddressError} when it is no payment address, or one of another network than the head's: never a false "nothing"
   */
  getAddressBalance(address: string): Map<string, bigint> | null { return this.#cache.balance(this.#resolve(address)) }

  /** Outputs of an address (bech32), from the cache; null before it is seeded. No I/O. */
  getAddressUTxOs(address: string): UTxO[] | null { return this.#cache.utxos(address) }

  /** Whether the snapshot in the cache holds an output, `'txHash#index'`; null before it is seeded. No I/O. */
  isUnspent(ref: string): boolean | null { return this.#cache.seeded ? this.#cache.has(ref) : null }

  /**
   * What became of a transaction, by its id alone: from the head's outputs, the newest snapshot, or the node's history, which is read once.
   *
   * @throws {@link NotConnectedError}, {@link BridgeRequestError}, {@link BridgeTimeoutError}
   */
  async findTransaction(txId: string): Promise<FoundTransaction> { return this.#operations.findTransaction(txId) }

  /**
   * Outputs of an address, from the cache, which is seeded first where it is cold.
   * @throws {@link InvalidAddressError} as {@link getAddressBalance}; while the cache is cold, what {@link querySnapshotUtxo} throws
   */
  async queryAddressUTxO(address: string): Promise<UTxO[]> {
    const resolved = this.#resolve(address)
    const held = this.#cache.utxos(resolved)
    if (held !== null) return held
    const utxos = utxoFromJson(await this.querySnapshotUtxo())
    // These tell the network, where nothing did before.
    this.#addresses.resolve(resolved, networkOf(utxos.map(({ output }) => output.address)))
    return utxos.filter(({ output }) => output.address === resolved)
  }

  /**
   * Addresses that hold outputs in the head, from the cache, which is seeded first where it is cold.
   * @throws what {@link querySnapshotUtxo} throws, while the cache is cold
   */
  async addressesInHead(): Promise<string[]> {
    return this.#cache.addresses() ?? [...new Set(Object.values(await this.querySnapshotUtxo()).map(({ address }) => address))]
  }

  /**
   * Sends a transaction into the head and waits until a snapshot holds it.
   *
   * Two payments built from the same confirmed outputs are the same transaction when everything in them is equal, and conflict when not:
   * either way one is paid. Build the next one from what the first leaves, confirmed or not:
   * `buildPayment({ utxos: utxosAfter(utxos, first, address), ... })` (`layer-sdk/tx`). A result with `deduplicated: true` belongs to an
   * earlier call with the same transaction: this one sent nothing.
   * @throws {@link SubmitError}, {@link InvalidArgumentError}
   */
  async submitTxSync(transaction: Transaction, options?: SubmitOptions): Promise<SubmitTxResult> { return this.#operations.submitTx(transaction, options) }

  /**
   * As {@link submitTxSync}, with a callback that is called once.
   * @throws {@link InvalidArgumentError} when `callback` is not a function; what else fails goes to it
   */
  submitTx(transaction: Transaction, callback: (error: SubmitError | null, result: SubmitTxResult | null) => void, options?: SubmitOptions): void {
    assertFunction('callback', callback)
    const tell = (error: SubmitError | null, result: SubmitTxResult | null): void => this.#ports.guard('submitTx', () => callback(error, result))
    this.#operations.submitTx(transaction, options).then((result) => tell(null, result), (error: Error) => {
      tell(isLayerError(error, 'BRIDGE_SUBMIT') ? error : unsentError(transaction, error), null)
    })
  }

  /**
   * Sends a transaction over POST /transaction and resolves with the node's verdict; parallel calls for one transaction share it.
   * As with {@link submitTxSync}, equal payments built from the same outputs are one transaction, also when each call is awaited: the
   * outputs are the same until a snapshot confirms the first. Build the next one from `utxosAfter(utxos, first, address)`. The verdict of a
   * call that sent nothing says `deduplicated: true`.
   * @throws {@link SubmitError}, {@link UnsupportedByNodeError} before 1.0, {@link InvalidArgumentError}, {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}, or the signal's reason
   */
  async submitL2Tx(tx: Transaction, options?: SubmitL2TxOptions): Promise<SubmitL2TxResponse> { return this.#operations.submitL2Tx(tx, options) }

  /**
   * Has the node draft a deposit into the head: sign it, keeping its witnesses, and submit it to the base ledger.
   * @throws {@link InvalidArgumentError}, {@link InvalidCborError}, {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async commit(data: CommitRequest): Promise<DepositDraft> { return this.#operations.commit(data) }

  /**
   * Has the node submit a signed transaction to the base ledger.
   * @throws {@link InvalidCborError}, {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async submitCardanoTransaction(data: TransactionData): Promise<CardanoSubmission> {
    return this.#operations.submitCardanoTransaction(data)
  }

  /**
   * Ids of deposits seen on chain that are neither in the head nor recovered.
   * @throws {@link UnsupportedByNodeError}, {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async pendingDeposits(): Promise<string[]> { return this.#operations.pendingDeposits() }

  /**
   * Recovers a deposit to the base ledger once its deadline has passed, in any state of the head.
   * @throws {@link InvalidArgumentError}, {@link CommandRefusedError}, {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async recoverDeposit(depositTxId: string, options?: RecoverOptions): Promise<string> {
    return this.#operations.recoverDeposit(depositTxId, options)
  }

  /**
   * The next message with this tag, from the moment of the call: register it before the command that brings the message about. It has no
   * limit but those in `options`; with `orRefused` it ends when that command is refused.
   *
   * @example
   * ```ts no-run
   * const closed = bridge.waitFor('HeadIsClosed', { orRefused: true, timeout: 60_000 })
   * bridge.commands.close()
   * await closed
   * ```
   * @throws {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link CommandRefusedError} with `orRefused`, {@link InvalidArgumentError}, or the signal's reason
   */
  waitFor<Tag extends LayerHeadTag>(tag: Tag, options: WaitOptions = {}): Promise<PayloadOf<Tag>> {
    const next = waitForTag(this.#inbox, tag, options ?? {}, () => this.#model.head)
    // Whoever awaits it hears of a failure; whoever has given up on it need not.
    next.catch(() => undefined)
    return next
  }

  /**
   * All messages from now on. Ends with `disconnect()` or the `signal`; a slow reader loses the oldest beyond a bound (`onSlowConsumer`).
   * @throws {@link BridgeDisconnectedError} from `next()` when the connection is lost for good
   */
  messages(options?: { signal?: AbortSignal }): AsyncIterableIterator<LayerPayload> {
    return streamMessages(this.#inbox, (facts) => this.#emitter.emit('onSlowConsumer', facts), assertSignal(options?.signal))
  }

  /**
   * Calls `listener` after changes of what {@link getSnapshot} shows. Like it, a function that needs no `this`:
   * `useSyncExternalStore(bridge.subscribe, bridge.getSnapshot)`.
   * @returns a function that ends the subscription
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    assertFunction('listener', listener)
    return this.#model.subscribe(() => this.#ports.guard('subscribe', listener))
  }

  /** What user interfaces show, as one frozen object that is replaced when something changes. */
  readonly getSnapshot = (): BridgeSnapshot => this.#model.snapshot

  #receive(message: unknown): void {
    const { log, connector } = this.#options
    const receivedAt = Date.now()
    const weight = weightOf(message)
    const replayed = this.#connection.replaying
    let payload: LayerPayload
    let outcome: CacheOutcome = 'ignored'
    try {
      payload = typeof message === 'string' ? decodePayload(message, receivedAt) : decodeMessage(message, receivedAt)
      if (this.#model.isRepeated(payload)) return
      // Greetings ends a replay. What comes before it may be about a head that is over: it is delivered and changes nothing.
      if (!replayed || payload.tag === 'Greetings') outcome = this.#model.apply(payload, receivedAt, weight)
    } catch (error) {
      return this.#emitter.emit('onProtocolError', error as Error)
    }
    log.debug(() => `received ${payload.tag}`)
    if (replayed && payload.tag !== 'Greetings') {
      this.#inbox.deliver(payload, weight)
      return this.#emitter.message(payload, weight)
    }
    // Verdicts of the present may have been among what was replayed: the state decides.
    if (replayed) this.#operations.tracker.markGap()
    this.#operations.tracker.onPayload(payload, connector.capabilities.filtered)
    this.#inbox.deliver(payload, weight)
    // Being greeted asks for the state anyway, if it is needed.
    if (payload.tag === 'Greetings' && !this.connected()) this.#connection.greeted()
    else if (outcome === 'needsSeed') this.#refresh(true)
    const refused = refusalOf(payload, this.#model.head)
    if (refused !== null) this.#emitter.emit('onCommandRefused', refused.error)
    this.#emitter.message(payload, weight)
  }

  // As the node writes it. What holds outputs is an address of this head.
  #resolve(address: string): string {
    if (this.#cache.holds(address)) return address
    return this.#addresses.resolve(address, this.#cache.networkId ?? networkOfSlotZero(this.#model.slotZero))
  }

  // While connecting, Greetings is still to come: the state is asked for after it.
  #refresh(asked = false): void {
    const needed = asked || this.#cache.provisional || this.#operations.tracker.uncertain || (!this.#cache.seeded && (this.#model.head.headId !== null || !this.#model.greeted))
    if (this.connected() && needed) this.#operations.sync.refresh()
  }

  #lost(next: 'again' | 'over' | 'asked'): void {
    this.#session.abort()
    this.#cache.reset()
    this.#model.changed()
    this.#operations.tracker.markGap()
    if (next === 'again') return
    this.#operations.tracker.disconnect(next === 'asked')
    this.#inbox.end(next === 'asked' ? null : new BridgeDisconnectedError('Waiting for messages'))
    if (next === 'asked') this.#emitter.clear()
  }

  #createPorts(): FacadePorts {
    const { connector, log } = this.#options
    return {
      inbox: this.#inbox,
      allRoutes: connector.capabilities.allRoutes,
      filtered: connector.capabilities.filtered,
      connected: () => this.connected(),
      send: (input) => {
        log.debug(() => `sending ${input.tag}`)
        this.#connection.send(encodeInput(input), input.tag)
      },
      head: () => this.#model.head,
      // Without a connection too: POST /transaction needs none.
      reconcile: () => this.#operations.sync.refresh(),
      guard: (name, callback) => this.#emitter.guard(name, callback)
    }
  }

  #createOperations(): Operations {
    return createOperations({
      ...this.#ports,
      cache: this.#cache,
      connector: this.#options.connector,
      requestTimeout: this.#options.requestTimeout,
      life: () => this.#life.signal,
      session: () => (/^(idle|disconnected|failed)$/.test(this.state) ? this.#life : this.#session).signal,
      isUnspent: (ref) => this.#cache.has(ref),
      isCurrent: () => this.#cache.current && !this.#options.connector.capabilities.filtered,
      onProgress: (progress) => this.#emitter.emit('onTxProgress', progress),
      onLateConfirmation: (facts) => this.#emitter.emit('onLateConfirmation', facts),
      onSeeded: () => this.#model.changed(),
      onFailure: (error) => this.#options.log.debug(() => `reading the head's state failed: ${String(error)}`)
    })
  }
}
