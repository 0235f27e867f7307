import { hexToBytes } from '../codec/hex.js'
import type { Amount, UTxO } from '../types/utxo.js'
import type { BaseRequest, BaseRpcConnection } from './serve/api/baseApi.js'
import { BaseEndpoints } from './serve/api/BaseEndpoints.js'
import type { Client, ClientSink, HubListener } from './party/clientHub.js'
import type { Counters } from './party/counters.js'
import type { DevNodeFaults } from './settings/faults.js'
import type { DevAccounts } from './settings/accounts.js'
import { fundBase } from './chain/fundBase.js'
import { headStatus } from './wire/json/greetings.js'
import type { DevNodeReply, DevNodeRequest } from './serve/api/DevNodeReply.js'
import { DevNodeParty } from './DevNodeParty.js'
import { changeDrift } from './party/changeDrift.js'
import { runContest } from './party/runTask.js'
import { assertCloseCode } from './serve/api/closeCode.js'
import { fundAtStart, fundedAccounts } from './fundAtStart.js'
import { JsonText, type JsonValue, toJson } from './json/jsonText.js'
import type { FundedKeys } from './settings/keys.js'
import { LoopbackConnector, type LoopbackOptions } from './serve/api/loopbackConnector.js'
import { clientMessageText } from './wire/json/clientMessages.js'
import { currentSlot } from './chain/chainTime.js'
import type { BaseListener } from './chain/baseLedger.js'
import { assertDurable } from './chain/Durability.js'
import { followParty } from './party/followParty.js'
import { submitBaseTx } from './deposits/submitBaseTx.js'
import type { LocalHead, Party } from './party/Party.js'
import { createLocalHead } from './wiring.js'
import type { DevNodeOptions, ListeningAddress } from './settings/options.js'
import type { ResolvedTimings } from './settings/timings.js'
import type { DevNodeProfile } from './settings/profiles.js'
import { ControlledNode } from './serve/control/ControlledNode.js'
import type { NodeControl } from './serve/control/NodeControl.js'
import type { DevNodeEndpoints } from './serve/control/status.js'
import { prepareTx } from './rules/preparedTx.js'

/**
 * A local head node: head, layer-two ledger and simulated base ledger in one object without any socket.
 * {@link startDevNode} puts it on a port; {@link DevNode.connector} hands a `LayerBridge` a way to it inside the same
 * process.
 *
 * @example
 * ```ts
 * import { LayerBridge } from 'layer-sdk/bridge'
 * import { DevNode } from 'layer-sdk/devnode'
 * const node = new DevNode()
 * const bridge = new LayerBridge({ connector: node.connector() })
 * await bridge.connect()
 * await bridge.commands.initSync()
 * console.log(bridge.headStatus) // Open
 * await bridge.disconnect()
 * await node.stop()
 * ```
 */
export class DevNode extends ControlledNode {
  /** Faults that the node commits on demand; set its members at any time. */
  readonly faults: DevNodeFaults
  /** Counts of inputs, requests and connections. */
  readonly counters: Counters
  /** Test keys, at least three; those of the option `testKeys` are funded on the base ledger. */
  readonly keys: FundedKeys
  /** Recovery phrase of the accounts: for tests only. */
  readonly phrase: string
  /**
   * Accounts of {@link phrase}, at least ten; the option `accounts` says how many are funded on the base ledger. Empty
   * on network 1 (mainnet) unless the option `phrase` is given.
   */
  readonly accounts: DevAccounts
  /** Parties of the head, each a node of its own; the first is this one. */
  readonly parties: readonly DevNodeParty[]
  readonly #local: LocalHead
  readonly #party: Party
  readonly #ownParty: DevNodeParty
  readonly #baseEndpoints: BaseEndpoints
  #control: Promise<NodeControl> | null = null

  /**
   * `forkedHeadId` is internal: the head that this one starts from. @throws {@link InvalidArgumentError} @throws
   * {@link InvalidAddressError}
   */
  constructor(options: DevNodeOptions = {}, forkedHeadId: string | null = null) {
    super()
    // JavaScript callers pass null for omitted members.
    const from = (options as DevNodeOptions | null) ?? {}
    this.#local = createLocalHead(from, (party) => this.listensOn(party), forkedHeadId)
    const { node, parties } = this.#local
    const publicParty = (each: Party): DevNodeParty =>
      new DevNodeParty(each, (scheme) => this.partyUrl(each.index, scheme))
    this.#party = node
    this.parties = parties.map(publicParty)
    this.#ownParty = this.parties[node.index]!
    this.#baseEndpoints = new BaseEndpoints(node)
    this.faults = node.faults
    this.counters = node.counters
    this.phrase = node.chain.options.phrase
    const { keys, accounts } = fundAtStart(node)
    this.keys = keys
    this.accounts = accounts
  }

  /** Status of the head, as Greetings shows it. */
  get headStatus(): string {
    return headStatus(this.#party.runtime.state.head)
  }

  /** Id of the head, or `null`. */
  get headId(): string | null {
    const { head } = this.#party.runtime.state
    return head.status === 'Idle' ? null : head.head.headId
  }

  /** The node's layer-two protocol parameters, as GET /protocol-parameters gives them. */
  get protocolParameters(): Readonly<Record<string, unknown>> {
    return this.#local.chain.protocolParameters
  }

  /** Node version that the local head poses as. */
  get profile(): DevNodeProfile {
    return this.#local.chain.options.profile
  }

  /** Current slot of the base ledger. */
  get slot(): number {
    return currentSlot(this.#local.chain)
  }

  /** True where a URL query that cannot be decoded is ignored instead of ending the connection. */
  get toleratesMalformedQueries(): boolean {
    return this.#ownParty.toleratesMalformedQueries
  }

  /** Durations of the node's steps, ms. */
  get timings(): ResolvedTimings {
    return this.#ownParty.timings
  }

  /**
   * Puts an output for each lovelace quantity, or for each list of amounts, on the base ledger at an address.
   *
   * @throws {@link InvalidAddressError} @throws {@link InvalidArgumentError} when the address is of another network or
   * an output is not an amount.
   */
  fund(address: string, ...outputs: readonly (bigint | readonly Amount[])[]): UTxO[] {
    return fundBase(address, outputs, this.#local.chain)
  }

  /** Returns the unspent outputs of the base ledger at an address, or all of them. */
  baseUtxos(address?: string): UTxO[] {
    return this.#local.chain.base.find(({ output }) => address == null || output.address === address)
  }

  /** Returns the unspent outputs in the head after every valid transaction, whether confirmed or not. */
  headUtxos(address?: string): UTxO[] {
    return this.#ownParty.headUtxos(address)
  }

  /**
   * Submits a signed transaction (CBOR hex) to the base ledger. Resolves with the reasons for its refusal, none when it
   * was accepted.
   *
   * @throws {@link InvalidHexError} @throws {@link InvalidCborError} when it is not a transaction (as rejections).
   */
  async submitBaseTx(cborHex: string): Promise<readonly string[]> {
    return submitBaseTx(prepareTx(hexToBytes(cborHex, 'cborHex')), this.#party)
  }

  /** Makes the node lag behind the chain by some seconds; 0 lets it catch up. @throws {@link InvalidArgumentError} */
  setDrift(driftSeconds: number): void {
    changeDrift(driftSeconds, this.#party)
  }

  /** Drops the head without a message, as a node does that starts on an empty folder; its outputs are lost. */
  abandonHead(): void {
    this.#local.head.network.reset()
    for (const { runtime } of this.#local.parties) runtime.abandonHead()
  }

  /** Makes a party contest the closed head: the deadline moves by a contestation period. */
  contest(): void {
    runContest(this.#party)
  }

  /** Sends a text, or bytes as a binary frame, to all clients unchanged. */
  inject(message: string | Uint8Array): void {
    this.#party.hub.inject(message)
  }

  /** Sends all clients CommandFailed, as the failed `input` of a different client would cause it. */
  foreignCommandFailed(input: JsonValue = { tag: 'Close' }): void {
    this.#party.hub.inject(
      clientMessageText({ tag: 'CommandFailed', inputTag: '', echo: new JsonText(toJson(input)) }, this.#party)
    )
  }

  /**
   * Ends all connections with a close code, or without a close frame, as a broken line does, when none is given.
   * @throws {@link InvalidArgumentError} on a code that no close frame can carry.
   */
  dropConnections(code?: number): void {
    this.#party.hub.closeAll(assertCloseCode(code))
  }

  /** Connects a client: `query` is the query of its URL, `sink` receives the node's messages. */
  open(query: string, sink: ClientSink): Client {
    return this.#ownParty.open(query, sink)
  }

  /** Disconnects a client. */
  leave(client: Client): void {
    this.#ownParty.leave(client)
  }

  /** Handles a client's message: text, or the bytes of a binary frame (text too, unless the client uses CBOR). */
  receive(client: Client, message: string | Uint8Array): void {
    this.#ownParty.receive(client, message)
  }

  /** Answers a request to the node's HTTP API. */
  async request(request: DevNodeRequest): Promise<DevNodeReply> {
    return this.#ownParty.request(request)
  }

  /**
   * @internal Resolves when all that has happened until now is on disk, if the state is kept there. @throws
   * {@link DevNodeStateError} (as a rejection)
   */
  async committed(): Promise<void> {
    return assertDurable(this.#local.chain.durability)
  }

  /** Answers a request to the base ledger's HTTP interfaces, as `startDevNode` does on `rpcPort`. */
  async baseRequest(request: BaseRequest): Promise<DevNodeReply> {
    return this.#baseEndpoints.request(request)
  }

  /** Returns the page of the dashboard, which `startDevNode` serves on `rpcPort` too. @internal */
  async dashboard(method: string): Promise<DevNodeReply> {
    const { dashboardReply } = await import('./serve/api/dashboard.js')
    const { keys, accounts } = this
    const [{ port }, { controlUrl }] = [this.listensOn(this.#party.index), this.endpoints()]
    return dashboardReply({ ...this.#local.chain.options, keys, accounts, port, controlUrl }, method)
  }

  /** Opens a connection to the base ledger's JSON-RPC, as a WebSocket is one. @internal */
  async openBaseRpc(): Promise<BaseRpcConnection> {
    return this.#baseEndpoints.openRpc()
  }

  /** @internal Calls `listener` when the state of the node has been replaced. */
  onReplaced(listener: () => void): void {
    this.#party.hub.onBreak((why) => why === 'replaced' && listener())
  }

  /** Follows the node's messages and its base ledger's transactions; the returned function ends it. @internal */
  follow(onMessage: HubListener, onBaseTx: BaseListener): () => void {
    return followParty(this.#party, onMessage, onBaseTx)
  }

  /** Returns a connector to this node for `new LayerBridge({ connector })`, without sockets. */
  connector(options: LoopbackOptions = {}): LoopbackConnector {
    return new LoopbackConnector(this, options)
  }

  /** Stops every timer and ends all connections; a later connection is ended at once. */
  override async stop(): Promise<void> {
    const { chain, parties } = this.#local
    chain.timers.stop()
    chain.scripts?.stop()
    for (const { hub } of parties) hub.stop()
  }

  /** @internal */
  protected override control(): Promise<NodeControl> {
    return (this.#control ??= import('./serve/control/NodeControl.js').then(({ NodeControl }) => {
      return new NodeControl(this.#local, {
        accounts: fundedAccounts(this),
        endpoints: () => this.endpoints(),
        partyUrl: (party) => this.partyUrl(party, 'ws')
      })
    }))
  }

  /** @internal URLs of the node: none without a socket. */
  protected endpoints(): DevNodeEndpoints {
    return { url: null, httpUrl: null, rpcUrl: null, indexerUrl: null, kupoUrl: null, controlUrl: null }
  }

  /** @internal URL of a party: none without a socket. */
  protected partyUrl(_party: number, _scheme: 'ws' | 'http'): string | null {
    return null
  }

  /** @internal Address that GET /config shows for the API. */
  protected listensOn(party: number): ListeningAddress {
    return { host: '127.0.0.1', port: 4001 + party }
  }
}
