import { describeValue, LayerSdkError } from './base.js'
import type { ErrorFacts } from './base.js'

/** What is known about why a connection attempt failed or a connection ended. */
export interface ConnectionFailure {
  /** Whether trying again cannot help (refused credentials, a protocol violation, a message over the cap). */
  readonly fatal?: boolean | undefined
  /** WebSocket close code, when there was one. */
  readonly closeCode?: number | undefined
  /** HTTP status of a refused upgrade, when there was one. */
  readonly httpStatus?: number | undefined
}

/** A connection to the node could not be made, or was closed for good. */
export class BridgeConnectError extends LayerSdkError {
  override readonly name = 'BridgeConnectError'
  override readonly code = 'BRIDGE_CONNECT'
  readonly fatal: boolean
  readonly closeCode: number | undefined
  readonly httpStatus: number | undefined
  constructor(summary: string, facts: ErrorFacts & ConnectionFailure = {}) {
    super(summary, facts)
    this.fatal = facts.fatal ?? false
    this.closeCode = facts.closeCode
    this.httpStatus = facts.httpStatus
  }
}

/** Nothing answered within `connectTimeout`. */
export class ConnectTimeoutError extends LayerSdkError {
  override readonly name = 'ConnectTimeoutError'
  override readonly code = 'BRIDGE_CONNECT_TIMEOUT'
  /** The limit that ran out, ms. */
  readonly timeoutMs: number
  constructor(timeoutMs: number) {
    super('The node did not answer the connection attempt in time.', { expected: `an open connection within ${timeoutMs} ms`, got: 'none' })
    this.timeoutMs = timeoutMs
  }
}

/** `disconnect()` was called while a connection attempt was under way. */
export class ConnectAbortedError extends LayerSdkError {
  override readonly name = 'ConnectAbortedError'
  override readonly code = 'BRIDGE_CONNECT_ABORTED'
  constructor() {
    super('The connection attempt was ended by disconnect().')
  }
}

/** All `maxReconnectAttempts` were used without success; `cause` is the last failure. */
export class ReconnectExhaustedError extends LayerSdkError {
  override readonly name = 'ReconnectExhaustedError'
  override readonly code = 'BRIDGE_RECONNECT_EXHAUSTED'
  readonly attempts: number
  constructor(attempts: number, cause: unknown) {
    super('The connection could not be restored; call connect() to try again.', {
      expected: `success within ${attempts} attempts`, got: `${attempts} failures`, cause
    })
    this.attempts = attempts
  }
}

/** Something that needs a connection was called without one. Nothing was sent, nothing is queued. */
export class NotConnectedError extends LayerSdkError {
  override readonly name = 'NotConnectedError'
  override readonly code = 'BRIDGE_NOT_CONNECTED'
  constructor(what: string) {
    super(`${what} needs a connection to the node.`, { expected: 'connect() to have resolved', got: 'no open connection' })
  }
}

/** A key or password would travel in clear text. */
export class InsecureUrlError extends LayerSdkError {
  override readonly name = 'InsecureUrlError'
  override readonly code = 'BRIDGE_INSECURE_URL'
  readonly fatal = true
  constructor(origin: string) {
    super('A key would be sent unencrypted.', {
      expected: 'wss:// or https://, a loopback host, or the option allowInsecure: true', got: origin
    })
  }
}

/** The node sent something that is not a message of its protocol; it was ignored. */
export class ProtocolError extends LayerSdkError {
  override readonly name = 'ProtocolError'
  override readonly code = 'BRIDGE_PROTOCOL'
  constructor(what: string, facts: ErrorFacts = {}) {
    super(`${what} does not follow the node's protocol.`, facts)
  }
}

/** A message or a body is larger than `maxMessageBytes`. */
export class MessageTooLargeError extends LayerSdkError {
  override readonly name = 'MessageTooLargeError'
  override readonly code = 'BRIDGE_MESSAGE_TOO_LARGE'
  readonly fatal = true
  /** The cap, bytes. */
  readonly limitBytes: number
  constructor(what: string, limitBytes: number) {
    super(`${what} is too large.`, { expected: `at most ${limitBytes} bytes (option maxMessageBytes)`, got: 'more' })
    this.limitBytes = limitBytes
  }
}

/** Something did not happen within its limit. Whether it still will is unknown. */
export class BridgeTimeoutError extends LayerSdkError {
  override readonly name = 'BridgeTimeoutError'
  override readonly code = 'BRIDGE_TIMEOUT'
  readonly outcome = 'unknown'
  readonly timeoutMs: number
  constructor(what: string, timeoutMs: number, reason?: string) {
    super(`${what} did not finish in time.`, { expected: `an answer within ${timeoutMs} ms`, got: reason ?? 'none' })
    this.timeoutMs = timeoutMs
  }
}

/** The bridge was disconnected before an answer came. Whether the node acted is unknown. */
export class BridgeDisconnectedError extends LayerSdkError {
  override readonly name = 'BridgeDisconnectedError'
  override readonly code = 'BRIDGE_DISCONNECTED'
  readonly outcome = 'unknown'
  constructor(what: string) {
    super(`${what} was cut off: the bridge is disconnected.`)
  }
}

/** The cache has not been seeded, so an answer would be a guess. */
export class CacheColdError extends LayerSdkError {
  override readonly name = 'CacheColdError'
  override readonly code = 'BRIDGE_CACHE_COLD'
  constructor() {
    super('No snapshot has been seen on this connection yet.', { expected: 'a first snapshot, or a call of querySnapshotUtxo()' })
  }
}

/** The options of a bridge or connector cannot be used together. */
export class BridgeOptionsError extends LayerSdkError {
  override readonly name = 'BridgeOptionsError'
  override readonly code = 'BRIDGE_OPTIONS'
  readonly fatal = true
  /** The option at fault. */
  readonly option: string
  constructor(option: string, expected: string, got: unknown) {
    super(`The option ${option} cannot be used.`, { expected, got: describeValue(got) })
    this.option = option
  }
}
