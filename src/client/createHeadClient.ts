import type { Connector } from '../bridge/connection/Connector.js'
import { assertFunction } from '../bridge/delivery/Emitter.js'
import { GatewayConnector } from '../bridge/connection/gateway/GatewayConnector.js'
import { LayerBridge } from '../bridge/LayerBridge.js'
import type { InitLayerBridgeOptions } from '../bridge/options.js'
import type { PayloadOf } from '../bridge/protocol/messages.js'
import { SLOT_CONFIG } from '../constants.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { UTxO } from '../types/utxo.js'
import type { Wallet } from '../types/wallet.js'
import { connect, disconnect } from './actions/connect.js'
import { deposit } from './actions/deposit.js'
import { abort, close, closeAndFanout, contest, fanout } from './actions/headLife.js'
import type { HeadLifeArgs } from './actions/headLife.js'
import { open } from './actions/open.js'
import type { OpenArgs, OpenResult } from './actions/open.js'
import { pay } from './actions/pay.js'
import { payMany } from './actions/payMany.js'
import { getBalance, getUtxos, status } from './actions/read.js'
import type { GetUtxosArgs, HeadBalance } from './actions/read.js'
import { recover } from './actions/recover.js'
import type { RecoverArgs } from './actions/recover.js'
import { submit } from './actions/submit.js'
import { waitForTx } from './actions/waitForTx.js'
import type { ConfirmedTx } from './actions/waitForTx.js'
import { createStore, watchBalance, watchHead, watchTxs } from './actions/watch.js'
import type { Store } from './actions/watch.js'
import { withdraw } from './actions/withdraw.js'
import { ClientContext } from './ClientContext.js'
import type { ActionOptions } from './deadline.js'
import { DEFAULT_EXPIRES_IN_MS } from './limits.js'
import type {
  AnyTransaction,
  ClientStatus,
  CommonClientOptions,
  DepositArgs,
  DepositResult,
  GatewayAddress,
  HeadClientOptions,
  PayArgs,
  PayManyArgs,
  SendOptions,
  TxResult,
  WatchedTx,
  WithdrawArgs,
  WithdrawResult
} from './types.js'

/** Mean wait between two attempts to reconnect, ms. */
const RECONNECT_INTERVAL_MS = 1_000
const OWN_OPTIONS = ['wallet', 'expiresIn', 'network', 'onHandlerError', 'bridge', 'gateway'] as const

/** A client of a head: the actions of `layer-sdk/client`, bound to one connection and one wallet. */
export interface HeadClient {
  /** What the actions share; `pay(client.context, args)` is `client.pay(args)`. */
  readonly context: ClientContext
  /** The bridge below: messages, commands, the snapshot cache. */
  readonly bridge: LayerBridge
  /** Connects, and learns the wallet's addresses and the head's outputs; rejects after 30 s, unless `timeout` says otherwise. See {@link connect}. */
  connect(options?: ActionOptions): Promise<void>
  /** Disconnects, and reconnects no more. See {@link disconnect}. */
  disconnect(): Promise<void>
  /** Initialises a head where there is none; resolves once it is open. See {@link open}. */
  open(args?: OpenArgs): Promise<OpenResult>
  /** Moves money from the base ledger into the head; resolves when it is there. See {@link deposit}. */
  deposit(args: DepositArgs): Promise<DepositResult>
  /** Pays inside the head; resolves when a snapshot holds the payment, or as `wait` says. See {@link pay}. */
  pay(args: PayArgs): Promise<TxResult>
  /** Makes many payments with few transactions. See {@link payMany}. */
  payMany(args: PayManyArgs): Promise<TxResult[]>
  /** Sends a transaction of your own making. See {@link submit}. */
  submit(transaction: AnyTransaction, options?: SendOptions<'submit'>): Promise<TxResult>
  /** Waits for a transaction by its id, also after a reload of the page. See {@link waitForTx}. */
  waitForTx(txId: string, options?: ActionOptions): Promise<ConfirmedTx>
  /** Moves money from the head to the base ledger; resolves when it has arrived. See {@link withdraw}. */
  withdraw(args: WithdrawArgs): Promise<WithdrawResult>
  /** Brings back deposits that the head did not take in time. See {@link recover}. */
  recover(args?: RecoverArgs): Promise<string[]>
  /** Closes the head; its contestation period begins. See {@link close}. */
  close(args?: HeadLifeArgs<'close'>): Promise<PayloadOf<'HeadIsClosed'>>
  /** Pays a closed head's outputs out to the base ledger. See {@link fanout}. */
  fanout(args?: HeadLifeArgs<'fanout'>): Promise<PayloadOf<'HeadIsFinalized'>>
  /** Both, with the wait in between. See {@link closeAndFanout}. */
  closeAndFanout(args?: HeadLifeArgs<'closeAndFanout'>): Promise<PayloadOf<'HeadIsFinalized'>>
  /** Contests the closing; nodes do so by themselves. See {@link contest}. */
  contest(args?: HeadLifeArgs<'contest'>): Promise<PayloadOf<'HeadIsContested'>>
  /** Gives up a head that is not open yet, on nodes before 2.0. See {@link abort}. */
  abort(args?: HeadLifeArgs<'abort'>): Promise<PayloadOf<'HeadIsAborted'>>
  /** Money of the wallet, or of an address; null before it is known. See {@link getBalance}. */
  getBalance(address?: string): HeadBalance | null
  /** Unspent outputs of the wallet, or of an address; null before they are known. See {@link getUtxos}. */
  getUtxos(args?: GetUtxosArgs): UTxO[] | null
  /** Calls back with the balance now and after each change; returns what ends that. See {@link watchBalance}. */
  watchBalance(callback: (balance: HeadBalance | null) => void, address?: string): () => void
  /** Calls back with the status now and after each change; returns what ends that. See {@link watchHead}. */
  watchHead(callback: (status: ClientStatus) => void): () => void
  /** Calls back for each step of every transaction; returns what ends that. See {@link watchTxs}. */
  watchTxs(callback: (tx: WatchedTx) => void): () => void
  /** Connection, head and node in one object. See {@link status}. */
  status(): ClientStatus
  /** A store of anything that is read from the client, for user interfaces. See {@link createStore}. */
  store<T>(selector: (client: HeadClient) => T): Store<T>
}

/**
 * A client of a head: open it, deposit, pay, withdraw, close, each in one line. It reconnects by itself; a `bridge` of your own is left as it
 * is configured.
 *
 * @throws {@link InvalidArgumentError}, {@link BridgeOptionsError}
 * @example
 * ```ts
 * import { createHeadClient } from 'layer-sdk/client'
 * import { startDevNode } from 'layer-sdk/devnode'
 * import { ChainCliWallet } from 'layer-sdk/wallet'
 *
 * const node = await startDevNode({ port: 0 })
 * const wallet = new ChainCliWallet({ networkId: 0, skey: node.keys[0].skey })
 * const head = createHeadClient({ url: node.url, wallet })
 * await head.connect()
 * await head.open()
 * console.log(head.status().headStatus) // Open
 * await head.disconnect()
 * await node.stop()
 * ```
 */
export function createHeadClient(options: HeadClientOptions): HeadClient {
  const context = createHeadContext(options)
  const client: HeadClient = {
    context,
    bridge: context.bridge,
    connect: (args) => connect(context, args),
    disconnect: () => disconnect(context),
    open: (args) => open(context, args),
    deposit: (args) => deposit(context, args),
    pay: (args) => pay(context, args),
    payMany: (args) => payMany(context, args),
    submit: (transaction, args) => submit(context, transaction, args),
    waitForTx: (txId, args) => waitForTx(context, txId, args),
    withdraw: (args) => withdraw(context, args),
    recover: (args) => recover(context, args),
    close: (args) => close(context, args),
    fanout: (args) => fanout(context, args),
    closeAndFanout: (args) => closeAndFanout(context, args),
    contest: (args) => contest(context, args),
    abort: (args) => abort(context, args),
    getBalance: (address) => getBalance(context, address),
    getUtxos: (args) => getUtxos(context, args),
    watchBalance: (callback, address) => watchBalance(context, callback, address),
    watchHead: (callback) => watchHead(context, callback),
    watchTxs: (callback) => watchTxs(context, callback),
    status: () => status(context),
    store: (selector) => createStore(context, bindSelector(selector, client))
  }
  return Object.freeze(client)
}

/**
 * What the actions work on, for programs that import single actions: a bundler leaves out the others.
 *
 * @throws {@link InvalidArgumentError}, {@link BridgeOptionsError}
 * @example
 * ```ts no-run
 * import { connect, createHeadContext, pay } from 'layer-sdk/client'
 *
 * const context = createHeadContext({ url: 'ws://127.0.0.1:4001', wallet })
 * await connect(context)
 * await pay(context, { to: 'addr_test1...', amount: 2_000_000n })
 * ```
 */
export function createHeadContext(options: HeadClientOptions): ClientContext {
  if (typeof options !== 'object' || options === null) throw new InvalidArgumentError('options', 'an object with url, connector, gateway or bridge', options)
  const given = ownEntries(options)
  const { wallet, expiresIn = DEFAULT_EXPIRES_IN_MS, network, onHandlerError = () => undefined } = given
  const ways = (['url', 'connector', 'gateway', 'bridge'] as const).filter((name) => given[name] !== undefined)
  if (ways.length !== 1)
    throw new InvalidArgumentError('options', 'exactly one of url, connector, gateway and bridge', ways.length === 0 ? 'none' : ways.join(', '))
  if (!(typeof expiresIn === 'number' && expiresIn >= 1_000)) throw new InvalidArgumentError('expiresIn', 'a number of milliseconds from 1000', expiresIn)
  if (network !== undefined && !(String(network).toUpperCase() in SLOT_CONFIG))
    throw new InvalidArgumentError('network', "'mainnet', 'preprod' or 'preview'", network)
  if (typeof onHandlerError !== 'function') throw new InvalidArgumentError('onHandlerError', 'a function', onHandlerError)
  const others = Object.keys(given).filter((name) => given.bridge !== undefined && !(OWN_OPTIONS as readonly string[]).includes(name))
  if (others.length > 0)
    throw new InvalidArgumentError('options', `${OWN_OPTIONS.slice(0, 4).join(', ')} beside bridge: others belong to the bridge itself`, others.join(', '))
  const bridge = given.bridge === undefined ? createBridge(given) : assertBridge(given.bridge)
  const context = new ClientContext({
    bridge,
    wallet: wallet == null ? null : assertWallet(wallet),
    expiresInMs: expiresIn,
    network: network ?? null,
    onHandlerError,
    partial: bridge.filtered === true
  })
  bridge.events.on('onTxProgress', ({ txId, state }) => {
    if (state === 'submitted') context.txs.onSubmitted(txId)
    else if (state === 'valid') context.txs.onValid(txId)
  })
  bridge.events.on('onLateConfirmation', ({ txId, snapshotNumber }) => context.txs.onLateConfirmation(txId, snapshotNumber))
  return context
}

/** Every option, before it is known which form they are of. */
interface AnyOptions extends CommonClientOptions {
  readonly url?: unknown
  readonly connector?: Connector
  readonly gateway?: GatewayAddress
  readonly bridge?: LayerBridge
}

// Own properties only: what somebody added to Object.prototype is no option.
function ownEntries(options: HeadClientOptions): AnyOptions {
  return Object.assign(Object.create(null) as object, options) as AnyOptions
}

function createBridge(given: AnyOptions): LayerBridge {
  const rest: Record<string, unknown> = { autoReconnect: true, reconnectInterval: RECONNECT_INTERVAL_MS, ...given }
  for (const name of OWN_OPTIONS) delete rest[name]
  if (given.gateway !== undefined) rest['connector'] = connectorOf(given.gateway)
  return new LayerBridge(rest as unknown as InitLayerBridgeOptions)
}

function connectorOf(gateway: GatewayAddress): GatewayConnector {
  if (typeof gateway !== 'object' || gateway === null) throw new InvalidArgumentError('gateway', '{ url, token }', gateway)
  const { url, token, socketIoOptions, ...options } = gateway
  const auth = token === undefined ? {} : { auth: { ...socketIoOptions?.auth, token } }
  return new GatewayConnector(url, { ...options, socketIoOptions: { ...socketIoOptions, ...auth } })
}

function bindSelector<T>(selector: (client: HeadClient) => T, client: HeadClient): () => T {
  assertFunction('selector', selector)
  return () => selector(client)
}

function assertBridge(bridge: LayerBridge): LayerBridge {
  if (typeof bridge?.getSnapshot === 'function' && typeof bridge.submitTxSync === 'function') return bridge
  throw new InvalidArgumentError('bridge', 'a LayerBridge', bridge)
}

function assertWallet(wallet: Wallet): Wallet {
  const missing = (['getChangeAddress', 'getAddresses', 'signTx'] as const).filter((name) => typeof wallet?.[name] !== 'function')
  if (missing.length === 0) return wallet
  throw new InvalidArgumentError('wallet', `a wallet with ${missing.join(', ')}: AppWallet, ChainCliWallet, EmbeddedWallet or walletFromCip30(api)`, wallet)
}
