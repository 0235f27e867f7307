import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { InvalidArgumentError } from '../errors/input.js'

/** Bounds on clients. */
export interface GatewayLimits {
  /** Largest message of a client and largest body, bytes. @default 262144 */
  maxMessageBytes: number
  /** Commands and requests per second of one subject, or of one IP address without a token. @default 10 */
  commandsPerSecond: number
  /** Number of commands that may come at once. @default 20 */
  commandBurst: number
  /** Connections of one subject, at most. @default 100 */
  connectionsPerSubject: number
  /** Connections of one IP address, at most. @default 1000 */
  connectionsPerIp: number
  /** Connections of one process, at most. @default 20000 */
  connections: number
  /** Clients of one process that receive whole snapshots, plain ones included, at most. @default 200 */
  fullClients: number
  /** Addresses of one client, at most. @default 64 */
  addresses: number
  /**
   * Bytes that may wait for one client; a client that falls behind receives a snapshot later. At least two snapshots.
   * @default 1048576
   */
  unsentBytes: number
  /**
   * Bytes that may wait in the process for all sockets together, and as many for all answers over HTTP, a quarter of it
   * for those of one IP address. An event that many wait for counts once, an event that polling copies three times. An
   * event that does not fit waits for its turn while half of it is in use, and large answers are refused. @default
   * 16777216
   */
  unsentBytesInAll: number
  /** Submissions under way in one head, at most. @default 1000 */
  submissions: number
  /** Time that the gateway waits for a verdict, ms. @default 30000 */
  verdictTimeout: number
}

const DEFAULTS: GatewayLimits = {
  maxMessageBytes: 262_144,
  commandsPerSecond: 10,
  commandBurst: 20,
  connectionsPerSubject: 100,
  connectionsPerIp: 1_000,
  connections: 20_000,
  fullClients: 200,
  addresses: 64,
  unsentBytes: 1_048_576,
  unsentBytesInAll: 16_777_216,
  submissions: 1_000,
  verdictTimeout: 30_000
}

/** JSON of clients: levels, and digits of an integer. */
export const JSON_BOUNDS = { depth: 64, digits: 40 } as const
/** Namespaces that one connection may join. */
export const MAX_NAMESPACES = 4
/** Refused joins after which a connection is closed. */
export const MAX_REFUSED_JOINS = 16
/** Time that a connection may stay without a namespace, ms. */
export const CONNECT_TIMEOUT_MS = 5_000
/** Time in which the headers of a request have to arrive, ms. */
export const HEADERS_TIMEOUT_MS = 10_000
/** Time in which a request has to arrive, ms. */
export const REQUEST_TIMEOUT_MS = 30_000
/** Time that a client may stay behind, ms. */
export const MAX_BEHIND_MS = 30_000
/** Time that a client may leave bytes unread while others wait for their room, ms. */
export const MAX_HOLDING_MS = 5_000
/** Time in which a client has to read an answer over HTTP, ms. */
export const WRITE_TIMEOUT_MS = 30_000
/** Outputs of one client beyond which they are written only where there is room for them. */
export const MANY_OUTPUTS = 256
/** Requests of one connection that may wait for the one before them. */
export const MAX_PIPELINED = 16

const NAMES = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, true])) as OptionNames<GatewayLimits>

/** @throws {@link InvalidArgumentError} on an unknown name, and on a value that is no whole number from 1 on */
export function resolveLimits(given: Partial<GatewayLimits> = {}): GatewayLimits {
  const limits: Partial<GatewayLimits> = readOptions<Partial<GatewayLimits>>(given, NAMES, 'limits')
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new InvalidArgumentError(`limits.${name}`, 'a whole number from 1 on', value)
  }
  return { ...DEFAULTS, ...Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) }
}
