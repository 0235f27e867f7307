import type { OptionNames } from '../codec/options.js'
import { readOptions } from '../codec/options.js'
import { InvalidArgumentError } from '../errors/input.js'

/** Limits of a gateway: on message sizes, rates, connections, waiting data and submissions. */
export interface GatewayLimits {
  /** Largest Socket.IO message and largest HTTP body of a client, bytes. @default 262144 */
  maxMessageBytes: number
  /**
   * Commands and HTTP requests per second of one token subject. Clients without a subject count by their IP address.
   * @default 10
   */
  commandsPerSecond: number
  /**
   * Number of commands and requests that may come in one burst; the allowance refills at the rate `commandsPerSecond`.
   * @default 20
   */
  commandBurst: number
  /** Connections of one token subject, at most. @default 100 */
  connectionsPerSubject: number
  /**
   * Connections of one IP address, at most; a Socket.IO client with a token subject counts for its subject instead.
   * @default 1000
   */
  connectionsPerIp: number
  /** Connections of one process, at most. @default 20000 */
  connections: number
  /**
   * Clients of one head in one process that receive whole snapshots, at most: those of mode `full`, and those that
   * choose no mode.
   * @default 200
   */
  fullClients: number
  /** Wallet addresses that one client may follow, at most. @default 64 */
  addresses: number
  /**
   * Bytes that may wait for one client. A client that has more falls behind: it misses messages, and receives the
   * present state later. The gateway raises the limit by itself to the size of two whole snapshots where that is more.
   * @default 1048576
   */
  unsentBytes: number
  /**
   * Bytes that may wait in the process for all Socket.IO clients together, and as many again for HTTP answers. One IP
   * address may use a quarter of the bytes for HTTP answers. An event that waits for many WebSocket clients counts
   * once; for each client that polls it counts three times its size. A client whose event does not fit falls behind and
   * receives the present state later; an HTTP answer that does not fit is refused with status 429 or 503. While less
   * than half is in use, one larger event or answer may exceed the limit. Small ones are exempt: HTTP answers up to 16
   * KiB, and events up to 64 KiB for a client that has read all before.
   * @default 16777216
   */
  unsentBytesInAll: number
  /**
   * Number of transactions of one head, submitted through one process, that may wait for their verdict (confirmed or refused);
   * further ones are refused.
   * @default 1000
   */
  submissions: number
  /**
   * Time that the gateway waits for the verdict on a submitted transaction, ms. After it the outcome is unknown: HTTP
   * answers with status 504, and the transaction may still be confirmed.
   * @default 30000
   */
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

/** Bounds on the JSON that clients send: levels of nesting, and digits of an integer. */
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
/** Time after which a client that has fallen behind and does not read is closed, ms. */
export const MAX_BEHIND_MS = 30_000
/** Time after which a client with unread bytes is closed if other clients need their room, ms. */
export const MAX_HOLDING_MS = 5_000
/** Time in which a client has to read an answer over HTTP, ms. */
export const WRITE_TIMEOUT_MS = 30_000
/** Number of outputs of one client from which on they are written only if there is room for them. */
export const MANY_OUTPUTS = 256
/** Requests of one connection that may wait for the one before them. */
export const MAX_PIPELINED = 16

const NAMES = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, true])) as OptionNames<GatewayLimits>

/** @throws {@link InvalidArgumentError} on an unknown name, and on a value that is no whole number from 1 on */
export function resolveLimits(rawLimits: Partial<GatewayLimits> = {}): GatewayLimits {
  const limits: Partial<GatewayLimits> = readOptions<Partial<GatewayLimits>>(rawLimits, NAMES, 'limits')
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new InvalidArgumentError(`limits.${name}`, 'a whole number from 1 on', value)
  }
  return { ...DEFAULTS, ...Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) }
}
