import { describeValue, LayerSdkError } from './base.js'
import type { ErrorDetails } from './base.js'

/** Facts about a failed connection attempt or a closed connection, as far as they are known. */
export interface ConnectionFailure {
  /** True when another attempt cannot help (refused credentials, a protocol violation, a message over the cap). */
  readonly fatal?: boolean | undefined
  /** WebSocket close code, when there was one. */
  readonly closeCode?: number | undefined
  /** HTTP status of a refused upgrade, when there was one. */
  readonly httpStatus?: number | undefined
  /** Scheme, host and port of the other side, when known; never a path, a query or credentials. */
  readonly origin?: string | undefined
}

/** The connection to the node failed, or was closed and is not restored. Check that the node runs, and its address. */
export class BridgeConnectError extends LayerSdkError<'BRIDGE_CONNECT'> {
  override readonly name = 'BridgeConnectError'
  /** True when another attempt cannot help; the bridge then does not reconnect. */
  readonly fatal: boolean
  /** WebSocket close code, when there was one. */
  readonly closeCode: number | undefined
  /** HTTP status of a refused upgrade, when there was one. */
  readonly httpStatus: number | undefined
  /** Scheme, host and port of the other side, e.g. `ws://127.0.0.1:4001`; undefined when not known. */
  readonly origin: string | undefined
  readonly #summary: string
  readonly #details: ErrorDetails & ConnectionFailure
  constructor(summary: string, details: ErrorDetails & ConnectionFailure = {}) {
    super(
      'BRIDGE_CONNECT',
      summary,
      details.origin === undefined
        ? details
        : { ...details, details: [...(details.details ?? []), `At ${details.origin}`] }
    )
    this.fatal = details.fatal ?? false
    this.closeCode = details.closeCode
    this.httpStatus = details.httpStatus
    this.origin = details.origin
    this.#summary = summary
    this.#details = details
  }

  /** Reason of the failure, e.g. `ECONNREFUSED`; undefined where the runtime does not report it. */
  get got(): string | undefined {
    return this.#details.got
  }

  /** Returns a copy of the error with the origin. `advice` replaces the line with the expected value. */
  at(origin: string, advice?: string): BridgeConnectError {
    return new BridgeConnectError(this.#summary, {
      ...this.#details,
      origin,
      expected: advice ?? this.#details.expected
    })
  }
}

/** No server answered within `connectTimeout`. Check the address, or raise the option if the network is slow. */
export class ConnectTimeoutError extends LayerSdkError<'BRIDGE_CONNECT_TIMEOUT'> {
  override readonly name = 'ConnectTimeoutError'
  /** The limit that ran out, ms. */
  readonly timeoutMs: number
  /** Scheme, host and port of the other side; undefined when not known. */
  readonly origin: string | undefined
  constructor(timeoutMs: number, origin?: string) {
    super('BRIDGE_CONNECT_TIMEOUT', 'The node did not answer the connection attempt in time.', {
      expected: `an open connection within ${timeoutMs} ms (option connectTimeout)`,
      got: 'none',
      details: origin === undefined ? [] : [`At ${origin}`]
    })
    this.timeoutMs = timeoutMs
    this.origin = origin
  }
}

/** `disconnect()` was called while a connection attempt was in progress. Call `connect()` to try again. */
export class ConnectAbortedError extends LayerSdkError<'BRIDGE_CONNECT_ABORTED'> {
  override readonly name = 'ConnectAbortedError'
  constructor() {
    super('BRIDGE_CONNECT_ABORTED', 'The connection attempt was ended by disconnect().')
  }
}

/**
 * All `maxReconnectAttempts` to restore a lost connection failed; `cause` is the last failure. Call `connect()` again.
 */
export class ReconnectExhaustedError extends LayerSdkError<'BRIDGE_RECONNECT_EXHAUSTED'> {
  override readonly name = 'ReconnectExhaustedError'
  /** Number of failed attempts. */
  readonly attempts: number
  constructor(attempts: number, cause: unknown) {
    super('BRIDGE_RECONNECT_EXHAUSTED', 'The connection could not be restored; call connect() to try again.', {
      expected: `success within ${attempts} attempts`,
      got: `${attempts} failures`,
      cause
    })
    this.attempts = attempts
  }
}

/**
 * The server accepts WebSocket connections, but it is not a head node: it sent no Greetings, and its HTTP answers are
 * not those of a node. Check host and port.
 */
export class BridgeNotANodeError extends LayerSdkError<'BRIDGE_NOT_A_NODE'> {
  override readonly name = 'BridgeNotANodeError'
  /** Trying again cannot help; the bridge does not reconnect. */
  readonly fatal = true
  /** Scheme, host and port of the server, e.g. `ws://127.0.0.1:1337`; undefined when not known. */
  readonly origin: string | undefined
  constructor(origin: string | undefined, got: string) {
    super(
      'BRIDGE_NOT_A_NODE',
      `The server${origin === undefined ? '' : ` at ${origin}`} is no head node; check host and port.`,
      {
        expected:
          'the API of a head node (its option --api-port): Greetings, and protocol parameters at GET /protocol-parameters',
        got
      }
    )
    this.origin = origin
  }
}

/** A call needs a connection to the node, and there is none. No message was sent or queued: await `connect()` first. */
export class NotConnectedError extends LayerSdkError<'BRIDGE_NOT_CONNECTED'> {
  override readonly name = 'NotConnectedError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  constructor(what: string) {
    super('BRIDGE_NOT_CONNECTED', `${what} needs a connection to the node.`, {
      expected: 'connect() to have resolved',
      got: 'no open connection'
    })
  }
}

/** A key or password would be sent unencrypted. Use `wss://` or `https://`, or allow it by `allowInsecure: true`. */
export class InsecureUrlError extends LayerSdkError<'BRIDGE_INSECURE_URL'> {
  override readonly name = 'InsecureUrlError'
  /** Trying again cannot help. */
  readonly fatal = true
  constructor(origin: string) {
    super('BRIDGE_INSECURE_URL', 'A key would be sent unencrypted.', {
      expected: 'wss:// or https://, a loopback host, or the option allowInsecure: true',
      got: origin
    })
  }
}

/** The node sent a message that does not follow its protocol. It was ignored; check the node's version. */
export class ProtocolError extends LayerSdkError<'BRIDGE_PROTOCOL'> {
  override readonly name = 'ProtocolError'
  constructor(what: string, details: ErrorDetails = {}) {
    super('BRIDGE_PROTOCOL', `${what} does not follow the node's protocol.`, details)
  }
}

/** A message or the body of an answer is larger than `maxMessageBytes`. Raise the option to receive it. */
export class MessageTooLargeError extends LayerSdkError<'BRIDGE_MESSAGE_TOO_LARGE'> {
  override readonly name = 'MessageTooLargeError'
  /** Trying again cannot help. */
  readonly fatal = true
  /** Maximum size, bytes. */
  readonly limitBytes: number
  constructor(what: string, limitBytes: number) {
    super('BRIDGE_MESSAGE_TOO_LARGE', `${what} is too large.`, {
      expected: `at most ${limitBytes} bytes (option maxMessageBytes)`,
      got: 'more'
    })
    this.limitBytes = limitBytes
  }
}

/**
 * No answer or effect came within the time limit of the call. It is unknown if the call still has its effect: read the
 * state of the head before you repeat it.
 */
export class BridgeTimeoutError extends LayerSdkError<'BRIDGE_TIMEOUT'> {
  override readonly name = 'BridgeTimeoutError'
  /** It may still happen. */
  override readonly outcome = 'unknown'
  /** The limit that ran out, ms. */
  readonly timeoutMs: number
  constructor(what: string, timeoutMs: number, reason?: string) {
    super('BRIDGE_TIMEOUT', `${what} did not finish in time.`, {
      expected: `an answer within ${timeoutMs} ms`,
      got: reason ?? 'none'
    })
    this.timeoutMs = timeoutMs
  }
}

/**
 * The node accepted a request, but saw no effect of it within its own time limit (option `--api-transaction-timeout`).
 * It is unknown if the effect still comes: read the state of the head before you repeat the request.
 */
export class NodeTimeoutError extends LayerSdkError<'BRIDGE_NODE_TIMEOUT'> {
  override readonly name = 'NodeTimeoutError'
  /** Always `'unknown'`: the action may still have its effect. */
  override readonly outcome = 'unknown'
  /** The node's own words, e.g. `Operation timed out after 300s seconds`. */
  readonly reason: string
  constructor(what: string, reason: string) {
    super(
      'BRIDGE_NODE_TIMEOUT',
      `${what} has had no effect within the node's own time limit; look at the head before you repeat it.`,
      { got: reason }
    )
    this.reason = reason
  }
}

/**
 * The bridge was disconnected before an answer came. It is unknown if the node carried out the request: connect again
 * and read the state of the head.
 */
export class BridgeDisconnectedError extends LayerSdkError<'BRIDGE_DISCONNECTED'> {
  override readonly name = 'BridgeDisconnectedError'
  /** It may still happen. */
  override readonly outcome = 'unknown'
  constructor(what: string) {
    super('BRIDGE_DISCONNECTED', `${what} was cut off: the bridge is disconnected.`)
  }
}

/**
 * The bridge has not received a snapshot on this connection yet, so it cannot know balances and outputs. Await
 * `connect()`, or call `querySnapshotUtxo()`.
 */
export class CacheColdError extends LayerSdkError<'BRIDGE_CACHE_COLD'> {
  override readonly name = 'CacheColdError'
  constructor() {
    super('BRIDGE_CACHE_COLD', 'No snapshot has been seen on this connection yet.', {
      expected: 'a first snapshot, or a call of querySnapshotUtxo()'
    })
  }
}

/** An option of a bridge or connector is invalid, or cannot be combined with the others. Correct the option. */
export class BridgeOptionsError extends LayerSdkError<'BRIDGE_OPTIONS'> {
  override readonly name = 'BridgeOptionsError'
  /** Trying again cannot help. */
  readonly fatal = true
  /** Name of the wrong option. */
  readonly option: string
  constructor(option: string, expected: string, got: unknown) {
    super(
      'BRIDGE_OPTIONS',
      option === 'options' ? 'The options cannot be used.' : `The option ${option} cannot be used.`,
      {
        expected,
        got: describeValue(got)
      }
    )
    this.option = option
  }
}
