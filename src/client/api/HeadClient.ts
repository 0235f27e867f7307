import type { LayerBridge } from '../../bridge/inner.js'
import type { TxBuilder } from '../../tx/inner.js'
import type { UTxO } from '../../types/utxo.js'
import type { ConnectOptions } from '../actions/connect.js'
import type { GetBalanceArgs, GetUtxosArgs, HeadBalance } from '../actions/read.js'
import type { PaymentRecord, PaymentsArgs } from '../actions/payments.js'
import type { RecoverArgs } from '../actions/recover.js'
import type { ConfirmedTx, WaitForTxOptions } from '../actions/waitForTx.js'
import type { Store, WatchBalanceArgs, WatchHeadArgs, WatchTxsArgs } from '../actions/watch.js'
import type { HeadContext } from '../HeadContext.js'
import type { ActionOptions } from '../deadline.js'
import type { EvaluateArgs } from '../actions/evaluate.js'
import type { HeadLife } from './HeadLife.js'
import type { HeadOffers } from './HeadOffers.js'
import type { HeadReceipts } from './HeadReceipts.js'
import type { Evaluation } from '../scripts/evaluation.js'
import type {
  AnyTransaction,
  ClientStatus,
  ConsolidateArgs,
  DepositArgs,
  DepositResult,
  PayArgs,
  PayManyArgs,
  SendOptions,
  TxResult,
  WithdrawArgs,
  WithdrawResult
} from '../types.js'

/** A client of a head: the actions of `layer-sdk/client`, bound to one connection and one wallet. */
export interface HeadClient extends HeadLife, HeadOffers, HeadReceipts {
  /** State that the actions share; `pay(client.context, args)` does the same as `client.pay(args)`. */
  readonly context: HeadContext
  /** The bridge that the client uses: messages, commands, the snapshot cache. */
  readonly bridge: LayerBridge
  /**
   * Connects, and learns the wallet's addresses and the head's outputs. It tries for 30 s, or `timeout` (ms), and
   * reports the first failure at once (option `onConnectError`, a warning by default); with `wait: false` it rejects
   * with the first failure. See {@link connect}.
   * @throws {@link BridgeConnectError}, {@link BridgeNotANodeError}, {@link ConnectAbortedError},
   * {@link ClientTimeoutError}
   * @example
   * ```ts no-run
   * await head.connect({ timeout: 10_000 })
   * ```
   */
  connect(options?: ConnectOptions): Promise<void>
  /**
   * Disconnects, and reconnects no more. All waits end at once, with a typed error; transactions that were sent stay
   * reserved and are followed again after the next `connect()`. It never rejects. See {@link disconnect}.
   * @example
   * ```ts no-run
   * await head.disconnect()
   * ```
   */
  disconnect(): Promise<void>
  /** {@link HeadClient.disconnect}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
  /**
   * Moves money from the base ledger into the head; resolves when it is there. Exactly the amount (lovelace, a bigint)
   * enters. See {@link deposit}.
   * @throws {@link DepositExpiredError} (then `recover()`), {@link InsufficientFundsError}, {@link HeadStateError},
   * {@link OutcomeUnknownError}, {@link BridgeRequestError}
   * @example
   * ```ts no-run
   * await head.deposit({ amount: 10_000_000n })
   * ```
   */
  deposit(args: DepositArgs): Promise<DepositResult>
  /**
   * Pays inside the head; resolves when a snapshot holds the payment, or as `wait` says. Parallel calls never share an
   * input. See {@link pay}.
   * @throws {@link InsufficientFundsError}, {@link LedgerError}, {@link OutcomeUnknownError} (call `waitForTx`),
   * {@link HeadStateError}, {@link NotConnectedError}
   * @example
   * ```ts no-run
   * const { txId, snapshotNumber } = await head.pay({ to: 'addr_test1...', amount: 2_000_000n })
   * ```
   */
  pay(args: PayArgs): Promise<TxResult>
  /**
   * Makes many payments with few transactions, chained; one result per payment, in their order. See {@link payMany}.
   * @throws the errors of {@link HeadClient.pay}: the first failure; no further transaction is sent then
   * @example
   * ```ts no-run
   * await head.payMany({ payments: [{ to: alice, amount: 1_000_000n }, { to: bob, amount: 2_000_000n }] })
   * ```
   */
  payMany(args: PayManyArgs): Promise<TxResult[]>
  /**
   * Merges the wallet's confirmed outputs in the head, up to 200 in a transaction; outputs with a datum or a script
   * stay. See {@link consolidate}.
   * @throws the errors of {@link HeadClient.pay}: the first failure
   * @example
   * ```ts no-run
   * const results = await head.consolidate()
   * ```
   */
  consolidate(args?: ConsolidateArgs): Promise<TxResult[]>
  /**
   * Evaluates the Plutus scripts of a transaction with the head's cost models, slots and outputs; no transaction is
   * sent. See {@link evaluate}.
   * @throws {@link ScriptInputError}, {@link ScriptFailedError}, {@link EvaluatorMissingError},
   * {@link EvaluatorFailedError}
   * @example
   * ```ts no-run
   * const { redeemers, fee } = await head.evaluate(cborHex)
   * ```
   */
  evaluate(transaction: AnyTransaction, options?: EvaluateArgs): Promise<Evaluation>
  /**
   * Starts a transaction of your own: a `TxBuilder` with the head's parameters, the wallet's outputs, and its address
   * for the change; Plutus scripts run with the client's evaluator. See {@link newTx}.
   * @throws {@link HeadStateError}, {@link NotConnectedError}, {@link ClientTimeoutError} (30 s)
   * @example
   * ```ts no-run
   * const tx = await (await head.newTx()).spendScript(locked, { redeemer: '182a', script }).build({})
   * ```
   */
  newTx(options?: ActionOptions): Promise<TxBuilder>
  /**
   * Sends a transaction of your own making: CBOR hex, a built one, or an envelope. Submitting the same transaction
   * again waits for the first call. See {@link submit}.
   * @throws {@link InputReservedError}, {@link InvalidCborError}, {@link LedgerError}, {@link OutcomeUnknownError}
   * @example
   * ```ts no-run
   * const { snapshotNumber } = await head.submit(signedCborHex)
   * ```
   */
  submit(transaction: AnyTransaction, options?: SendOptions<'submit'>): Promise<TxResult>
  /**
   * Waits for a transaction by its id (hex, 64 characters), also after a reload of the page: checks the head's state,
   * then its history, then messages. See {@link waitForTx}.
   * @throws {@link LedgerError}, {@link TxExpiredError} when it can never be confirmed; {@link OutcomeUnknownError}
   * when that is not known in time (30 s)
   * @example
   * ```ts no-run
   * const { snapshotNumber } = await head.waitForTx(txId, { timeout: 60_000 })
   * ```
   */
  waitForTx(txId: string, options?: WaitForTxOptions): Promise<ConfirmedTx>
  /**
   * Moves money from the head to the base ledger; resolves when it has arrived. Several calls queue; `all: true`
   * withdraws all outputs. See {@link withdraw}.
   * @throws {@link LastCollateralError}, {@link InsufficientFundsError}, {@link LedgerError},
   * {@link CommandRefusedError}, {@link OutcomeUnknownError}
   * @example
   * ```ts no-run
   * await head.withdraw({ amount: 5_000_000n })
   * ```
   */
  withdraw(args: WithdrawArgs): Promise<WithdrawResult>
  /**
   * Brings back deposits that the head did not absorb in time; resolves with their ids. See {@link recover}.
   * @throws {@link BridgeRequestError} with the node's reason, {@link ClientTimeoutError} (300 s),
   * {@link OutcomeUnknownError}
   * @example
   * ```ts no-run
   * const depositTxIds = await head.recover()
   * ```
   */
  recover(args?: RecoverArgs): Promise<string[]>
  /**
   * Lists payments, deposits and withdrawals that have an id, of earlier processes too; `open: true` those that are not
   * settled. Synchronous. See {@link payments}.
   * @throws {@link InvalidArgumentError}
   * @example
   * ```ts no-run
   * const open = head.payments({ open: true })
   * ```
   */
  payments(args?: PaymentsArgs): PaymentRecord[]
  /**
   * Returns the money of the wallet, or of an address (bech32), in lovelace and by unit; null before it is known. See
   * {@link getBalance}.
   * @throws {@link WalletMissingError} without a wallet and an address, {@link InvalidAddressError}
   * @example
   * ```ts no-run
   * console.log(head.getBalance()?.pending.lovelace)
   * ```
   */
  getBalance(args?: GetBalanceArgs): HeadBalance | null
  /**
   * Returns the unspent outputs of the wallet, or of an address; null before they are known. The caller may change
   * them. See {@link getUtxos}.
   * @throws {@link WalletMissingError} without a wallet and an address, {@link InvalidAddressError},
   * {@link InvalidArgumentError}
   * @example
   * ```ts no-run
   * const confirmed = head.getUtxos({ view: 'confirmed' })
   * ```
   */
  getUtxos(args?: GetUtxosArgs): UTxO[] | null
  /**
   * Calls `onChange` with the balance now and after each change; returns a function that ends it. See
   * {@link watchBalance}.
   * @throws {@link WalletMissingError} without a wallet and an address, {@link InvalidAddressError},
   * {@link InvalidArgumentError}
   * @example
   * ```ts no-run
   * const stop = head.watchBalance({ onChange: (balance) => console.log(balance?.pending.lovelace) })
   * ```
   */
  watchBalance(args: WatchBalanceArgs): () => void
  /**
   * Calls `onChange` with the status now and after each change; returns a function that ends it. See {@link watchHead}.
   * @throws {@link InvalidArgumentError} when `onChange` is not a function
   * @example
   * ```ts no-run
   * const stop = head.watchHead({ onChange: ({ state, headStatus }) => console.log(state, headStatus) })
   * ```
   */
  watchHead(args: WatchHeadArgs): () => void
  /**
   * Calls `onChange` for each step of every transaction that the node reports; returns a function that ends it. See
   * {@link watchTxs}.
   * @throws {@link InvalidArgumentError} when `onChange` is not a function
   * @example
   * ```ts no-run
   * const stop = head.watchTxs({ onChange: ({ txId, state, own }) => console.log(txId, state, own) })
   * ```
   */
  watchTxs(args: WatchTxsArgs): () => void
  /**
   * Returns the state of connection, head and node in one frozen object. Synchronous. See {@link status}.
   * @example
   * ```ts no-run
   * const { state, headStatus, snapshotNumber } = head.status()
   * ```
   */
  status(): ClientStatus
  /**
   * Creates a store of any value that is read from the client, for user interfaces: `get()` and `subscribe(run)`. See
   * {@link createStore}.
   * @throws {@link InvalidArgumentError} when the selector is not a function
   * @example
   * ```ts no-run
   * const lovelace = head.store((client) => client.getBalance()?.pending.lovelace ?? 0n)
   * ```
   */
  store<T>(selector: (client: HeadClient) => T): Store<T>
}
