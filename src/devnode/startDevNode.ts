import { DevNode } from './DevNode.js'
import type { StartDevNodeOptions } from './options.js'
import type { Listening } from './server.js'

/**
 * A {@link DevNode} that is reached over WebSocket and HTTP.
 *
 * @example
 * ```ts
 * import { startDevNode } from 'layer-sdk/devnode'
 * const node = await startDevNode({ port: 0 })
 * console.log(node.url, node.keys.length)
 * await node.stop()
 * ```
 */
export class RunningDevNode extends DevNode {
  readonly #host: string
  readonly #api: Listening
  readonly #rpc: Listening | null
  #online: Listening | null

  /** @internal Use {@link startDevNode}. */
  constructor(options: StartDevNodeOptions, servers: { host: string; api: Listening; rpc: Listening | null }) {
    super(options)
    this.#host = servers.host
    this.#api = this.#online = servers.api
    this.#rpc = servers.rpc
  }

  /** Port of the WebSocket and HTTP API. */
  get port(): number {
    return this.#api.port
  }

  /** WebSocket URL, for `LayerBridge`. */
  get url(): string {
    return `ws://${this.#host}:${this.port}`
  }

  /** Base URL of the HTTP API. */
  get httpUrl(): string {
    return `http://${this.#host}:${this.port}`
  }

  /** URL of the JSON-RPC server over the base ledger, for `RpcProvider`; `null` when none was asked for. */
  get rpcUrl(): string | null {
    return this.#rpc === null ? null : `http://${this.#host}:${this.#rpc.port}`
  }

  /** Goes down without a word: connections break and nobody listens. The head lives on. */
  async goOffline(): Promise<void> {
    const online = this.#online
    this.#online = null
    await online?.close()
  }

  /** Listens again, on the same port. */
  async goOnline(): Promise<void> {
    if (this.#online !== null) return
    const { serveNode } = await import('./server.js')
    this.#online = await serveNode(() => this, this.port, this.#host)
  }

  override async stop(): Promise<void> {
    await super.stop()
    await Promise.all([this.goOffline(), this.#rpc?.close()])
  }
}

/**
 * Starts a local head node: real CBOR, real signatures, real sockets; only the base ledger and the other parties are simulated.
 * In browsers and workers, which have no server sockets, make a {@link DevNode} and use {@link DevNode.connector}.
 *
 * @example
 * ```ts
 * import { startDevNode } from 'layer-sdk/devnode'
 *
 * const node = await startDevNode({ port: 0 })
 * console.log(node.url, node.keys[0]?.address)
 * await node.stop()
 * ```
 */
export async function startDevNode(options: StartDevNodeOptions = {}): Promise<RunningDevNode> {
  const { port = 4001, host = '127.0.0.1', rpcPort = 0 } = options
  // Loaded only here, so that a browser's bundle of this entry holds no node: module.
  const { serveNode, serveRpc } = await import('./server.js')
  let node: RunningDevNode | null = null
  const current = (): DevNode => {
    if (node === null) throw new Error('unreachable: a request before the node was made')
    return node
  }
  const api = await serveNode(current, port, host)
  let rpc: Listening | null = null
  try {
    rpc = rpcPort === null ? null : await serveRpc(current, rpcPort, host)
    node = new RunningDevNode(options, { host, api, rpc })
  } catch (error) {
    await Promise.all([api.close(), rpc?.close()])
    throw error
  }
  return node
}
