import { BridgeOptionsError, CacheColdError } from '../errors/bridge.js'
import { InvalidArgumentError } from '../errors/input.js'
import { addOldProperties, OLD_NAMES } from '../errors/oldNames.js'
import type { UTxO } from '../types/utxo.js'
import type { BridgeContext } from './BridgeContext.js'
import { type BridgeCommands, createCommands } from './commands.js'
import { noteConnector } from './connection/connectorOf.js'
import type { ConnectionState } from './connection/reconnectPolicy.js'
import { type RequestBounds, withSignal } from './connection/withSignal.js'
import { assertFunction } from './delivery/Emitter.js'
import type { BridgeEmitter, BridgeEvents, MessageEventMap } from './delivery/events.js'
import { assertSignal } from './delivery/MessageDispatcher.js'
import { observeBridge, type MessageObserver } from './observe.js'
import { streamMessages } from './delivery/messageStream.js'
import { type WaitOptions, waitForTag } from './delivery/waitForTag.js'
import { AddressBook, networkOf } from './head/AddressBook.js'
import type { BridgeSnapshot } from './head/HeadModel.js'
import { type AddressUTxOOptions, checkBounds, selectOutputs } from './head/selectOutputs.js'
import { networkOfSlotZero } from './head/slotClock.js'
import type { LedgerReading, LedgerReadingEnd } from './history/LedgerReading.js'
import type { InitLayerBridgeOptions } from './options.js'
import type { LayerPayload, PayloadOf } from './protocol/messages.js'
import type {
  ConfirmedSnapshot,
  HeadInfo,
  LayerHeadStatus,
  Protocol,
  RawProtocolParameters,
  SubmitL2TxResponse,
  UTxOObject
} from './protocol/types.js'
import { utxoFromJson } from './protocol/utxoJson.js'
import { dedupeSubmissions } from './txs/dedupe.js'
import { commit, recoverDeposit, submitCardanoTransaction } from './moves/deposits.js'
import type {
  CardanoSubmission,
  CommitRequest,
  DepositDraft,
  RecoverOptions,
  TransactionData
} from './moves/deposits.js'
import type { MoveContext } from './moves/MoveContext.js'
import { type FoundTransaction, createTxFinder } from './txs/findTransaction.js'
import { type HeadInFlight, inFlight, messagesAbout } from './txs/inFlight.js'
import {
  confirmedSnapshot,
  headInfo,
  pendingDeposits,
  protocolParameters,
  rawProtocolParameters
} from './moves/nodeQueries.js'
import { type SubmitL2TxOptions, submitL2Tx } from './txs/submitL2Tx.js'
import {
  type SubmitContext,
  type SubmitOptions,
  type SubmittableTransaction,
  type SubmitTxResult,
  assertTransaction,
  submitTx
} from './txs/submitTx.js'
import { type SubmitCallback, submitTxWithCallback } from './txs/submitTxWithCallback.js'
import type { TrackedTx } from './txs/TxEntry.js'
import { createBridgeContext } from './wiring.js'

/**
 * A connection to a layer-two head: its messages as events, commands, transactions, and the confirmed outputs in
 * memory.
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
  readonly #context: BridgeContext
  readonly #moves: MoveContext
  readonly #submissions: SubmitContext & { readonly emitter: BridgeEmitter }
  readonly #addresses: AddressBook = new AddressBook()
  readonly #findTransaction: (txId: string) => Promise<FoundTransaction>
  readonly #submitL2Tx: (
    tx: Exclude<SubmittableTransaction, string>,
    options?: SubmitL2TxOptions
  ) => Promise<SubmitL2TxResponse>

  /**
   * @throws {@link BridgeOptionsError} unless exactly one of `url` and `connector` is given, and each number is in its
   * range
   */
  constructor(options: InitLayerBridgeOptions) {
    const context = (this.#context = createBridgeContext(options))
    this.events = context.emitter.events
    addOldProperties(this, OLD_NAMES.bridge)
    noteConnector(this, context.node.connector)
    const { node, dispatcher, emitter, tracker, sync, cache } = context
    this.#moves = { ...node, dispatcher }
    // Without a connection too: POST /transaction needs none.
    const submissions = (this.#submissions = { ...node, tracker, emitter, reconcile: () => sync.refresh() })
    this.commands = createCommands({ ...this.#moves, emitter })
    this.#findTransaction = createTxFinder({ ...node, cache })
    this.#submitL2Tx = dedupeSubmissions((transaction, submitOptions) =>
      submitL2Tx(submissions, transaction, submitOptions)
    )
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

  /**
   * Connects; resolves when Greetings has arrived, or a second after the connection opened. With `autoReconnect` a
   * first failure rejects too, while the bridge goes on trying in the background (`state` is `reconnecting`,
   * `onConnected` follows when it succeeds); `disconnect()` ends that, and calling `connect()` again makes the next
   * attempt at once and answers with its result.
   * @returns true, once connected.
   * @throws {@link BridgeConnectError}, {@link ConnectTimeoutError}, {@link ReconnectExhaustedError} after the last
   * attempt: also emitted as `onConnectError`; {@link ConnectAbortedError} when `disconnect()` is called meanwhile
   */
  async connect(): Promise<boolean> {
    return this.#context.connection.connect()
  }

  /** Disconnects, ends the reconnect loop and settles pending calls as 'Disconnected'. */
  async disconnect(): Promise<boolean> {
    this.#context.node.end()
    return this.#context.connection.disconnect()
  }

  /** {@link LayerBridge.disconnect}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnect()
  }

  /** True when the bridge can be used now. */
  connected(): boolean {
    return this.state === 'connected'
  }

  /**
   * The head as GET /head describes it. @throws {@link BridgeRequestError} when the node refuses or does not answer,
   * {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async headInfo(options?: RequestBounds): Promise<HeadInfo> {
    return withSignal(this.#context.node, options, headInfo)
  }

  /**
   * The protocol parameters that fees and limits need. @throws {@link BridgeRequestError} when the node refuses or does
   * not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async getProtocolParameters(options?: RequestBounds): Promise<Protocol> {
    return withSignal(this.#context.node, options, protocolParameters)
  }

  /**
   * The node's protocol parameters, unmodified. @throws {@link BridgeRequestError} when the node refuses or does not
   * answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async getRawProtocolParameters(options?: RequestBounds): Promise<RawProtocolParameters> {
    return withSignal(this.#context.node, options, rawProtocolParameters)
  }

  /**
   * Outputs of the current snapshot, requested from the node; they fill the cache. `{}` when there is no head.
   * @throws {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async querySnapshotUtxo(options?: RequestBounds): Promise<UTxOObject> {
    return withSignal(this.#context.node, options, () => this.#context.sync.query())
  }

  /**
   * With the option `verify`: checks the arrived snapshots that wait for a check, which with `noSnapshotUtxo` happens
   * at intervals, and resolves when all of it is verified or refused (`onUnverified`).
   * @returns the number of the newest verified snapshot, as `getSnapshot().verified` shows it; -1 before the first
   * @throws {@link BridgeOptionsError} without the option
   */
  async verifyNow(): Promise<number> {
    const { verifier } = this.#context
    if (verifier === null) throw new BridgeOptionsError('verify', 'the keys of the parties', undefined)
    return verifier.verifyNow()
  }

  /**
   * The newest confirmed snapshot with the signatures of the parties, requested from the node: the input of
   * `sideLoadSnapshot` and of `getProof` of `layer-sdk/verify`. Null where there is no head.
   * @throws {@link UnsupportedByNodeError} before 0.21, {@link BridgeRequestError} when the node refuses or does not
   * answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}; with the option
   * `verify` {@link VerificationError}
   */
  async confirmedSnapshot(options?: RequestBounds): Promise<ConfirmedSnapshot | null> {
    return withSignal(this.#context.node, options, confirmedSnapshot)
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
    return this.#context.cache.balance(this.#resolve(address))
  }

  /**
   * Sum of the pending deposit at an address, part of {@link getAddressBalance}; null before the cache is seeded.
   * @throws {@link InvalidAddressError}
   */
  getAddressArriving(address: string): Map<string, bigint> | null {
    const resolved = this.#resolve(address)
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
   * @param options - bounds of the list, as in {@link queryAddressUTxO}.
   * @throws {@link InvalidAddressError} as {@link getAddressBalance}; {@link InvalidArgumentError} on options of
   * another kind
   */
  getAddressUTxOs(address: string, options: AddressUTxOOptions = {}): UTxO[] | null {
    return this.#context.cache.utxos(this.#resolve(address), checkBounds(options))
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
   * Finds the outcome of a transaction by its id alone: from the head's outputs, the newest snapshot, or the
   * node's history, which is read once for all lookups of the same time.
   *
   * @throws {@link NotConnectedError}, {@link BridgeRequestError}, {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError} when the connection is lost meanwhile
   */
  async findTransaction(txId: string, options?: RequestBounds): Promise<FoundTransaction> {
    // Lookups share a reading of the history: the signal ends this wait for it.
    return withSignal(this.#context.node, options, () => this.#findTransaction(txId))
  }

  /**
   * Reads the changes of the ledger up to now, in their order: from the node's history, or from the log of a gateway.
   * `receipts()` and `getTransaction()` of the head client are made of it.
   * @beta
   * @throws {@link UnsupportedByConnectorError} where there is neither; {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError} when the signal ends it, the errors of the connection and of the receiver
   */
  async readLedger(reading: LedgerReading): Promise<LedgerReadingEnd> {
    const { readLedger } = await import('./history/readLedger.js')
    return readLedger(this.#context.node, reading)
  }

  /**
   * Requests the transactions that no snapshot has confirmed yet, the decommit that is on its way, and the time of its
   * ledger. For questions that state and messages leave open, e.g. whether a transaction that has expired can still be
   * in a snapshot being signed.
   *
   * @throws {@link BridgeRequestError}, {@link UnsupportedByConnectorError}, {@link UnsupportedByNodeError} before
   * 0.22, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}
   */
  async inFlight(options?: RequestBounds): Promise<HeadInFlight> {
    return withSignal(this.#context.node, options, inFlight)
  }

  /**
   * The node's stored messages that name one of these ids (transactions, deposits), oldest first. Reads its whole
   * history once, over a connection of its own; outputs of snapshots are left out.
   *
   * @throws {@link UnsupportedByConnectorError}, {@link BridgeTimeoutError} after 30 s, {@link BridgeDisconnectedError}
   * when the bridge's connection is lost meanwhile, or the error of the connection
   */
  async messagesAbout(ids: readonly string[], options?: RequestBounds): Promise<LayerPayload[]> {
    if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string' || id === ''))
      throw new InvalidArgumentError('ids', 'a list of ids: hex', ids)
    return withSignal(this.#context.node, options, (node) => messagesAbout(node, ids))
  }

  /**
   * Outputs of an address, from the cache, which is seeded first where it is cold. The objects are the caller's.
   *
   * @param options - bounds of the list: an address with very many outputs costs no more than the listed part.
   * @example
   * ```ts no-run
   * const some = await bridge.queryAddressUTxO(address, { atLeast: 5_000_000n, limit: 50 })
   * ```
   * @throws {@link InvalidAddressError} as {@link getAddressBalance}; {@link InvalidArgumentError} on options of
   * another kind; while the cache is cold, the errors of {@link querySnapshotUtxo}
   */
  async queryAddressUTxO(address: string, options: AddressUTxOOptions & RequestBounds = {}): Promise<UTxO[]> {
    const { signal, ...rest } = options ?? {}
    const bounds = checkBounds(rest)
    const resolved = this.#resolve(address)
    const held = this.#context.cache.utxos(resolved, bounds)
    if (held !== null) return held
    const outputs = await this.querySnapshotUtxo({ signal })
    const utxos = utxoFromJson(outputs)
    // These outputs show the network where it was unknown.
    this.#addresses.resolve(resolved, networkOf(utxos.map(({ output }) => output.address)))
    const own = Object.fromEntries(Object.entries(outputs).filter(([, output]) => output.address === resolved))
    return selectOutputs(Object.keys(own), (key) => own[key]!, bounds).flatMap((key) =>
      utxoFromJson({ [key]: own[key]! })
    )
  }

  /**
   * Addresses that hold outputs in the head, from the cache, which is seeded first where it is cold.
   * @throws the errors of {@link querySnapshotUtxo}, while the cache is cold
   */
  async addressesInHead(options?: RequestBounds): Promise<string[]> {
    return (
      this.#context.cache.addresses() ?? [
        ...new Set(Object.values(await this.querySnapshotUtxo(options)).map(({ address }) => address))
      ]
    )
  }

  /**
   * Sends a transaction (CBOR hex, an envelope, or a built one with its signed `cborHex`) into the head and waits until
   * a snapshot holds it.
   *
   * Two payments built from the same confirmed outputs are the same transaction when everything in them is equal, and
   * conflict when not: either way one is paid. Build the next one from the outputs that the first leaves, confirmed or
   * not: `buildPayment({ utxos: utxosAfter(utxos, first, address), ... })` (`layer-sdk/tx`). A result with
   * `deduplicated: true` belongs to an earlier call with the same transaction: this one sent no request.
   * @throws {@link SubmitError}, {@link InvalidArgumentError}
   */
  async submitTxSync(transaction: SubmittableTransaction, options?: SubmitOptions): Promise<SubmitTxResult> {
    return submitTx(this.#submissions, transaction, options)
  }

  /**
   * As {@link submitTxSync}, with a callback that is called once. @throws {@link InvalidArgumentError} when `callback`
   * is not a function; any other error goes to it
   */
  submitTx(transaction: SubmittableTransaction, callback: SubmitCallback, options?: SubmitOptions): void {
    submitTxWithCallback(this.#submissions, transaction, callback, options)
  }

  /**
   * Sends a transaction over POST /transaction and resolves with the node's verdict; parallel calls for one transaction
   * share it. As with {@link submitTxSync}, equal payments built from the same outputs are one transaction, also when
   * each call is awaited: the outputs are the same until a snapshot confirms the first. Build the next one from
   * `utxosAfter(utxos, first, address)`. The verdict of a call that sent no request says `deduplicated: true`.
   * @throws {@link SubmitError}, {@link UnsupportedByNodeError} before 1.0, {@link InvalidArgumentError},
   * {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError}, {@link ProtocolError}, or the signal's reason
   */
  async submitL2Tx(tx: SubmittableTransaction, options?: SubmitL2TxOptions): Promise<SubmitL2TxResponse> {
    // Copies that are under way at the same time have the same id.
    return this.#submitL2Tx(typeof tx === 'string' ? assertTransaction(tx) : tx, options)
  }

  /**
   * Has the node draft a deposit into the head: sign it, keeping its witnesses, and submit it to the base ledger.
   * @throws {@link InvalidArgumentError}, {@link InvalidCborError}, {@link BridgeRequestError} when the node refuses or
   * does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async commit(data: CommitRequest, options?: RequestBounds): Promise<DepositDraft> {
    return withSignal(this.#moves, options, (moves) => commit(moves, data))
  }

  /**
   * Has the node submit a signed transaction to the base ledger. @throws {@link InvalidCborError},
   * {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async submitCardanoTransaction(data: TransactionData, options?: RequestBounds): Promise<CardanoSubmission> {
    return withSignal(this.#moves, options, (moves) => submitCardanoTransaction(moves, data))
  }

  /**
   * Ids of deposits seen on chain that are neither in the head nor recovered.
   * @throws {@link UnsupportedByNodeError}, {@link BridgeRequestError} when the node refuses or does not answer,
   * {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async pendingDeposits(options?: RequestBounds): Promise<string[]> {
    return withSignal(this.#context.node, options, pendingDeposits)
  }

  /**
   * Recovers a deposit to the base ledger once its deadline has passed, in any state of the head.
   * @throws {@link InvalidArgumentError}, {@link CommandRefusedError}, {@link BridgeRequestError} when the node refuses
   * or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async recoverDeposit(depositTxId: string, options?: RecoverOptions): Promise<string> {
    return recoverDeposit(this.#moves, depositTxId, options)
  }

  /**
   * The next message with this tag, from the moment of the call: register it before the command that brings the message
   * about. It has no limit but those in `options`; with `orRefused` it ends when that command is refused.
   *
   * @example
   * ```ts no-run
   * const closed = bridge.waitFor('HeadIsClosed', { orRefused: true, timeout: 60_000 })
   * bridge.commands.close()
   * await closed
   * ```
   * @throws {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link CommandRefusedError} with `orRefused`,
   * {@link InvalidArgumentError}, or the signal's reason
   */
  waitFor<Tag extends keyof MessageEventMap>(tag: Tag, options: WaitOptions = {}): Promise<PayloadOf<Tag>> {
    return waitForTag(this.#context.dispatcher, tag, options ?? {}, () => this.#context.model.head)
  }

  /**
   * All messages from now on. Ends with `disconnect()` or the `signal`; a slow reader loses the oldest beyond a bound
   * (`onSlowConsumer`).
   * @throws {@link BridgeDisconnectedError} from `next()` when the connection is lost for good
   */
  messages(options?: { signal?: AbortSignal }): AsyncIterableIterator<LayerPayload> {
    return streamMessages(
      this.#context.dispatcher,
      (backlog) => this.#context.emitter.emit('onSlowConsumer', backlog),
      assertSignal(options?.signal)
    )
  }

  /**
   * Calls `onMessage` with each message as it arrives, and `onTx` with each state of each transaction that the bridge
   * follows, before the events; drops none, however slow handlers are: keep them short. Calls `onEnd` at
   * `disconnect()`, and at a loss without another attempt. @returns a function that
   * ends it @throws {@link InvalidArgumentError} on another observer
   */
  observe(observer: MessageObserver): () => void {
    return observeBridge(this.#context, observer)
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

  // As the node writes it. An address that holds outputs is one of this head.
  #resolve(address: string): string {
    if (this.#context.cache.holds(address)) return address
    const resolved = this.#addresses.resolve(
      address,
      this.#context.cache.networkId ?? networkOfSlotZero(this.#context.model.slotZero)
    )
    if (this.#context.node.connector.addresses?.includes(resolved) === false) {
      throw new InvalidArgumentError(
        'address',
        'one of the addresses that the connector follows (its option addresses)',
        address
      )
    }
    return resolved
  }
}
