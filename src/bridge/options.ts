import {
  DEFAULT_CHECK_INTERVAL,
  DEFAULT_CONNECT_TIMEOUT,
  DEFAULT_LIVENESS_TIMEOUT,
  DEFAULT_RECONNECT_INTERVAL,
  DEFAULT_RECONNECT_JITTER,
  DEFAULT_REQUEST_TIMEOUT,
  MAX_CHECK_INTERVAL
} from '../constants.js'
import type { OptionNames } from '../codec/options.js'
import { described, byType } from '../errors/base.js'
import { BridgeOptionsError } from '../errors/bridge.js'
import { checkOptions, numberOption } from './connection/checkOptions.js'
import type { ConnectionPolicy } from './connection/reconnectPolicy.js'
import type { Connector } from './connection/Connector.js'
import { WEBSOCKET_OPTIONS, WebsocketConnector } from './connection/websocket/WebsocketConnector.js'
import type { WebsocketConnectorOptions } from './connection/websocket/WebsocketConnector.js'
import { DEFAULT_MAX_KEPT_TEXT } from './head/limits.js'
import { createLog } from './delivery/log.js'
import type { Logger } from '../types/logger.js'
import type { Log } from './delivery/log.js'
import type { VerificationRule } from '../verify/inner.js'
import { VerifyingConnector } from './verification/VerifyingConnector.js'
import type { BridgeVerification, VerificationListener } from './verification/types.js'

/** Options of every bridge. */
export interface CommonBridgeOptions {
  /** Logs the bridge's operation. @default false */
  verbose?: boolean
  /** Connects again when the connection drops or a first attempt fails. @default false */
  autoReconnect?: boolean
  /** Mean wait between two attempts, ms. @default 3000 */
  reconnectInterval?: number
  /**
   * Maximum number of attempts in a row; 0 is no limit. The count restarts once a connection has lasted for 5 s, or for
   * `reconnectInterval` if that is longer. @default 0
   */
  maxReconnectAttempts?: number
  /** Random variation of the wait, as a share of it in both directions, 0 to 1. @default 0.25 */
  reconnectJitter?: number
  /** Time limit of one attempt, ms. @default 10000 */
  connectTimeout?: number
  /** A connection without traffic for this long counts as dead and is replaced, ms. @default 45000 */
  livenessTimeout?: number
  /** Time limit of one HTTP request, retries included, ms. @default 30000 */
  requestTimeout?: number
  /**
   * Maximum length of a snapshot's text that is kept in memory, characters. The next snapshot is compared with that
   * text, so that only the changes are read. Of a longer text only the keys of the outputs are kept, which makes
   * reading slower and saves about 356 bytes an output. @default 67108864
   */
  maxKeptText?: number
  /**
   * Receives the log lines; with a logger, warnings are written without `verbose` too. Keys are never written. @default
   * console
   */
  logger?: Logger
  /**
   * Verifies snapshots: one that not all parties have signed reaches neither the cache nor a handler, and
   * `onUnverified` reports it. `'from-head'` stands for `{ parties: 'from-head' }`. Cannot be combined with `address`,
   * because a part of the outputs cannot be verified. @default no snapshot is verified
   */
  verify?: BridgeVerification | 'from-head'
}

/** Options of a bridge that connects to a node or hub itself. */
export interface DirectBridgeOptions
  extends CommonBridgeOptions, Omit<WebsocketConnectorOptions, 'websocketUrl' | 'browser'> {
  /**
   * WebSocket URL of the node, or of a hub with its query; or a function that returns it, called for every attempt and
   * request.
   */
  url: string | (() => string | Promise<string>)
  /** Not together with `url`. */
  connector?: never
}

/** Options of a bridge that uses a given connector. */
export interface ConnectorBridgeOptions extends CommonBridgeOptions {
  /** Connector through which the bridge reaches the node. */
  connector: Connector
  /** Not together with `connector`. */
  url?: never
}

/** Options of {@link LayerBridge}: exactly one of `url` and `connector`. */
export type InitLayerBridgeOptions = DirectBridgeOptions | ConnectorBridgeOptions

/** Options with their defaults filled in. */
export interface ResolvedBridgeOptions {
  readonly connector: Connector
  /** The same connector if it verifies snapshots, else null. */
  readonly verifier: VerifyingConnector | null
  readonly policy: ConnectionPolicy
  readonly requestTimeout: number
  readonly maxKeptText: number
  readonly log: Log
}

const CONNECTOR_BRIDGE_OPTIONS: OptionNames<ConnectorBridgeOptions> = {
  url: true,
  connector: true,
  verbose: true,
  autoReconnect: true,
  reconnectInterval: true,
  maxReconnectAttempts: true,
  reconnectJitter: true,
  connectTimeout: true,
  livenessTimeout: true,
  requestTimeout: true,
  maxKeptText: true,
  logger: true,
  verify: true
}
const VERIFY_OPTIONS: OptionNames<BridgeVerification> = {
  parties: true,
  headId: true,
  rule: true,
  accelerator: true,
  checkInterval: true
}
/** Names of all verification rules, repeated here because an import would load the verification into every bridge. */
const RULES: readonly VerificationRule[] = ['0.20-2.1', '2.2', '2.3', '2.4', 'next']
const DIRECT_BRIDGE_OPTIONS: OptionNames<DirectBridgeOptions> = {
  ...CONNECTOR_BRIDGE_OPTIONS,
  history: true,
  noSnapshotUtxo: true,
  address: true,
  allowInsecure: true,
  maxMessageBytes: true,
  webSocketImpl: true,
  fetch: true
}

/** Every option of a bridge. */
export const BRIDGE_OPTION_NAMES: OptionNames<DirectBridgeOptions> = DIRECT_BRIDGE_OPTIONS

type GivenOptions = Partial<Omit<DirectBridgeOptions, 'connector'>> & { connector?: Connector }

/** Fills in the defaults. @throws {@link BridgeOptionsError} */
export function resolveBridgeOptions(
  options: InitLayerBridgeOptions,
  listener: VerificationListener
): ResolvedBridgeOptions {
  // Only the type of the received value: a URL may hold a key.
  if (typeof (options ?? {}) !== 'object')
    throw new BridgeOptionsError('options', "an object such as { url: 'ws://127.0.0.1:4001' }", byType(options))
  const checkedOptions = checkOptions<GivenOptions>(options ?? {}, DIRECT_BRIDGE_OPTIONS)
  if (checkedOptions.url === undefined && checkedOptions.connector === undefined) {
    throw new BridgeOptionsError(
      'url',
      'the WebSocket URL of a node, e.g. ws://127.0.0.1:4001, or the option connector',
      undefined
    )
  }
  if (checkedOptions.url !== undefined && checkedOptions.connector !== undefined)
    throw new BridgeOptionsError('url', 'only one of url and connector', described('both'))
  // With a given connector, options of the built-in one would be ignored silently.
  if (checkedOptions.connector !== undefined) {
    const used = Object.fromEntries(Object.entries(checkedOptions).filter(([, value]) => value !== undefined))
    checkOptions<GivenOptions>(used, CONNECTOR_BRIDGE_OPTIONS as OptionNames<GivenOptions>)
  }
  const time = (name: keyof CommonBridgeOptions, fallback: number, least = 1): number =>
    numberOption(checkedOptions, name, fallback, least)
  const policy: ConnectionPolicy = {
    autoReconnect: checkedOptions.autoReconnect ?? false,
    reconnectInterval: time('reconnectInterval', DEFAULT_RECONNECT_INTERVAL, 0),
    reconnectJitter: numberOption(checkedOptions, 'reconnectJitter', DEFAULT_RECONNECT_JITTER, 0, 1),
    maxReconnectAttempts: time('maxReconnectAttempts', 0, 0),
    connectTimeout: time('connectTimeout', DEFAULT_CONNECT_TIMEOUT),
    livenessTimeout: time('livenessTimeout', DEFAULT_LIVENESS_TIMEOUT)
  }
  const log = createLog(checkedOptions.verbose ?? false, checkedOptions.logger)
  const connector =
    checkedOptions.connector === undefined
      ? connectorOf(checkedOptions as DirectBridgeOptions, log)
      : assertConnector(checkedOptions.connector)
  const verifier = checkedOptions.verify === undefined ? null : verifierOf(connector, checkedOptions, listener)
  return {
    connector: verifier ?? connector,
    verifier,
    policy,
    requestTimeout: time('requestTimeout', DEFAULT_REQUEST_TIMEOUT),
    maxKeptText: numberOption(checkedOptions, 'maxKeptText', DEFAULT_MAX_KEPT_TEXT, 0),
    log
  }
}

function verifierOf(
  connector: Connector,
  { verify, noSnapshotUtxo }: GivenOptions,
  listener: VerificationListener
): VerifyingConnector {
  const verification: BridgeVerification =
    verify === 'from-head' ? { parties: verify } : checkOptions<BridgeVerification>(verify!, VERIFY_OPTIONS)
  const { parties, headId, rule, accelerator } = verification
  const isKey = (key: unknown): boolean => typeof key === 'string' && /^[\da-f]{64}$/.test(key)
  if (parties !== 'from-head' && !(Array.isArray(parties) && parties.length > 0 && parties.every(isKey))) {
    throw new BridgeOptionsError(
      'verify.parties',
      "'from-head', or an array of head keys, 64 lower-case hex digits each",
      parties
    )
  }
  if (headId !== undefined && !/^[\da-f]{56}$/.test(String(headId)))
    throw new BridgeOptionsError('verify.headId', '56 lower-case hex digits', headId)
  if (rule !== undefined && !RULES.includes(rule)) throw new BridgeOptionsError('verify.rule', RULES.join(', '), rule)
  if (accelerator !== undefined && typeof accelerator?.msm !== 'function')
    throw new BridgeOptionsError('verify.accelerator', 'an object with a function msm', accelerator)
  if (connector.capabilities.partial)
    throw new BridgeOptionsError('verify', 'whole snapshots', described('those of one address'))
  return new VerifyingConnector(
    connector,
    {
      parties: parties === 'from-head' ? parties : [...parties],
      ...(headId === undefined ? {} : { headId }),
      ...(rule === undefined ? {} : { rule }),
      ...(accelerator === undefined ? {} : { accelerator }),
      checkInterval: numberOption(verification, 'checkInterval', DEFAULT_CHECK_INTERVAL, 0, MAX_CHECK_INTERVAL),
      isLean: noSnapshotUtxo === true
    },
    listener
  )
}

function assertConnector(connector: Connector): Connector {
  if (connector?.capabilities && typeof connector.open === 'function') return connector
  throw new BridgeOptionsError('connector', 'a Connector', connector)
}

function connectorOf({ url, ...options }: DirectBridgeOptions, log: Log): Connector {
  if (typeof url !== 'string' && typeof url !== 'function') throw new BridgeOptionsError('url', 'a WebSocket URL', url)
  let warned = false
  const websocketOptions = Object.fromEntries(Object.entries(options).filter(([name]) => name in WEBSOCKET_OPTIONS))
  return new WebsocketConnector({ ...websocketOptions, websocketUrl: url }, (host) => {
    if (!warned) log.warn(() => `the connection to ${host} is not encrypted`)
    warned = true
  })
}
