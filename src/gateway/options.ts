import { MAX_TIMER_MS } from '../constants.js'
import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
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
  /** Path that it is served at, e.g. `/games`; `/` for the only one. */
  readonly path: string
  /** WebSocket URL of its node: `ws://` or `wss://`. An edge that is no core needs none. */
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
  /** Log that core and edges share. @default memoryLog() */
  log?: GatewayLog
  /**
   * `core`: the connection to the node. `edge`: the clients. Anything but `both` needs a log that processes share.
   * @default 'both'
   */
  role?: 'core' | 'edge' | 'both'
  /** Check of tokens; without it there are no tokens, and the host has to be of this machine. */
  auth?: GatewayAuth
  /** Scopes of a client without a token. @default [] with `auth`, ['read', 'submit'] without */
  anonymous?: readonly GatewayScope[]
  /** Allows other hosts without `auth`. @default false */
  allowInsecure?: boolean
  /**
   * Names, as in `gateway.example`, that requests may have as Host where there is no `auth`, besides this machine and
   * addresses: a page that lets its own name lead here (DNS rebinding) is refused. @default []
   */
  hosts?: readonly string[]
  /** Bounds on clients. */
  limits?: Partial<GatewayLimits>
  /**
   * Origins of pages that may connect, exactly as browsers send them; `'*'` for all. A client that sends none passes.
   * @default []
   */
  origins?: readonly string[]
  /** Serves `/metrics` for Prometheus on a `port` of this machine; 0 for a free one. */
  metrics?: { readonly port: number }
  /**
   * Serves `GET P/hydra/proof?ref=`, with the scope `read`: that one output is in the newest signed snapshot, for
   * `verifyOutputProof` of `layer-sdk/verify`. Each IP address gets one a second at most. Needs nodes from 2.2.
   * @default false
   */
  proofs?: boolean
  /**
   * Time in which every head has to be served, ms. After it `createGateway` stops and rejects with the reasons. 0: it
   * resolves as soon as it listens, and continues to connect.
   * @default 10000
   */
  readyTimeout?: number
  /** Reads the address of clients from `X-Forwarded-For`, which a proxy of yours has to set. @default false */
  trustProxy?: boolean
  /** Receives the reports of the gateway: none holds a token, subject, CBOR or full address. @default none */
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
export function resolveGatewayOptions(given: GatewayOptions): GatewaySettings {
  const options = readOptions(given, NAMES)
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
  const taken = new Map<string, string>()
  for (const { path, upstream } of heads as GatewayHead[]) {
    checkHeadPath(path)
    const isUrl = typeof upstream === 'string' && /^wss?:\/\/[^/]/i.test(upstream) && URL.canParse(upstream)
    // The URL may hold a key: it is not repeated.
    if (!isUrl && !(upstream === undefined && role === 'edge'))
      throw new InvalidArgumentError('upstream', 'a URL beginning with ws:// or wss://', typeof upstream)
    for (const namespace of namespacesOf(path)) {
      const other = taken.get(namespace)
      if (other !== undefined)
        throw new InvalidArgumentError(
          'heads',
          `paths with names of their own: ${other} and ${path} both have ${namespace}`,
          path
        )
      taken.set(namespace, path)
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

/** Names of hosts in lower case, with the one that is listened on. */
function checkHosts(hosts: readonly string[], host: string): readonly string[] {
  if (!Array.isArray(hosts) || !hosts.every((name) => typeof name === 'string' && /^[\w-]+(\.[\w-]+)*$/.test(name)))
    throw new InvalidArgumentError('hosts', 'an array of names without a port, such as gateway.example', hosts)
  return [...hosts, host].map((name: string) => name.toLowerCase())
}
