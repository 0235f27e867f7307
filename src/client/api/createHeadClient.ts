import type { Connector, InitLayerBridgeOptions } from '../../bridge/inner.js'
import { BRIDGE_OPTION_NAMES, GatewayConnector, LayerBridge, assertFunction } from '../../bridge/inner.js'
import { SLOT_CONFIG } from '../../constants.js'
import type { OptionNames, RefuseOption } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { described } from '../../errors/base.js'
import { BridgeOptionsError } from '../../errors/bridge.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { addOldMethods, OLD_NAMES } from '../../errors/oldNames.js'
import type { Journal } from '../../types/journal.js'
import type { Logger } from '../../types/logger.js'
import type { Wallet } from '../../types/wallet.js'
import { connect, disconnect } from '../actions/connect.js'
import { consolidate } from '../actions/consolidate.js'
import { getTransaction } from '../actions/getTransaction.js'
import { pay } from '../actions/pay.js'
import { payments } from '../actions/payments.js'
import { payMany } from '../actions/payMany.js'
import { getBalance, getUtxos, status } from '../actions/read.js'
import { receipts } from '../actions/receipts.js'
import { submit } from '../actions/submit.js'
import { waitForPayment } from '../actions/waitForPayment.js'
import { waitForTx } from '../actions/waitForTx.js'
import { createStore, watchBalance, watchHead, watchTxs } from '../actions/watch.js'
import { createContext } from '../ClientContext.js'
import type { HeadContext } from '../HeadContext.js'
import { costLimits, DEFAULT_COSTS } from '../costs.js'
import { DEFAULT_EXPIRES_IN_MS } from '../limits.js'
import { withdrawPauseOf } from '../WithdrawTurns.js'
import { checkEvaluator } from '../checkEvaluator.js'
import type { HeadClient } from './HeadClient.js'
import type { CommonClientOptions, GatewayAddress, HeadClientOptions, StoreOverrun } from '../options.js'

export type { HeadClient }

/** Mean wait between two attempts to reconnect, ms. */
const RECONNECT_INTERVAL_MS = 1_000
/** Names of the options of the client itself, which are also allowed beside a caller's own `bridge`. */
const CLIENT_OPTIONS = [
  'wallet',
  'evaluator',
  'expiresIn',
  'withdrawPause',
  'peerUrls',
  'network',
  'maxFee',
  'maxMinLovelace',
  'onConnectError',
  'onOverrun',
  'onHandlerError',
  'journal',
  'onBeforeSend',
  'onSettled'
] as const
const OWN_OPTIONS = [...CLIENT_OPTIONS, 'bridge', 'gateway'] as const

/** Loads, on demand, the actions that a page that only pays does not need. */
const later = (): Promise<typeof import('./laterActions.js')> => import('./laterActions.js')

/**
 * Creates a client of a head: open it, deposit, pay, withdraw, close, each in one line. It reconnects by itself; a
 * `bridge` of your own keeps its configuration.
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
    open: async (args) => (await later()).open(context, args),
    deposit: async (args) => (await later()).deposit(context, args),
    pay: (args) => pay(context, args),
    payMany: (args) => payMany(context, args),
    consolidate: (args) => consolidate(context, args),
    evaluate: async (transaction, args) =>
      (await import('../actions/evaluate.js')).evaluate(context, transaction, args),
    newTx: async (args) => (await import('../actions/newTx.js')).newTx(context, args),
    submit: (transaction, args) => submit(context, transaction, args),
    // Pages without offers never load them.
    offer: async (transaction, args) => (await import('../actions/offer.js')).offer(context, transaction, args),
    inspectOffer: async (envelope) => (await import('../actions/acceptOffer.js')).inspectOffer(context, envelope),
    acceptOffer: async (envelope, args) =>
      (await import('../actions/acceptOffer.js')).acceptOffer(context, envelope, args),
    waitForTx: (txId, args) => waitForTx(context, txId, args),
    withdraw: async (args) => (await later()).withdraw(context, args),
    recover: async (args) => (await later()).recover(context, args),
    payments: (args) => payments(context, args),
    closeHead: async (args) => (await later()).closeHead(context, args),
    fanoutHead: async (args) => (await later()).fanoutHead(context, args),
    closeAndFanoutHead: async (args) => (await later()).closeAndFanoutHead(context, args),
    contest: async (args) => (await later()).contest(context, args),
    abortHead: async (args) => (await later()).abortHead(context, args),
    getBalance: (args) => getBalance(context, args),
    getUtxos: (args) => getUtxos(context, args),
    watchBalance: (args) => watchBalance(context, args),
    watchHead: (args) => watchHead(context, args),
    watchTxs: (args) => watchTxs(context, args),
    getTransaction: (txId, args) => getTransaction(context, txId, args),
    receipts: (args) => receipts(context, args),
    waitForPayment: (request, args) => waitForPayment(context, request, args),
    status: () => status(context),
    store: (selector) => createStore(context, bindSelector(selector, client)),
    [Symbol.asyncDispose]: () => disconnect(context)
  }
  addOldMethods(client, OLD_NAMES.client)
  return Object.freeze(client)
}

/**
 * Creates the state that the actions share, for programs that import single actions: a bundler leaves out the others.
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
export function createHeadContext(options: HeadClientOptions): HeadContext {
  if (typeof options !== 'object' || options === null)
    throw new InvalidArgumentError('options', 'an object with url, connector, gateway or bridge', options)
  const checkedOptions = readOptions<AnyOptions>(
    options,
    ALL_OPTIONS as unknown as OptionNames<AnyOptions>,
    'options',
    refuseOption
  )
  const {
    wallet,
    expiresIn = DEFAULT_EXPIRES_IN_MS,
    network,
    onConnectError = warnOf(checkedOptions),
    onOverrun = overrunWarning(checkedOptions.logger),
    onHandlerError = () => undefined,
    onBeforeSend,
    onSettled
  } = checkedOptions
  const ways = (['url', 'connector', 'gateway', 'bridge'] as const).filter((name) => checkedOptions[name] !== undefined)
  if (ways.length !== 1)
    throw new InvalidArgumentError(
      'options',
      'exactly one of url, connector, gateway and bridge',
      ways.length === 0 ? described('none') : described(ways.join(', '))
    )
  if (!(typeof expiresIn === 'number' && expiresIn >= 1_000))
    throw new InvalidArgumentError('expiresIn', 'a number of milliseconds from 1000', expiresIn)
  if (network !== undefined && !(String(network).toUpperCase() in SLOT_CONFIG))
    throw new InvalidArgumentError('network', "'mainnet', 'preprod' or 'preview'", network)
  if (typeof onHandlerError !== 'function')
    throw new InvalidArgumentError('onHandlerError', 'a function', onHandlerError)
  if (typeof onOverrun !== 'function') throw new InvalidArgumentError('onOverrun', 'a function', onOverrun)
  for (const [name, value] of Object.entries({ onBeforeSend, onSettled }))
    if (value != null && typeof value !== 'function') throw new InvalidArgumentError(name, 'a function', value)
  const costs = costLimits(checkedOptions, DEFAULT_COSTS)
  if (onConnectError !== false && typeof onConnectError !== 'function')
    throw new InvalidArgumentError('onConnectError', 'a function, or false', onConnectError)
  const others = Object.keys(checkedOptions).filter(
    (name) => checkedOptions.bridge !== undefined && !(OWN_OPTIONS as readonly string[]).includes(name)
  )
  if (others.length > 0)
    throw new InvalidArgumentError(
      'options',
      `${CLIENT_OPTIONS.join(', ')} beside bridge: others belong to the bridge itself`,
      described(others.join(', '))
    )
  const bridge =
    checkedOptions.bridge === undefined ? createBridge(checkedOptions) : assertBridge(checkedOptions.bridge)
  const context = createContext({
    bridge,
    wallet: wallet == null ? null : assertWallet(wallet),
    evaluator: checkEvaluator(checkedOptions.evaluator),
    expiresInMs: expiresIn,
    withdrawPause: withdrawPauseOf(checkedOptions),
    network: network ?? null,
    onConnectError: onConnectError === false ? () => undefined : onConnectError,
    onOverrun,
    onHandlerError,
    journal: checkedOptions.journal == null ? null : assertJournal(checkedOptions.journal),
    onBeforeSend: onBeforeSend ?? null,
    onSettled: onSettled ?? (() => undefined),
    partial: bridge.partial === true,
    costs
  })
  // Also where others have connected the bridge, and connect() is never called.
  if (checkedOptions.journal != null)
    context.connection.resumeFirst(async () => (await import('../once/resume.js')).resumeJournal(context))
  bridge.events.on('onConnected', () => context.connection.onConnected())
  bridge.observe({
    background: true,
    onMessage: (payload) => {
      context.ledger.partyWatch.onMessage(payload)
      if (payload.tag === 'DecommitFinalized') context.ledger.withdrawals.noteFinal()
    },
    onTx: (txId, tx) => context.txs.onTxState(txId, tx)
  })
  return context
}

/** All options, before it is known which form of {@link HeadClientOptions} they have. */
interface AnyOptions extends CommonClientOptions {
  readonly url?: unknown
  readonly connector?: Connector
  readonly gateway?: GatewayAddress
  readonly bridge?: LayerBridge
  readonly logger?: Logger | undefined
}

/** Logs why the node was not reached, for a caller that gave no `onConnectError`. */
function warnOf({ logger }: AnyOptions): (error: Error) => void {
  const target = logger ?? console
  return (error) =>
    target.warn(
      `[layer-client] ${error.message}\n- The client goes on trying (option onConnectError; connect({ wait: false }) does not)`
    )
}

/** Writes to the option `logger` that a bounded store has dropped entries. */
function overrunWarning(logger: Logger | undefined): (overrun: StoreOverrun) => void {
  return ({ store, limit, dropped }) =>
    logger?.warn(
      `[layer-client] The store "${store}" keeps ${limit} entries; ${dropped} older ones were dropped (option onOverrun)`
    )
}

const ALL_OPTIONS = {
  ...(Object.fromEntries(OWN_OPTIONS.map((name) => [name, true])) as Record<string, true>),
  ...BRIDGE_OPTION_NAMES
}
const refuseOption: RefuseOption = (option, expected, got) => new BridgeOptionsError(option, expected, got)

function createBridge(options: AnyOptions): LayerBridge {
  const rest: Record<string, unknown> = { autoReconnect: true, reconnectInterval: RECONNECT_INTERVAL_MS, ...options }
  for (const name of OWN_OPTIONS) delete rest[name]
  if (options.gateway !== undefined) rest['connector'] = connectorOf(options.gateway)
  return new LayerBridge(rest as unknown as InitLayerBridgeOptions)
}

function connectorOf(gateway: GatewayAddress): GatewayConnector {
  if (typeof gateway !== 'object' || gateway === null)
    throw new InvalidArgumentError('gateway', '{ url, token }', gateway)
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

function assertJournal(journal: Journal): Journal {
  if (typeof journal.put === 'function' && typeof journal.all === 'function') return journal
  throw new InvalidArgumentError(
    'journal',
    'a journal with put and all: fileJournal(path), indexedDbJournal(name) or redisJournal(url) of layer-sdk/journal',
    journal
  )
}

function assertWallet(wallet: Wallet): Wallet {
  const missing = (['getChangeAddress', 'getAddresses', 'signTx'] as const).filter(
    (name) => typeof wallet?.[name] !== 'function'
  )
  if (missing.length === 0) return wallet
  throw new InvalidArgumentError(
    'wallet',
    `a wallet with ${missing.join(', ')}: AppWallet, ChainCliWallet, EmbeddedWallet or walletFromCip30(api)`,
    wallet
  )
}
