import { MAX_TIMER_MS } from '../constants.js'
import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { byType } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { isLoopback } from '../net/loopback.js'
import type { Logger } from '../types/logger.js'
import type { GatewayAuth, GatewayScope } from './access/types.js'
import type { GatewayLimits } from './limits.js'
import { resolveLimits } from './limits.js'
import type { GatewayLog } from './log/GatewayLog.js'
import { checkHeadPath, namespacesOf } from './protocol/headPath.js'

/** A head that the gateway serves. */
export interface GatewayHead {
  /** Path at which clients reach the head, e.g. `/games`; `/` suits a gateway with a single head. */
  readonly path: string
  /**
   * WebSocket URL of the head's node: `ws://` or `wss://`. Required unless the option `role` is `edge`, which does not
   * connect to the node.
   */
  readonly upstream?: string
}

/** Options of {@link createGateway}. */
export interface GatewayOptions {
  /** Port; 0 for a free one. @default 5001 */
  port?: number
  /** Address to listen on. @default '127.0.0.1' */
  host?: string
  /** Heads, one path each. */
  heads: readonly GatewayHead[]
  /** Log through which cores (connections to nodes) and edges (clients) exchange records. @default memoryLog() */
  log?: GatewayLog
  /**
   * Part of the gateway that this process runs. `core`: holds the connections to the nodes. `edge`: serves the clients.
   * `both`: does both. With `core` and with `edge`, a `log` is required that several processes can share, such as
   * {@link redisLog}.
   * @default 'both'
   */
  role?: 'core' | 'edge' | 'both'
  /**
   * Keys and rules by which the tokens (JWT) of clients are verified. Without it no token is checked, and `host` has to
   * be a loopback address, such as `127.0.0.1`, unless `allowInsecure` is set.
   */
  auth?: GatewayAuth
  /**
   * Scopes of a client that sends no token; `admin` is not allowed here.
   * @default [] with auth, ['read', 'submit'] without
   */
  anonymous?: readonly GatewayScope[]
  /**
   * Allows a `host` that other machines reach although there is no `auth`: every client then has the scopes
   * `anonymous`.
   * @default false
   */
  allowInsecure?: boolean
  /**
   * Host names under which clients may reach a gateway without `auth`, e.g. `gateway.example`. Loopback names, IP
   * addresses and `host` itself are always allowed. A request whose Host header has any other name is refused, because
   * a web page could make its own domain resolve to the gateway (DNS rebinding).
   * @default []
   */
  hosts?: readonly string[]
  /** Limits on rates, connections and waiting data; those left out keep their defaults. */
  limits?: Partial<GatewayLimits>
  /**
   * Origins of web pages that may connect, exactly as browsers send them; `'*'` for all. A request without an Origin
   * header, as programs send it, is always allowed.
   * @default []
   */
  origins?: readonly string[]
  /**
   * Serves `/metrics` for Prometheus on a second `port`, which is reachable from the local machine only; 0 for a free
   * one.
   */
  metrics?: { readonly port: number }
  /**
   * Serves proofs at `GET PATH/hydra/proof?ref=REF`, where PATH is the path of the head and REF an output,
   * `txHash#index`. An answer proves that this output is in the newest signed snapshot; `verifyOutputProof` of
   * `layer-sdk/verify` checks it. A client needs the scope `read`, and each IP address gets at most one proof a second.
   * Requires hydra-node 2.2 or later.
   * @default false
   */
  proofs?: boolean
  /**
   * Time within which every head has to be served, ms. Otherwise the gateway is stopped and `createGateway` rejects
   * with the reasons. With 0, `createGateway` resolves as soon as the port is open, and the gateway goes on connecting
   * to the nodes.
   * @default 10000
   */
  readyTimeout?: number
  /**
   * Reads the IP address of a client from the last entry of `X-Forwarded-For`. Set it only behind a proxy of your own
   * that writes this header, because otherwise clients could claim any address.
   * @default false
   */
  trustProxy?: boolean
  /**
   * Receives the gateway's reports; none of them contains a token, a token's subject, CBOR or a whole address.
   * @default none
   */
  logger?: Logger
}

/** Options with defaults. */
export interface GatewaySettings {
  readonly port: number
  readonly host: string
  readonly heads: readonly GatewayHead[]
  readonly role: 'core' | 'edge' | 'both'
  readonly auth: GatewayAuth | null
  readonly anonymous: readonly GatewayScope[]
  readonly hosts: readonly string[]
  readonly limits: GatewayLimits
  readonly origins: readonly string[]
  readonly metricsPort: number | null
  readonly proofs: boolean
  readonly trustProxy: boolean
  readonly readyTimeout: number
  readonly logger: Logger
}

const NAMES: OptionNames<GatewayOptions> = {
  port: true,
  host: true,
  heads: true,
  log: true,
  role: true,
  auth: true,
  anonymous: true,
  allowInsecure: true,
  hosts: true,
  limits: true,
  origins: true,
  metrics: true,
  proofs: true,
  trustProxy: true,
  readyTimeout: true,
  logger: true
}
const ROLES: readonly unknown[] = ['core', 'edge', 'both']
const ANONYMOUS: readonly unknown[] = ['read', 'submit']
const MAX_PORT = 65_535
const READY_MS = 10_000
const SILENT: Logger = { warn: () => undefined }

/** @throws {@link InvalidArgumentError} when options cannot be used, alone or together */
export function resolveGatewayOptions(rawOptions: GatewayOptions): GatewaySettings {
  const options = readOptions(rawOptions, NAMES)
  const {
    port = 5001,
    host = '127.0.0.1',
    role = 'both',
    auth = null,
    metrics,
    trustProxy = false,
    readyTimeout = READY_MS,
    logger = SILENT
  } = options
  checkPort('port', port)
  if (metrics !== undefined) checkPort('metrics.port', metrics.port)
  if (typeof host !== 'string' || host === '') throw new InvalidArgumentError('host', 'an address to listen on', host)
  if (!ROLES.includes(role)) throw new InvalidArgumentError('role', "'core', 'edge' or 'both'", role)
  if (role !== 'both' && options.log === undefined)
    throw new InvalidArgumentError('log', `a log that processes share, for the role ${role}`, undefined)
  if (auth === null && options.allowInsecure !== true && !isLocal(host))
    throw new InvalidArgumentError(
      'auth',
      'how tokens are checked, or allowInsecure, or a host of this machine',
      undefined
    )
  if (!(Number.isSafeInteger(readyTimeout) && readyTimeout >= 0 && readyTimeout <= MAX_TIMER_MS))
    throw new InvalidArgumentError(
      'readyTimeout',
      `a whole number of milliseconds from 0 to ${MAX_TIMER_MS}`,
      readyTimeout
    )
  const anonymous = options.anonymous ?? (auth === null ? (['read', 'submit'] as const) : [])
  if (!Array.isArray(anonymous) || !anonymous.every((scope) => ANONYMOUS.includes(scope)))
    throw new InvalidArgumentError('anonymous', "an array of 'read' and 'submit': 'admin' needs a token", anonymous)
  return {
    port,
    host,
    heads: checkHeads(options.heads, role),
    role,
    auth,
    anonymous,
    hosts: checkHosts(options.hosts ?? [], host),
    limits: resolveLimits(options.limits),
    origins: checkOrigins(options.origins ?? []),
    metricsPort: metrics?.port ?? null,
    proofs: options.proofs === true,
    trustProxy: trustProxy === true,
    readyTimeout,
    logger
  }
}

function checkPort(name: string, port: unknown): void {
  if (!(Number.isSafeInteger(port) && (port as number) >= 0 && (port as number) <= MAX_PORT))
    throw new InvalidArgumentError(name, 'a port, or 0', port)
}

function isLocal(host: string): boolean {
  return isLoopback(host) || host === '::1'
}

function checkHeads(heads: unknown, role: string): readonly GatewayHead[] {
  if (!Array.isArray(heads) || heads.length === 0)
    throw new InvalidArgumentError('heads', 'an array of at least one head', heads)
  const headOf = new Map<string, string>()
  for (const { path, upstream } of heads as GatewayHead[]) {
    checkHeadPath(path)
    const isUrl = typeof upstream === 'string' && /^wss?:\/\/[^/]/i.test(upstream) && URL.canParse(upstream)
    // The URL may hold a key: it is not repeated.
    if (!isUrl && !(upstream === undefined && role === 'edge'))
      throw new InvalidArgumentError('upstream', 'a URL beginning with ws:// or wss://', byType(upstream))
    for (const namespace of namespacesOf(path)) {
      const other = headOf.get(namespace)
      if (other !== undefined)
        throw new InvalidArgumentError(
          'heads',
          `paths with names of their own: ${other} and ${path} both have ${namespace}`,
          path
        )
      headOf.set(namespace, path)
    }
  }
  return (heads as GatewayHead[]).map(({ path, upstream }) => ({
    path,
    ...(upstream === undefined ? {} : { upstream })
  }))
}

function checkOrigins(origins: readonly string[]): readonly string[] {
  for (const origin of origins) {
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin))
      throw new InvalidArgumentError(
        'origins',
        "origins as browsers send them, such as https://app.example, or '*'",
        origin
      )
  }
  return origins
}

/** Returns the names of hosts in lower case, including the one that the gateway listens on. */
function checkHosts(hosts: readonly string[], host: string): readonly string[] {
  if (!Array.isArray(hosts) || !hosts.every((name) => typeof name === 'string' && /^[\w-]+(\.[\w-]+)*$/.test(name)))
    throw new InvalidArgumentError('hosts', 'an array of names without a port, such as gateway.example', hosts)
  return [...hosts, host].map((name: string) => name.toLowerCase())
}
