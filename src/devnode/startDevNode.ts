import { DevNodeForkError } from '../errors/devnode.js'
import { InvalidArgumentError } from '../errors/input.js'
import { SYSTEM_CLOCK } from './settings/clock.js'
import type { DevNodeEndpoints } from './serve/control/status.js'
import { DevNode } from './DevNode.js'
import type { DevNodeParty } from './DevNodeParty.js'
import type { StateFile } from './saved/stateFile.js'
import type { DevNodeOptions, StartDevNodeOptions } from './settings/options.js'
import { resolveAddress, splitOptions } from './settings/resolveOptions.js'
import { DASHBOARD_PATH } from './serve/api/dashboardPath.js'
import type { Listening } from './serve/api/server.js'

const MAX_PORT = 65_535

/** Servers of a node; `api` is null while it is offline. */
interface Servers {
  /** Address that is listened on. */
  readonly host: string
  /** Ports of the parties: that of the node as requested until it listens, then those that the servers listen on. */
  readonly ports: number[]
  /** Server of the node's API; null while it is offline. */
  api: Listening | null
  /** Servers of the other parties, from the second on, as they listen. */
  readonly parties: Listening[]
  /** Server of the base ledger; null while there is none. */
  rpc: Listening | null
  /** The state file; null while none is kept. */
  state: StateFile | null
  /** True when it serves the control as well. */
  readonly control: boolean
}

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
  /** The parties of the head; the first is this node. `url`: WebSocket URL, `httpUrl`: base URL of the HTTP API. */
  declare readonly parties: readonly (DevNodeParty & { readonly url: string; readonly httpUrl: string })[]
  readonly #servers: Servers

  /** @internal Use {@link startDevNode}. */
  constructor(options: DevNodeOptions, servers: Servers, forkedHeadId: string | null = null) {
    super(options, forkedHeadId)
    this.#servers = servers
  }

  /** Port of the WebSocket and HTTP API. */
  get port(): number {
    return this.#servers.ports[0]!
  }

  /** WebSocket URL, for `LayerBridge`. */
  get url(): string {
    return this.#url('ws', this.port)
  }

  /** Base URL of the HTTP API. */
  get httpUrl(): string {
    return this.#url('http', this.port)
  }

  /**
   * URL of the base ledger as JSON-RPC (Ogmios), for `RpcProvider`, over HTTP and with `ws:` over WebSocket; `null`
   * when no `rpcPort` was requested.
   */
  get rpcUrl(): string | null {
    const { rpc } = this.#servers
    return rpc === null ? null : this.#url('http', rpc.port)
  }

  /** URL of the base ledger as an indexer (Blockfrost), for `IndexerProvider`; `null` without a `rpcPort`. */
  get indexerUrl(): string | null {
    return this.#below('/api/v0')
  }

  /** URL of the base ledger as matches of patterns (Kupo); `null` without a `rpcPort`. */
  get kupoUrl(): string | null {
    return this.#below('/kupo')
  }

  /** URL of the control over HTTP; `null` unless `control` and a `rpcPort` were requested. */
  get controlUrl(): string | null {
    return this.#servers.control ? this.#below('/devnode') : null
  }

  /** URL of the dashboard, a page that shows this head; `null` without a `rpcPort`. */
  get dashboardUrl(): string | null {
    return this.#below(DASHBOARD_PATH)
  }

  #below(path: string): string | null {
    const { rpcUrl } = this
    return rpcUrl === null ? null : `${rpcUrl}${path}`
  }

  /** Goes offline: breaks all connections without a close frame, and closes the port. The head lives on. */
  async goOffline(): Promise<void> {
    const { api } = this.#servers
    this.#servers.api = null
    await api?.close()
  }

  /** Listens again, on the same port. */
  async goOnline(): Promise<void> {
    if (this.#servers.api !== null) return
    const { serveNode } = await import('./serve/api/server.js')
    this.#servers.api = await serveNode(this, this.port, this.#servers.host)
  }

  /** @internal */
  protected override listensOn(party: number): { host: string; port: number } {
    const { host, ports } = this.#servers
    return { host, port: ports[party] ?? super.listensOn(party).port }
  }

  /**
   * Number of bytes at the end of the state file that had not been written completely when the node started, and were
   * left out; 0 without a file.
   */
  get tornStateBytes(): number {
    return this.#servers.state?.tornBytes ?? 0
  }

  /**
   * @internal Calls `onChange` with the reason when the state file cannot be written, and with null when it can be
   * again.
   */
  followState(onChange: (failure: string | null) => void): void {
    this.#servers.state?.follow(onChange)
  }

  /** @internal */
  async keepIn(state: StateFile): Promise<void> {
    ;(await this.control()).keepIn(state)
  }

  /** @internal */
  protected override partyUrl(party: number, scheme: 'ws' | 'http'): string | null {
    const port = this.#servers.ports[party]
    return port === undefined ? null : this.#url(scheme, port)
  }

  /** @internal */
  protected override endpoints(): DevNodeEndpoints {
    const { url, httpUrl, rpcUrl, indexerUrl, kupoUrl, controlUrl } = this
    return { url, httpUrl, rpcUrl, indexerUrl, kupoUrl, controlUrl }
  }

  override async stop(): Promise<void> {
    await super.stop()
    const { rpc, parties } = this.#servers
    await Promise.all([this.goOffline(), rpc?.close(), ...parties.map((each) => each.close())])
    this.#servers.state?.close()
    this.#servers.state = null
  }

  #url(scheme: string, port: number): string {
    const { host } = this.#servers
    // An IPv6 address stands in brackets.
    return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
  }
}

/**
 * Starts a local head node: real CBOR, real signatures, real sockets; only the base ledger and the other parties are
 * simulated. In browsers and workers, which have no server sockets, make a {@link DevNode} and use
 * {@link DevNode.connector}.
 *
 * @example
 * ```ts
 * import { startDevNode } from 'layer-sdk/devnode'
 *
 * const node = await startDevNode({ port: 0 })
 * console.log(node.url, node.keys[0]?.address)
 * await node.stop()
 * ```
 * @throws {@link InvalidArgumentError} @throws {@link DevNodePortError} when the port is in use,
 * {@link DevNodeForkError} when the head of the option `fork` cannot be read or is not open (as rejections).
 */
export async function startDevNode(options: StartDevNodeOptions = {}): Promise<RunningDevNode> {
  // JavaScript callers pass null for omitted members.
  const { address, node: nodeOptions } = splitOptions((options as StartDevNodeOptions | null) ?? {})
  const { port, host, rpcPort, control } = resolveAddress(address)
  const state = address.state == null ? null : new (await import('./saved/stateFile.js')).StateFile(address.state)
  const servers: Servers = { host, ports: [port], api: null, parties: [], rpc: null, control, state }
  const node = await makeNode(nodeOptions, address.fork ?? null, servers)
  const others = node.parties.length - 1
  if (port !== 0 && port + others > MAX_PORT) {
    await node.stop()
    throw new InvalidArgumentError('port', `one that leaves ${others} more for the other parties`, port)
  }
  // Loaded only here, so that a browser's bundle of this entry holds no node: module.
  const { serveNode } = await import('./serve/api/server.js')
  try {
    servers.api = await serveNode(node, port, host)
    servers.ports[0] = servers.api.port
    // Each party on the port behind the one before, or on any free one.
    for (const party of node.parties.slice(1)) {
      const server = await serveNode(party, port === 0 ? 0 : port + party.index, host)
      servers.parties.push(server)
      servers.ports.push(server.port)
    }
    if (rpcPort !== null)
      servers.rpc = await (await import('./serve/api/serveBase.js')).serveBase(node, rpcPort, host, control)
  } catch (error) {
    await node.stop()
    throw error
  }
  return node
}

/** Creates the node before anything listens, because the first request may come at once. */
async function makeNode(options: DevNodeOptions, fork: string | null, servers: Servers): Promise<RunningDevNode> {
  const { state } = servers
  let node: RunningDevNode | null = null
  try {
    const nodeOptions = state?.optionsFor(options, fork) ?? options
    // An existing state has the outputs that a fork would bring.
    const forks = fork !== null && state?.isNew !== false
    node = forks
      ? await forkNode(fork, nodeOptions, servers)
      : new RunningDevNode(nodeOptions, servers, state?.forkOf ?? null)
    if (state !== null) await node.keepIn(state)
    return node
  } catch (error) {
    await node?.stop()
    state?.close()
    throw error
  }
}

async function forkNode(url: string, options: DevNodeOptions, servers: Servers): Promise<RunningDevNode> {
  const [{ readHead }, { forkOptions }] = await Promise.all([
    import('./fork/readHead.js'),
    import('./fork/forkOptions.js')
  ])
  const head = await readHead(url)
  const { origin } = new URL(url)
  const forked = forkOptions(head, origin, options, (options.clock ?? SYSTEM_CLOCK).now())
  try {
    return new RunningDevNode(forked, servers, head.headId)
  } catch (error) {
    if (
      !(await isOfFork(error, forkOptions(head, origin, { ...options, inHead: [], genesis: [] }, SYSTEM_CLOCK.now())))
    )
      throw error
    const [, ...details] = (error as Error).message.split('\n').slice(0, -1)
    throw new DevNodeForkError(origin, 'shows outputs that cannot be taken over', {
      details: details.map((line) => line.replace(/^- /, '')),
      cause: error
    })
  }
}

/**
 * Returns true when an invalid output is one of the forked node, because the error is the same without the outputs that
 * the caller states.
 */
async function isOfFork(error: unknown, forkAlone: DevNodeOptions): Promise<boolean> {
  if (!(error instanceof InvalidArgumentError) || !/^(genesis|inHead)/.test(error.argument)) return false
  try {
    await new DevNode(forkAlone).stop()
    return false
  } catch {
    return true
  }
}
