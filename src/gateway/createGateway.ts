import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GatewayNotReadyError, GatewayPortError } from '../errors/gateway.js'
import { now, sleep } from '../net/timers.js'
import { addressOfClient } from './access/addressOfClient.js'
import { Connections } from './access/Connections.js'
import { createAuthenticator } from './access/createAuthenticator.js'
import { RateLimiter } from './access/RateLimiter.js'
import { Core } from './core/Core.js'
import type { Client } from './edge/Client.js'
import type { HttpContext } from './http/HttpContext.js'
import { HeadEdge } from './edge/HeadEdge.js'
import { Polls } from './edge/Polls.js'
import { Sockets } from './edge/Sockets.js'
import { UnsentFrames } from './edge/UnsentFrames.js'
import { AnswerRoom } from './http/AnswerRoom.js'
import { HttpApi } from './http/HttpApi.js'
import { Proofs } from './http/Proofs.js'
import { HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './limits.js'
import type { GatewayLog } from './log/GatewayLog.js'
import { memoryLog } from './log/memoryLog.js'
import { Metrics } from './Metrics.js'
import { ServerConnections } from './http/ServerConnections.js'
import { serveMetrics } from './http/serveMetrics.js'
import type { GatewayOptions, GatewaySettings } from './options.js'
import { resolveGatewayOptions } from './options.js'
import { headStreams } from './records.js'
import { Troubles } from './Troubles.js'
import { UnreadableRecords } from './UnreadableRecords.js'

/** A gateway that runs. */
export interface Gateway {
  /** Address that it listens on, e.g. `http://127.0.0.1:5001`. */
  readonly url: string
  /** URL that Prometheus reads; null without the option `metrics`. */
  readonly metricsUrl: string | null
  /**
   * Reasons why heads are not served now, one phrase per head, e.g. `head /: the node cannot be reached
   * (ECONNREFUSED)`; empty while all are served. `GET /health/ready` states the same.
   */
  readonly reasons: readonly string[]
  /**
   * Stops gracefully: refuses new clients and commands, waits until each submission under way has its verdict
   * (confirmed or refused), releases the leases (exclusive rights to serve a head), so that another process can
   * continue, closes the sockets one by one, and stops. `timeout`: ms after which submissions still under way end as
   * unknown, 10000 by default.
   */
  drain(options?: { readonly timeout?: number }): Promise<void>
  /** Stops the gateway now. Another call has no effect. */
  stop(): Promise<void>
  /** Same as {@link Gateway.stop}, under the name that clients and bridges use. */
  disconnect(): Promise<void>
  /** Same as {@link Gateway.stop}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const DRAIN_MS = 10_000
const POLL_MS = 20
/** Time that clients have to close their side of the connection when the gateway stops, ms. */
const CLOSE_GRACE_MS = 1_000

/**
 * Starts a gateway, which serves thousands of clients over one connection to the node of each head. Clients connect by
 * Socket.IO (`GatewayConnector` of `layer-sdk/bridge`) or send HTTP requests. A gateway has two parts, which may run in
 * different processes: a core holds the connection to a node and writes its messages to a log; an edge serves clients
 * from that log. Resolves once every head is served.
 *
 * @throws {@link InvalidArgumentError} on options that cannot be used. @throws {@link PackageMissingError} when a
 * package that is needed is not installed: `socket.io` always, `jose` with the option `auth`, `redis` with
 * {@link redisLog}. @throws {@link GatewayPortError} when the port is in use. @throws {@link GatewayNotReadyError} when
 * a head is not served within `readyTimeout`; the gateway has then been stopped.
 * @example
 * ```ts no-run
 * import { createGateway } from 'layer-sdk/gateway'
 * const gateway = await createGateway({ heads: [{ path: '/', upstream: 'ws://127.0.0.1:4001' }] })
 * console.log(gateway.url) // http://127.0.0.1:5001
 * await gateway.stop()
 * ```
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const resolved = resolveGatewayOptions(options)
  const authenticator = await createAuthenticator(resolved.auth, resolved.anonymous)
  const log = options.log ?? memoryLog()
  await log.open?.()
  const metrics = new Metrics()
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: 1_000
  })
  const connections = new ServerConnections(server, resolved)
  let closing = false
  const { limits, origins } = resolved
  const context: HttpContext = {
    authenticator,
    limits,
    limiter: new RateLimiter(limits.commandsPerSecond, limits.commandBurst),
    metrics,
    origins,
    hosts: resolved.auth === null ? resolved.hosts : null,
    room: new AnswerRoom(limits.unsentBytesInAll),
    polls: new Polls(),
    sessions: new Connections(limits.connections, (clientKey) =>
      clientKey.startsWith('ip ') ? limits.connectionsPerIp : limits.connectionsPerSubject
    ),
    proofs: resolved.proofs ? new Proofs() : null,
    connections,
    ipOf: (request) => addressOfClient(request, resolved.trustProxy),
    closing: () => closing
  }
  const { edges, cores } = createHeads(resolved, log, metrics)
  const sockets = new Sockets(context)
  // A core alone has no clients; its port answers the questions about health.
  await sockets.attach(server, resolved.role === 'core' ? [] : edges)
  const reasons = (): readonly string[] => (closing ? ['the gateway is stopping'] : reasonsOf(edges))
  new HttpApi(context, resolved.role === 'core' ? [] : edges, reasons).wrap(server)
  await listen(server, resolved)
  const metricsServer =
    resolved.metricsPort === null
      ? null
      : await serveMetrics(resolved.metricsPort, { metrics, edges, cores, sockets }).catch((error: unknown) => {
          // Without it the process would stay.
          void sockets.close()
          throw error
        })
  for (const part of [...edges, ...cores]) part.start()

  let stopped: Promise<void> | null = null
  const stopAll = async (): Promise<void> => {
    closing = true
    await Promise.all(cores.map((core) => core.stop()))
    await Promise.all(edges.map((edge) => edge.stop()))
    const closed = sockets.close()
    await Promise.race([closed, sleep(CLOSE_GRACE_MS)])
    // Browsers open connections ahead of need; one without a request keeps the server from ending.
    for (const connection of connections.all) connection.destroy()
    await closed
    await metricsServer?.close()
    if (options.log === undefined) await log.close()
  }
  const stop = (): Promise<void> => (stopped ??= stopAll())
  if (!(await isReadyWithin(edges, resolved.readyTimeout))) {
    const [given, cause] = [
      reasonsOf(edges),
      edges.map(({ context: { troubles } }) => troubles.error).find((error) => error !== undefined)
    ]
    await stop()
    throw new GatewayNotReadyError(resolved.readyTimeout, given, cause)
  }
  return {
    url: urlOf(server, resolved.host),
    metricsUrl: metricsServer?.url ?? null,
    get reasons() {
      return reasons()
    },
    stop,
    disconnect: stop,
    [Symbol.asyncDispose]: stop,
    async drain({ timeout = DRAIN_MS } = {}) {
      closing = true
      const ends = Date.now() + timeout
      const isBusy = (): boolean => edges.some(({ submissions }) => submissions.underWay > 0)
      while (isBusy() && Date.now() < ends && stopped === null) await sleep(POLL_MS)
      await Promise.all(cores.map((core) => core.stop()))
      await sockets.drain(edges, Math.max(0, ends - Date.now()))
      await stop()
    }
  }
}

/** Creates the edge of each head, and its core unless this process is only an edge. */
function createHeads(
  { heads, role, limits, logger }: GatewaySettings,
  log: GatewayLog,
  metrics: Metrics
): { readonly edges: HeadEdge[]; readonly cores: Core[] } {
  const edges: HeadEdge[] = []
  const cores: Core[] = []
  const unsent = new UnsentFrames<Client>(limits.unsentBytesInAll)
  for (const { path, upstream } of heads) {
    const streams = headStreams(path)
    const troubles = new Troubles(`head ${path}`, logger)
    const unreadable = new UnreadableRecords(`head ${path}`, logger, metrics)
    const onUnreadable = (stream: string, id: string): void => unreadable.note(stream, id)
    edges.push(new HeadEdge({ path, log, streams, limits, metrics, unsent, troubles, logger, onUnreadable }))
    if (role !== 'edge' && upstream !== undefined)
      cores.push(new Core({ log, streams, upstream, logger, name: path, troubles, onUnreadable }))
  }
  return { edges, cores }
}

/** Returns the reasons why heads are not served, each with the path of its head. */
function reasonsOf(edges: readonly HeadEdge[]): readonly string[] {
  return edges.flatMap(({ context: { path }, reasons }) => reasons.map((reason) => `head ${path}: ${reason}`))
}

/** Waits until all heads are served; false when they are not in time. With a time of 0 it waits for none. */
async function isReadyWithin(edges: readonly HeadEdge[], timeoutMs: number): Promise<boolean> {
  for (const ends = now() + timeoutMs; timeoutMs > 0 && reasonsOf(edges).length > 0;) {
    if (now() >= ends) return false
    await sleep(POLL_MS)
  }
  return true
}

function listen(server: Server, { port, host }: GatewaySettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new GatewayPortError(host, port, error.code ?? 'unknown', error))
    )
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      // A connection that breaks off is that client's own affair.
      server.on('clientError', (_error, socket) => socket.destroy())
      resolve()
    })
  })
}

function urlOf(server: Server, host: string): string {
  const { port, family } = server.address() as AddressInfo
  const name =
    host === '0.0.0.0' || host === '::'
      ? family === 'IPv6'
        ? '[::1]'
        : '127.0.0.1'
      : host.includes(':')
        ? `[${host}]`
        : host
  return `http://${name}:${port}`
}
