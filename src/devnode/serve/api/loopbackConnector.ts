import type {
  Connector,
  ConnectorCapabilities,
  ConnectorChannel,
  ConnectorListener
} from '../../../bridge/connection/Connector.js'
import type { ConnectorOpenOptions, ConnectorReply, ConnectorRequest } from '../../../bridge/connection/Connector.js'
import { BridgeConnectError, NotConnectedError } from '../../../errors/bridge.js'
import { BridgeRequestError } from '../../../errors/operation.js'
import type { Client, ClientSink } from '../../party/clientHub.js'
import type { DevNodeFaults } from '../../settings/faults.js'
import { consumeFault } from '../../settings/faults.js'
import type { DevNodeReply, DevNodeRequest } from './DevNodeReply.js'

/** The node or party that a {@link LoopbackConnector} connects to. */
export interface LoopbackNode {
  /** Faults of the node that the connection imitates. */
  readonly faults: DevNodeFaults
  /** Connects a client with the query of its URL. */
  open(query: string, sink: ClientSink): Client
  /** Disconnects a client. */
  leave(client: Client): void
  /** Receives one input of a client: JSON. */
  receive(client: Client, text: string): void
  /** Answers a request to the HTTP routes. */
  request(request: DevNodeRequest): Promise<DevNodeReply>
}

/** RFC 6455: the code of a client for a connection that ended without a close frame. */
const NO_CLOSE_FRAME = 1006
/** Close codes that end the connection for good, as for sockets: lasting failures and refused credentials. */
const FATAL = [401, 403, 1002, 1003, 1007, 1008, 1009, 1010, 4401, 4403]

/** Options of a {@link LoopbackConnector}, as those of `WebsocketConnector`. */
export interface LoopbackOptions {
  /** Replay the node's stored messages on the first connect. @default false */
  history?: boolean
  /** Leave UTxOs out of snapshots. @default false */
  noSnapshotUtxo?: boolean
  /** Address (bech32): of the snapshots, receive only those with a transaction that pays to it. */
  address?: string
}

/**
 * Connects a `LayerBridge` to a node in the same process, without sockets. Messages arrive in later tasks of the event
 * loop, as from a socket.
 *
 * @example
 * ```ts
 * import { LayerBridge } from 'layer-sdk/bridge'
 * import { DevNode } from 'layer-sdk/devnode'
 * const bridge = new LayerBridge({ connector: new DevNode().connector() })
 * console.log(await bridge.connect()) // true
 * await bridge.disconnect()
 * ```
 */
export class LoopbackConnector implements Connector {
  /** Capabilities, the same as those of `WebsocketConnector`. */
  readonly capabilities: ConnectorCapabilities
  readonly #node: LoopbackNode
  readonly #options: LoopbackOptions

  constructor(node: LoopbackNode, options: LoopbackOptions = {}) {
    this.#node = node
    // JavaScript callers pass null for omitted members.
    this.#options = (options as LoopbackOptions | null) ?? {}
    this.capabilities = { history: true, allRoutes: true, partial: this.#address !== undefined }
  }

  open(listener: ConnectorListener, options: ConnectorOpenOptions): ConnectorChannel {
    let client: Client | null = null
    let over = false
    const end = (): void => {
      over = true
      if (client !== null) this.#node.leave(client)
    }
    const sink: ClientSink = {
      send: (message) => queueMicrotask(() => over || listener.onMessage(message)),
      close: (code = NO_CLOSE_FRAME) => {
        if (over) return
        end()
        queueMicrotask(() => listener.onClose(ended({ closeCode: code })))
      }
    }
    queueMicrotask(() => {
      if (over) return
      const { refuseUpgrades } = this.#node.faults
      if (refuseUpgrades > 0) {
        over = true
        return listener.onClose(ended({ httpStatus: refuseUpgrades }))
      }
      listener.onOpen()
      client = this.#node.open(this.#query(options), sink)
      // The listener may have closed the channel as it opened.
      if (over) this.#node.leave(client)
    })
    return {
      send: (text) => {
        if (over || client === null) throw new NotConnectedError('Sending')
        this.#node.receive(client, text)
      },
      ping: () => {
        queueMicrotask(() => over || this.#node.faults.muteSockets || listener.onActivity())
        return true
      },
      close: async () => end()
    }
  }

  async request({ method, path, body = '', signal }: ConnectorRequest): Promise<ConnectorReply> {
    signal.throwIfAborted()
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    const { faults } = this.#node
    if (faults.muteHttp) return aborted
    const reply = await Promise.race([this.#node.request({ method, path, body }), aborted])
    if (consumeFault(faults, 'dropReplies'))
      throw new BridgeRequestError(`${method} ${path}`, { status: 0, reason: 'the connection was reset' })
    return { status: reply.status, text: reply.body, retryAfter: reply.headers?.['Retry-After'] ?? null }
  }

  get #address(): string | undefined {
    return this.#options.address ?? undefined
  }

  #query({
    history = this.#options.history,
    noSnapshotUtxo = this.#options.noSnapshotUtxo
  }: ConnectorOpenOptions): string {
    const parameters = new URLSearchParams({ history: history === true ? 'yes' : 'no' })
    if (noSnapshotUtxo === true) parameters.set('snapshot-utxo', 'no')
    if (this.#address !== undefined) parameters.set('address', this.#address)
    return parameters.toString()
  }
}

function ended(details: { readonly closeCode?: number; readonly httpStatus?: number }): BridgeConnectError {
  const { closeCode, httpStatus = 0 } = details
  if (closeCode === undefined) {
    return new BridgeConnectError('The local head node refused the connection.', {
      ...details,
      got: `HTTP ${httpStatus}`,
      fatal: FATAL.includes(httpStatus)
    })
  }
  return new BridgeConnectError('The local head node ended the connection.', {
    ...details,
    got: `close code ${closeCode}`,
    fatal: FATAL.includes(closeCode)
  })
}
