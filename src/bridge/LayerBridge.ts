import { addOldProperties, OLD_NAMES } from '../errors/oldNames.js'
import type { BridgeContext } from './BridgeContext.js'
import { type BridgeCommands, createCommands } from './commands.js'
import { noteConnector } from './connection/connectorOf.js'
import { type RequestBounds, withSignal } from './connection/withSignal.js'
import type { BridgeEmitter, BridgeEvents, MessageEventMap } from './delivery/events.js'
import { assertSignal } from './delivery/MessageDispatcher.js'
import { streamMessages } from './delivery/messageStream.js'
import { type WaitOptions, waitForTag } from './delivery/waitForTag.js'
import { HeadAddresses } from './head/HeadAddresses.js'
import { HeadQueries } from './HeadQueries.js'
import { commit, recoverDeposit, submitCardanoTransaction } from './moves/deposits.js'
import type {
  CardanoSubmission,
  CommitRequest,
  DepositDraft,
  RecoverOptions,
  TransactionData
} from './moves/deposits.js'
import type { MoveContext } from './moves/MoveContext.js'
import { observeBridge, type MessageObserver } from './observe.js'
import type { InitLayerBridgeOptions } from './options.js'
import type { LayerPayload, PayloadOf } from './protocol/messages.js'
import type { SubmitL2TxResponse } from './protocol/types.js'
import { dedupeSubmissions } from './txs/dedupe.js'
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
export class LayerBridge extends HeadQueries {
  /**
   * Subscribes to events: those of the bridge (`onConnected`, `onMessage`, ...) and one for each message tag
   * (`HeadIsOpen`, ...).
   */
  readonly events: BridgeEvents
  /** Commands to the head. */
  readonly commands: BridgeCommands
  readonly #context: BridgeContext
  readonly #moves: MoveContext
  readonly #submissions: SubmitContext & { readonly emitter: BridgeEmitter }
  readonly #submitL2Tx: (
    tx: Exclude<SubmittableTransaction, string>,
    options?: SubmitL2TxOptions
  ) => Promise<SubmitL2TxResponse>

  /**
   * @throws {@link BridgeOptionsError} unless exactly one of `url` and `connector` is given, and each number is in its
   * range
   */
  constructor(options: InitLayerBridgeOptions) {
    const context = createBridgeContext(options)
    super(context, new HeadAddresses(context))
    this.#context = context
    this.events = context.emitter.events
    addOldProperties(this, OLD_NAMES.bridge)
    noteConnector(this, context.node.connector)
    const { node, dispatcher, emitter, tracker, sync } = context
    this.#moves = { ...node, dispatcher }
    // Without a connection too: POST /transaction needs none.
    const submissions = (this.#submissions = { ...node, tracker, emitter, reconcile: () => sync.refresh() })
    this.commands = createCommands({ ...this.#moves, emitter })
    this.#submitL2Tx = dedupeSubmissions((transaction, submitOptions) =>
      submitL2Tx(submissions, transaction, submitOptions)
    )
  }

  /**
   * Connects; resolves when Greetings (the node's first message) has arrived, or, where none comes, a second after the
   * connection opened. With `autoReconnect` a first failure rejects too, while the bridge goes on trying in the
   * background (`state` is `reconnecting`, `onConnected` follows when it succeeds); `disconnect()` ends that, and
   * calling `connect()` again makes the next attempt at once and settles with its result.
   * @returns true, once connected.
   * @throws {@link BridgeConnectError}, {@link ConnectTimeoutError}, {@link ReconnectExhaustedError} after the last
   * attempt, each of which is also emitted as `onConnectError`; {@link ConnectAbortedError} when `disconnect()` is
   * called meanwhile
   */
  async connect(): Promise<boolean> {
    return this.#context.connection.connect()
  }

  /**
   * Disconnects, stops reconnecting, and ends pending calls with {@link BridgeDisconnectedError}, or
   * {@link SubmitError} with the tag `Disconnected`.
   */
  async disconnect(): Promise<boolean> {
    this.#context.node.end()
    return this.#context.connection.disconnect()
  }

  /** {@link LayerBridge.disconnect}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnect()
  }

  /**
   * Sends a transaction (CBOR hex, an envelope, or a built one with its signed `cborHex`) into the head and waits until
   * a snapshot holds it.
   *
   * Two payments built from the same confirmed outputs are the same transaction when everything in them is equal, and
   * conflict otherwise: either way only one of them is paid. Build the next one from the outputs that the first leaves,
   * confirmed or not: `buildPayment({ utxos: utxosAfter(utxos, first, address), ... })` (`layer-sdk/tx`). A result with
   * `deduplicated: true` belongs to an earlier call with the same transaction: this one sent no request.
   * @throws {@link SubmitError}, {@link InvalidArgumentError}
   */
  async submitTxSync(transaction: SubmittableTransaction, options?: SubmitOptions): Promise<SubmitTxResult> {
    return submitTx(this.#submissions, transaction, options)
  }

  /**
   * As {@link submitTxSync}, with a callback that is called once. @throws {@link InvalidArgumentError} when `callback`
   * is not a function; any other error goes to the callback
   */
  submitTx(transaction: SubmittableTransaction, callback: SubmitCallback, options?: SubmitOptions): void {
    submitTxWithCallback(this.#submissions, transaction, callback, options)
  }

  /**
   * Sends a transaction over POST /transaction and resolves with the node's verdict (confirmed, invalid, rejected or
   * still open); parallel calls for one transaction share one request. As with {@link submitTxSync}, equal payments
   * built from the same outputs are one transaction, even when each call is awaited, because the outputs stay the same
   * until a snapshot confirms the first. Build the next one from `utxosAfter(utxos, first, address)`. The verdict of a
   * call that sent no request has `deduplicated: true`.
   * @throws {@link SubmitError}, {@link UnsupportedByNodeError} before 1.0, {@link InvalidArgumentError},
   * {@link BridgeRequestError} when the node refuses or does not answer, {@link BridgeTimeoutError},
   * {@link BridgeDisconnectedError}, {@link ProtocolError}, or the signal's reason
   */
  async submitL2Tx(tx: SubmittableTransaction, options?: SubmitL2TxOptions): Promise<SubmitL2TxResponse> {
    // Copies that are under way at the same time have the same id.
    return this.#submitL2Tx(typeof tx === 'string' ? assertTransaction(tx) : tx, options)
  }

  /**
   * Requests the node's draft of a transaction that deposits outputs into the head. Sign the draft, keep the witnesses
   * that it already has, and submit it to the base ledger.
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
   * Recovers a deposit to the base ledger once its deadline has passed, in any state of the head.
   * @throws {@link InvalidArgumentError}, {@link CommandRefusedError}, {@link BridgeRequestError} when the node refuses
   * or does not answer, {@link BridgeTimeoutError}, {@link BridgeDisconnectedError}, {@link ProtocolError}
   */
  async recoverDeposit(depositTxId: string, options?: RecoverOptions): Promise<string> {
    return recoverDeposit(this.#moves, depositTxId, options)
  }

  /**
   * Resolves with the next message of this tag that arrives after the call, so call it before you send the command that
   * causes the message. It waits without a time limit unless `options` sets one; with `orRefused` it rejects when such
   * a command is refused.
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
   * Returns an async iterator over all messages from now on. It ends with `disconnect()` or the `signal`. A slow reader
   * loses the oldest waiting messages beyond a bound (event `onSlowConsumer`).
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
   * Calls the observer's `onMessage` with each message as it arrives, and its `onTx` with each new state of each
   * transaction that the bridge follows, both before the events. Unlike events, no call is ever dropped, so keep these
   * functions short. Calls `onEnd` at `disconnect()`, and when the connection is lost and no further attempt follows.
   * @returns a function that ends the subscription @throws {@link InvalidArgumentError} when `observer` is not a valid
   * observer
   */
  observe(observer: MessageObserver): () => void {
    return observeBridge(this.#context, observer)
  }
}
