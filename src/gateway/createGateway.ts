import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { GatewayPortError } from '../errors/gateway.js'
import { sleep } from '../net/timers.js'
import { createAuthenticator } from './access/createAuthenticator.js'
import { RateLimiter } from './access/RateLimiter.js'
import { Core } from './core/Core.js'
import type { EdgeContext } from './edge/EdgeContext.js'
import { HeadEdge } from './edge/HeadEdge.js'
import { Sockets } from './edge/Sockets.js'
import { HttpFace } from './http/HttpFace.js'
import { Proofs } from './http/Proofs.js'
import { HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './limits.js'
import type { GatewayLog } from './log/GatewayLog.js'
import { memoryLog } from './log/memoryLog.js'
import { Metrics } from './Metrics.js'
import { serveMetrics } from './http/serveMetrics.js'
import type { GatewayOptions, ResolvedOptions } from './options.js'
import { resolveOptions } from './options.js'
import { headStreams } from './records.js'

/** A gateway that runs. */
export interface Gateway {
  /** Where it listens, e.g. `http://127.0.0.1:5001`. */
  readonly url: string
  /** Where Prometheus reads; null without the option `metrics`. */
  readonly metricsUrl: string | null
  /**
   * Takes nobody in any more, waits for the verdicts under way, gives the lease up, and closes the sockets one by one; then it stops.
   * `timeout`: after it what is under way ends as unknown, ms, 10000 by default.
   */
  drain(options?: { readonly timeout?: number }): Promise<void>
  /** Ends everything now. Calling it again does nothing. */
  stop(): Promise<void>
}

const DRAIN_MS = 10_000
const POLL_MS = 20
/** How long clients may take to end their side when the gateway stops, ms. */
const CLOSE_GRACE_MS = 1_000

/**
 * Starts a gateway: one connection to the node of each head, thousands of clients.
 *
 * @throws {@link InvalidArgumentError} on options that cannot be used. @throws {@link PackageMissingError} without `socket.io`, or `jose` for
 * tokens. @throws {@link GatewayPortError} when the port is taken.
 * @example
 * ```ts no-run
 * import { createGateway } from 'layer-sdk/gateway'
 * const gateway = await createGateway({ heads: [{ path: '/', upstream: 'ws://127.0.0.1:4001' }] })
 * console.log(gateway.url) // http://127.0.0.1:5001
 * await gateway.stop()
 * ```
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const resolved = resolveOptions(options)
  const authenticator = await createAuthenticator(resolved.auth, resolved.anonymous)
  const log = options.log ?? memoryLog()
  const metrics = new Metrics()
  let closing = false
  const { limits, origins } = resolved
  const context: EdgeContext = {
    authenticator,
    limits,
    limiter: new RateLimiter(limits.commandsPerSecond, limits.commandBurst),
    metrics,
    origins,
    proofs: resolved.proofs ? new Proofs() : null,
    ipOf: (request) => ipOf(request, resolved.trustProxy),
    closing: () => closing
  }
  const edges = resolved.heads.map(({ path }) => new HeadEdge({ path, log, streams: headStreams(path), limits, metrics }))
  const cores = resolved.role === 'edge' ? [] : createCores(resolved, log)
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: 1_000 })
  const connections = connectionsOf(server)
  const sockets = new Sockets(context)
  // A core alone has no clients; its port answers the questions about health.
  await sockets.attach(server, resolved.role === 'core' ? [] : edges)
  const isReady = (): boolean => !closing && edges.every((edge) => edge.ready && edge.available)
  new HttpFace(context, resolved.role === 'core' ? [] : edges, isReady).wrap(server)
  await listen(server, resolved)
  const metricsServer = resolved.metricsPort === null ? null : await serveMetrics(resolved.metricsPort, { metrics, edges, cores, sockets })
  for (const part of [...edges, ...cores]) part.start()

  let stopped: Promise<void> | null = null
  const stopAll = async (): Promise<void> => {
    closing = true
    await Promise.all(cores.map((core) => core.stop()))
    await Promise.all(edges.map((edge) => edge.stop()))
    const closed = sockets.close()
    await Promise.race([closed, sleep(CLOSE_GRACE_MS)])
    // Browsers open connections ahead of need; one without a request keeps the server from ending.
    for (const connection of connections) connection.destroy()
    await closed
    await metricsServer?.close()
    if (options.log === undefined) await log.close()
  }
  const stop = (): Promise<void> => (stopped ??= stopAll())
  return {
    url: urlOf(server, resolved.host),
    metricsUrl: metricsServer?.url ?? null,
    stop,
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

/** The connections that a server has, those without a request and those of WebSockets among them. */
function connectionsOf(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}

function createCores({ heads, logger }: ResolvedOptions, log: GatewayLog): Core[] {
  return heads
    .filter((head): head is { path: string; upstream: string } => head.upstream !== undefined)
    .map(({ path, upstream }) => new Core({ log, streams: headStreams(path), upstream, logger, name: path }))
}

function listen(server: Server, { port, host }: ResolvedOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new GatewayPortError(host, port, error.code ?? 'unknown', error)))
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
  const name = host === '0.0.0.0' || host === '::' ? (family === 'IPv6' ? '[::1]' : '127.0.0.1') : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function ipOf({ socket, headers }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers['x-forwarded-for'] : undefined
  // The last one was written by the proxy itself; those before it are the client's own words.
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded)?.split(',').at(-1)?.trim()
  return `ip ${last ?? socket.remoteAddress ?? ''}`
}
