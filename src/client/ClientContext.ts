import { parseAddress } from '../codec/address.js'
import type { LayerBridge } from '../bridge/LayerBridge.js'
import { NETWORK_ID, SLOT_CONFIG } from '../constants.js'
import type { NetworkName } from '../constants.js'
import { isLayerError } from '../errors/base.js'
import { HeadStateError, NodeUnsyncedError, WalletMissingError } from '../errors/client.js'
import { BridgeDisconnectedError, NotConnectedError } from '../errors/bridge.js'
import { now } from '../net/timers.js'
import { unknownRuleError } from '../errors/verification.js'
import { txParametersFromProtocol } from '../tx/parameters.js'
import type { TxParameters } from '../tx/parameters.js'
import type { ScriptEvaluator } from '../types/scriptEvaluator.js'
import type { UTxO } from '../types/utxo.js'
import type { Wallet } from '../types/wallet.js'
import type { HeadInFlight } from '../bridge/txs/inFlight.js'
import { BaseOutputs } from './BaseOutputs.js'
import type { CostLimits } from './costs.js'
import type { Deadline } from './deadline.js'
import { deferred } from './deferred.js'
import { HistoryLooks } from './HistoryLooks.js'
import { isVerifying } from './ownTx.js'
import { OwnTxs } from './OwnTxs.js'
import { PendingView } from './PendingView.js'
import type { Spendable } from './PendingView.js'
import { MAX_DEPTH } from './limits.js'
import { SettledEnds } from './SettledEnds.js'
import type { SettledTx, StoreOverrun } from './types.js'
import { RunningActions } from './RunningActions.js'
import { WalletAddresses } from './WalletAddresses.js'
import { WithdrawTurns } from './WithdrawTurns.js'

/** What the context is made from. */
export interface ContextOptions {
  /** The connection. */
  readonly bridge: LayerBridge
  /** Null: a client that watches. */
  readonly wallet: Wallet | null
  /** Runs Plutus scripts; null: none. */
  readonly evaluator: ScriptEvaluator | null
  /** How long a transaction can be confirmed after it was built, ms. */
  readonly expiresInMs: number
  /** Wait between a decommit that is final and the next one, ms. */
  readonly withdrawPauseMs: number
  /** Network of the base ledger, for its slots; null: not known. */
  readonly network: NetworkName | null
  /** Whether an address filter leaves out outputs of others. */
  readonly partial: boolean
  /** What transactions may cost beyond what the caller states. */
  readonly costs: CostLimits
  /** Gets the first failure of a `connect()` that goes on trying. */
  readonly onConnectError: (error: Error) => void
  /** Called when a bounded store drops entries. */
  readonly onOverrun: (overrun: StoreOverrun) => void
  /** Gets what a callback of the caller's has thrown. */
  readonly onHandlerError: (error: unknown, callback: string) => void
}

/** After GET /head has failed, it is not asked for the parties again for so long, ms. */
const PARTIES_RETRY_MS = 10_000

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
  /** Runs Plutus scripts where a call names no evaluator; null: none. */
  readonly evaluator: ScriptEvaluator | null
  /** How long a transaction can be confirmed after it was built, ms. */
  readonly expiresInMs: number
  /** Whether an address filter leaves out outputs of others. */
  readonly partial: boolean
  /** What transactions may cost beyond what the caller states. */
  readonly costs: CostLimits
  /** Outputs of the base ledger that deposits have chosen. */
  readonly base: BaseOutputs = new BaseOutputs()
  /** The head's outputs as they will be once the client's own transactions are confirmed. */
  readonly view: PendingView
  /** Transactions of this client that are not settled. */
  readonly txs: OwnTxs
  /** The order of its withdrawals. */
  readonly withdrawals: WithdrawTurns
  /** Looks for transactions in the node's history. */
  readonly history: HistoryLooks
  /** How recent transactions ended, oldest first. */
  readonly settled: SettledEnds
  readonly #network: NetworkName | null
  readonly #onHandlerError: ContextOptions['onHandlerError']
  readonly #onConnectError: ContextOptions['onConnectError']
  readonly #changes = new Set<() => void>()
  readonly #addresses: WalletAddresses
  readonly #running: RunningActions
  #parameters: { readonly key: string; readonly value: Promise<TxParameters> } | null = null
  #parties: { readonly headId: string | null; readonly vkeys: readonly string[] } | null = null
  #partiesAsked: { readonly headId: string | null; readonly vkeys: Promise<string[]> } | null = null
  /** The node did not tell the parties: whoever reads the status does not ask it again and again. */
  #partiesFailed: { readonly headId: string | null; readonly at: number } | null = null
  #stopBridge: (() => void) | null = null
  #announced = true
  #connections = 0
  #reconnected = deferred<void>()
  #inFlight: { readonly connection: number; readonly answer: Promise<HeadInFlight | null> } | null = null

  constructor(options: ContextOptions) {
    this.bridge = options.bridge
    this.wallet = options.wallet
    this.evaluator = options.evaluator
    this.expiresInMs = options.expiresInMs
    this.partial = options.partial
    this.costs = options.costs
    this.#network = options.network
    this.#onHandlerError = options.onHandlerError
    this.#onConnectError = options.onConnectError
    this.settled = new SettledEnds((overrun) => this.invokeSafely('onOverrun', () => options.onOverrun(overrun)))
    this.view = new PendingView({
      utxos: (address) => this.#unspentAt(address),
      isUnspent: (ref) => this.bridge.isUnspent(ref)
    })
    this.#addresses = new WalletAddresses(() => this.changed())
    this.#running = new RunningActions(this.bridge, () => this.#addresses.forgetRequest())
    this.history = new HistoryLooks(this)
    this.txs = new OwnTxs(this)
    this.withdrawals = new WithdrawTurns(this, options.withdrawPauseMs)
  }

  /** The wallet, for an action that needs one. @throws {@link WalletMissingError} */
  walletFor(action: string): Wallet {
    if (this.wallet === null) throw new WalletMissingError(action)
    return this.wallet
  }

  /** The wallet's addresses; null until the wallet has named them. */
  get addresses(): readonly string[] | null {
    return this.#addresses.known
  }

  /**
   * Asks the wallet for its addresses. See {@link WalletAddresses.load}. @throws {@link WalletFailedError},
   * {@link InvalidArgumentError}
   */
  loadAddresses(wallet: Wallet): Promise<readonly string[]> {
    return this.#addresses.load(wallet)
  }

  /**
   * Compares networks. @throws {@link InvalidAddressError} when the wallet is on another network than the head: it
   * would seem to hold nothing
   */
  assertHeadNetwork(addresses: readonly string[]): void {
    this.bridge.getAddressBalance(addresses[0]!)
  }

  /**
   * The head's own parameters, asked once per head and version of its node. @throws what
   * `bridge.getProtocolParameters()` rejects with
   */
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
    const isDue = this.#partiesFailed?.headId !== headId || now() - this.#partiesFailed.at >= PARTIES_RETRY_MS
    if (headId !== null && state === 'connected' && isDue) void this.loadParties().catch(() => undefined)
    return null
  }

  /**
   * Asks the node for the head's parties, once per head. Hydra verification keys: hex. @throws what `bridge.headInfo()`
   * rejects with
   */
  async loadParties(): Promise<string[]> {
    const { headId } = this.bridge.getSnapshot()
    if (this.#parties?.headId !== headId) {
      if (this.#partiesAsked?.headId !== headId) {
        const vkeys = this.bridge.headInfo().then(
          ({ parties }) => parties.map(({ vkey }) => vkey),
          (error: unknown) => {
            // Nodes and gateways without the route do not tell.
            if (
              isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR') ||
              isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_NODE')
            )
              return []
            this.#partiesAsked = null
            this.#partiesFailed = { headId, at: now() }
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

  /** Whether the bridge verifies what the parties sign. */
  get verifies(): boolean {
    return isVerifying(this)
  }

  /**
   * With the option `verify` waits until the verified outputs show something.
   *
   * @returns whether they do; false at once without the option
   */
  async untilVerified(shows: () => boolean, deadline: Deadline, what: string): Promise<boolean> {
    while (this.verifies && !shows()) await deadline.race(this.nextChange(), what)
    return this.verifies
  }

  /**
   * Ends an action with the connection. See {@link RunningActions.add}. @throws the error, when the connection has
   * ended already
   */
  endWithConnection(deadline: Deadline, error: () => Error): void {
    this.#running.add(deadline, error)
  }

  /** Number of connections so far. */
  get connections(): number {
    return this.#connections
  }

  /** The next connection stands. */
  onConnected(): void {
    this.#connections++
    this.#reconnected.resolve()
    this.#reconnected = deferred()
  }

  /** Resolves with the next connection. */
  nextConnection(): Promise<void> {
    return this.#reconnected.promise
  }

  /** What the node holds unconfirmed, asked once for each connection; null where it does not tell. */
  inFlight(): Promise<HeadInFlight | null> {
    if (this.#inFlight?.connection !== this.#connections)
      this.#inFlight = { connection: this.#connections, answer: this.bridge.inFlight().catch(() => null) }
    return this.#inFlight.answer
  }

  /**
   * Waits for the connection while the client makes one. From then on the action ends with it, as
   * {@link BridgeDisconnectedError}.
   *
   * @throws {@link NotConnectedError} when it makes none
   */
  async connected(action: string, deadline: Deadline): Promise<void> {
    const notConnected = (): Error => new NotConnectedError(action)
    this.endWithConnection(deadline, notConnected)
    for (;;) {
      const { state } = this.bridge.getSnapshot()
      if (state === 'connected') break
      if (state !== 'connecting' && state !== 'reconnecting') throw notConnected()
      await deadline.race(this.nextChange(), 'the connection')
    }
    this.endWithConnection(deadline, () => new BridgeDisconnectedError(action))
  }

  /** Whether the connection stands, the head is open and its outputs are known. */
  get isReady(): boolean {
    const { state, seeded, headStatus, chainSynced } = this.bridge.getSnapshot()
    return state === 'connected' && seeded && (headStatus === null || headStatus === 'Open') && chainSynced !== false
  }

  /**
   * Waits until the connection stands and the head's outputs are known, and checks that the head is open.
   *
   * @throws {@link HeadStateError}, {@link NodeUnsyncedError}, {@link NotConnectedError}; with `verify`
   * {@link VerificationError} of a node that is too new
   */
  async ready(action: string, deadline: Deadline): Promise<void> {
    for (;;) {
      await this.connected(action, deadline)
      const { seeded, headStatus, chainSynced, unknownRule } = this.bridge.getSnapshot()
      if (headStatus !== null && headStatus !== 'Open') throw new HeadStateError(action, headStatus, ['Open'])
      if (chainSynced === false) throw new NodeUnsyncedError(action)
      if (unknownRule !== undefined && !seeded) throw unknownRuleError(unknownRule)
      if (seeded) return
      await deadline.race(this.nextChange(), "the head's state")
    }
  }

  /**
   * Slots of the head's ledger; null where neither the node nor the network is known to define it. `zeroTime` (ms since
   * the Unix epoch) is the start of `zeroSlot`; `slotLength`: ms.
   */
  get slotConfig(): { readonly zeroTime: number; readonly zeroSlot: number; readonly slotLength: number } | null {
    const zeroTime = this.bridge.slotZeroTimestamp
    // A head takes its slots from the base ledger: one second each.
    if (zeroTime !== null) return { zeroTime, zeroSlot: 0, slotLength: 1_000 }
    const network = this.#network ?? this.#networkOfAddresses()
    return network === null ? null : SLOT_CONFIG[network.toUpperCase() as keyof typeof SLOT_CONFIG]
  }

  /**
   * Slot of the head's ledger at a time; null where neither the node nor the network is known to define it. `timeMs`:
   * ms since the Unix epoch.
   */
  slotAt(timeMs: number): number | null {
    const config = this.slotConfig
    return config === null ? null : config.zeroSlot + Math.floor((timeMs - config.zeroTime) / config.slotLength)
  }

  /**
   * Unspent outputs of the wallet, as they are or will be; null before they are known. @throws
   * {@link InvalidAddressError}
   */
  walletUtxos(view: 'confirmed' | 'pending', addresses: readonly string[]): UTxO[] | null {
    if (view === 'pending') return this.view.spendable(addresses)?.map(({ utxo }) => utxo) ?? null
    const found: UTxO[] = []
    for (const address of addresses) {
      const utxos = this.#unspentAt(address)
      if (utxos === null) return null
      found.push(...utxos)
    }
    return found
  }

  /** Outputs of an address that can be spent: those of a pending deposit cannot. */
  #unspentAt(address: string): UTxO[] | null {
    return (
      this.bridge
        .getAddressUTxOs(address)
        ?.filter(({ input }) => !this.bridge.isArriving(`${input.txHash}#${input.index}`)) ?? null
    )
  }

  /** Whether outputs are kept back that may be free once what is in flight has settled. */
  isHeldBack(spendable: readonly Spendable[]): boolean {
    if (spendable.some(({ depth }) => depth >= MAX_DEPTH) || this.view.isHolding) return true
    for (const { offered } of this.view.pending) if (!offered) return true
    return false
  }

  /**
   * Calls `listener` after a change of the head, the connection or the pending view. Several changes of one task are
   * one call.
   */
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

  /** Tells that the first attempt of a `connect()` has failed while the client goes on trying. */
  onConnectError(error: Error): void {
    this.invokeSafely('onConnectError', () => this.#onConnectError(error))
  }

  /** Notes how a transaction ended. */
  remember(settled: SettledTx): void {
    this.settled.remember(settled)
  }

  /** A transaction with this id is sent again: how it ended before says nothing. */
  forget(txId: string): void {
    this.settled.forget(txId)
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
    const [address] = this.addresses ?? []
    // A test address may be of preprod, preview or a local network.
    return address !== undefined && parseAddress(address).networkId === NETWORK_ID.MAINNET ? 'mainnet' : null
  }
}
