import type { LayerBridge } from '../bridge/inner.js'
import type { NetworkName } from '../constants.js'
import type { Journal } from '../types/journal.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { ScriptEvaluator } from '../types/scriptEvaluator.js'
import type { Wallet } from '../types/wallet.js'
import type { BeforeSend } from './beforeSend.js'
import { CallerCallbacks } from './CallerCallbacks.js'
import type { CallbackOptions } from './CallerCallbacks.js'
import { ChangeFeed } from './ChangeFeed.js'
import { unspentAt } from './confirmedOutputs.js'
import type { CostLimits } from './costs.js'
import { HeadConnection } from './HeadConnection.js'
import type { HeadContext } from './HeadContext.js'
import { HeadLedger } from './HeadLedger.js'
import type { StoreOverrun } from './options.js'
import { OwnTxs } from './OwnTxs.js'
import { PaymentRecords } from './PaymentRecords.js'
import { PendingView } from './PendingView.js'
import { SettledEnds } from './SettledEnds.js'
import type { SettledTx } from './types.js'
import { WalletAccount } from './WalletAccount.js'
import type { WithdrawPause } from './WithdrawTurns.js'

/** Settings of a client, for its whole life. */
export interface ClientSettings {
  /** Time during which a transaction can be confirmed after it was built, ms. */
  readonly expiresInMs: number
  /** True when an address filter hides the outputs of other addresses. */
  readonly partial: boolean
  /** Limits of fees and added lovelace, beyond the amounts that the caller states. */
  readonly costs: CostLimits
  /** Runs Plutus scripts where a call names no evaluator; null: none. */
  readonly evaluator: ScriptEvaluator | null
  /** Called before each transaction is sent; null: not called. */
  readonly onBeforeSend: BeforeSend | null
}

/** Options that a context is made from. */
export interface ContextOptions extends ClientSettings, CallbackOptions {
  /** The connection. */
  readonly bridge: LayerBridge
  /** The wallet; null for a client that only watches. */
  readonly wallet: Wallet | null
  /** Pause, or comparison with the other parties' nodes, between a final decommit and the next one. */
  readonly withdrawPause: WithdrawPause
  /** Network of the base ledger, for its slots; null: not known. */
  readonly network: NetworkName | null
  /** Keeps payments that have ids beyond the process; null: they are kept for the life of the client. */
  readonly journal: Journal | null
  /** Called with the end of a payment that has an id and that no call waits for. */
  readonly onSettled: (settled: SettledTx & { readonly id: string }) => void
  /** Called when a bounded store drops entries. */
  readonly onOverrun: (overrun: StoreOverrun) => void
}

/**
 * The parts that all actions of one head client share, grouped by lifetime: those of the client, the wallet, the head
 * and the connection.
 */
export interface ClientContext extends HeadContext {
  /** The connection, and the head's confirmed state. */
  readonly bridge: LayerBridge
  /** Settings of the client. */
  readonly settings: ClientSettings
  /** Callbacks of the caller. */
  readonly callbacks: CallerCallbacks
  /** Changes of the head, the connection and the pending view. */
  readonly changes: ChangeFeed
  /** The wallet and its addresses. */
  readonly account: WalletAccount
  /** The successive connections to the node, and the actions that wait for one. */
  readonly connection: HeadConnection
  /** Parameters, slots and parties of the head. */
  readonly ledger: HeadLedger
  /** The head's outputs as they will be once the client's own transactions are confirmed. */
  readonly view: PendingView
  /** Transactions of this client that are not settled. */
  readonly txs: OwnTxs
  /** How recent transactions ended, oldest first. */
  readonly settled: SettledEnds
}

/**
 * Returns the client's parts behind the opaque context that callers pass to actions.
 *
 * @throws {@link InvalidArgumentError} on an object that is not a context
 */
export function contextParts(context: HeadContext): ClientContext {
  const parts = context as ClientContext | null | undefined
  if (typeof parts?.settings === 'object' && typeof parts.view === 'object') return parts
  throw new InvalidArgumentError('context', 'head.context, or the result of createHeadContext()', context)
}

/** Creates the parts of a client's context. */
export function createContext(options: ContextOptions): ClientContext {
  const { bridge, wallet, network, withdrawPause, expiresInMs, partial, costs, evaluator, onBeforeSend } = options
  const callbacks = new CallerCallbacks(options)
  const changes = new ChangeFeed(bridge)
  const onChange = (): void => changes.announce()
  const records = new PaymentRecords({
    journal: options.journal,
    onSettled: (settled) => callbacks.invokeSafely('onSettled', () => options.onSettled(settled)),
    onJournalError: (error) => callbacks.invokeSafely('journal', () => Promise.reject(error))
  })
  const account = new WalletAccount(bridge, wallet, records, onChange)
  const connection = new HeadConnection(bridge, changes, () => account.forgetRequest())
  const addresses = (): readonly string[] | null => account.addresses
  const ledger = new HeadLedger({ bridge, network, withdrawPause, addresses, onChange })
  const view = new PendingView({
    utxos: (address) => unspentAt(bridge, address),
    largest: (address, unit, limit) => bridge.getAddressUTxOs(address, { unit, limit, order: 'largest' }),
    isArriving: (ref) => bridge.isArriving(ref),
    isUnspent: (ref) => bridge.isUnspent(ref)
  })
  const settled = new SettledEnds((overrun) => callbacks.invokeSafely('onOverrun', () => options.onOverrun(overrun)))
  const txs = new OwnTxs({
    bridge,
    view,
    history: connection.history,
    get connections() {
      return connection.count
    },
    slotAt: (timeMs) => ledger.slotAt(timeMs),
    changed: onChange,
    subscribe: (listener) => changes.subscribe(listener),
    remember: (end) => settled.remember(end),
    forget: (txId) => settled.forget(txId)
  })
  const settings = Object.freeze({ expiresInMs, partial, costs, evaluator, onBeforeSend })
  return { bridge, settings, callbacks, changes, account, connection, ledger, view, txs, settled }
}
