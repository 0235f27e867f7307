import { bytesToHex } from '../codec/hex.js'
import { type OptionNames, readOptions } from '../codec/options.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { UTxO } from '../types/utxo.js'
import type { Client, ClientSink } from './party/clientHub.js'
import type { DevNodeReply, DevNodeRequest } from './serve/api/DevNodeReply.js'
import { answerHttp, receiveMessage } from './serve/api/nodeApi.js'
import type { Counters } from './party/counters.js'
import type { DevNodeFaults } from './settings/faults.js'
import type { PartySettings } from './party/PartyNetwork.js'
import type { Party } from './party/Party.js'
import type { ResolvedTimings } from './settings/timings.js'

const SETTINGS: OptionNames<Partial<PartySettings>> = { silent: true, signDelayMs: true, closeWithOld: true }
const MAX_DELAY_MS = 2_147_483_647

/**
 * A party of the local head: a node of its own, with its key, its history and its local ledger. The first is the node
 * itself.
 *
 * @example
 * ```ts
 * import { startDevNode } from 'layer-sdk/devnode'
 *
 * const node = await startDevNode({ port: 0, rpcPort: 0, parties: 2 })
 * const [, second] = node.parties
 * second!.set({ silent: true })
 * console.log(second!.url)
 * await node.stop()
 * ```
 */
export class DevNodeParty {
  /** Place among the parties, from 0. */
  readonly index: number
  /** Hydra verification key: hex, 64 characters. */
  readonly vkey: string
  readonly #party: Party
  readonly #urlOf: (scheme: 'ws' | 'http') => string | null

  /** @internal */
  constructor(party: Party, urlOf: (scheme: 'ws' | 'http') => string | null) {
    this.#party = party
    this.#urlOf = urlOf
    this.index = party.index
    this.vkey = bytesToHex(party.head.keys[party.index]!.publicKey)
  }

  /** WebSocket URL; null without sockets. */
  get url(): string | null {
    return this.#urlOf('ws')
  }

  /** Base URL of the HTTP API; null without sockets. */
  get httpUrl(): string | null {
    return this.#urlOf('http')
  }

  /** Faults of this party alone. */
  get faults(): DevNodeFaults {
    return this.#party.faults
  }

  /** Counts of inputs, requests and connections of this party. */
  get counters(): Counters {
    return this.#party.counters
  }

  /** Settings of the party. */
  get settings(): Readonly<PartySettings> {
    return this.#party.head.network.settings(this.index)
  }

  /**
   * Changes settings of the party and returns all its settings. `silent`: the party is cut off from the others; once it
   * is back, the waiting messages are delivered in order. `signDelayMs`: its signatures come so much later.
   * `closeWithOld`: it closes with the snapshot before the latest one, and a contest follows.
   *
   * @throws {@link InvalidArgumentError}
   */
  set(change: Partial<PartySettings>): Readonly<PartySettings> {
    const changes = Object.fromEntries(
      Object.entries(readOptions(change, SETTINGS, 'settings')).filter(([, value]) => value != null)
    )
    for (const [name, value] of Object.entries(changes)) assertSetting(name, value)
    this.#party.head.network.set(this.index, changes)
    return this.settings
  }

  /** Returns the outputs in the head as this party's own ledger has them, confirmed or not. */
  headUtxos(address?: string): UTxO[] {
    const entries = this.#party.ledger.local.entries.filter(
      ({ output }) => address == null || output.address === address
    )
    return entries.map(({ input, output }) => ({ input, output }))
  }

  /** @internal Durations of the node's steps, ms. */
  get timings(): ResolvedTimings {
    return this.#party.chain.options.timings
  }

  /** @internal True where a query that cannot be decoded is ignored instead of ending the connection. */
  get toleratesMalformedQueries(): boolean {
    return this.#party.chain.features.toleratesMalformedQueries
  }

  /**
   * Connects a client: `query` is the query of its URL, `sink` receives the messages.
   * @throws {@link InvalidArgumentError} when `query` is not a text
   */
  open(query: string, sink: ClientSink): Client {
    this.counters.connections++
    return this.#party.hub.open(query, sink)
  }

  /** Disconnects a client. */
  leave(client: Client): void {
    this.#party.hub.leave(client)
  }

  /**
   * Handles a client's message: text, or the bytes of a binary frame. @throws {@link InvalidArgumentError} when it is
   * neither
   */
  receive(client: Client, message: string | Uint8Array): void {
    receiveMessage(this.#party, client, message)
  }

  /** Answers a request to the HTTP API. */
  async request(request: DevNodeRequest): Promise<DevNodeReply> {
    return answerHttp(this.#party, request)
  }
}

function assertSetting(name: string, value: unknown): void {
  if (name !== 'signDelayMs') {
    if (typeof value !== 'boolean') throw new InvalidArgumentError(`settings.${name}`, 'true or false', value)
  } else if (!(typeof value === 'number' && value >= 0 && value <= MAX_DELAY_MS)) {
    throw new InvalidArgumentError('settings.signDelayMs', `a number from 0 to ${MAX_DELAY_MS}`, value)
  }
}
