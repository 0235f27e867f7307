import { isLayerError } from '../../errors/base.js'
import { BridgeConnectError } from '../../errors/bridge.js'

// RFC 6455 7.4.1: protocol error, unsupported data, bad data, policy violation, too big, missing extension;
// and the private codes that servers use for refused credentials. The same would happen again.
const FATAL_CLOSE_CODES: ReadonlySet<number> = /* @__PURE__ */ new Set([1002, 1003, 1007, 1008, 1009, 1010, 4401, 4403])

/** The error of a socket that closed with `closeCode`. The server's reason is not repeated: it may echo a key. */
export function closedError(closeCode: number, opened: boolean): BridgeConnectError {
  return new BridgeConnectError(opened ? 'The connection to the node was closed.' : 'The node could not be reached.', {
    got: `close code ${closeCode}`, closeCode, fatal: FATAL_CLOSE_CODES.has(closeCode)
  })
}

/** The error of a server that answered the upgrade with a plain HTTP status. */
export function refusedUpgradeError(httpStatus: number): BridgeConnectError {
  const fatal = httpStatus === 401 || httpStatus === 403
  return new BridgeConnectError(fatal ? 'The node refused the credentials.' : 'The server did not open a WebSocket.', {
    expected: 'HTTP 101', got: `HTTP ${httpStatus}`, httpStatus, fatal
  })
}

/** The error of a socket that failed below HTTP; only short system codes are kept, a message may repeat the URL. */
export function networkError(error: unknown): BridgeConnectError {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return new BridgeConnectError('The node could not be reached.', { got: typeof code === 'string' ? code : undefined })
}

/** The error of an attempt that never began. What our own errors say about options stands; a caller's `url` or `token` function may work next time. */
export function preparationError(error: unknown): Error {
  if (!isLayerError(error)) return new BridgeConnectError('The connection could not be prepared.', { cause: error })
  return error.code === 'RUNTIME_UNSUPPORTED' ? Object.assign(error, { fatal: true }) : error
}
