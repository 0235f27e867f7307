import { isLayerError } from '../../errors/base.js'
import { BridgeConnectError, MessageTooLargeError } from '../../errors/bridge.js'

type Peer = 'node' | 'gateway'

// RFC 6455 7.4.1: protocol error, unsupported data, bad data, policy violation, too big, missing extension;
// and the private codes that servers use for refused credentials. The same would happen again.
const FATAL_CLOSE_CODES: ReadonlySet<number> = /* @__PURE__ */ new Set([1002, 1003, 1007, 1008, 1009, 1010, 4401, 4403])

/**
 * Returns the error for a socket that closed with `closeCode`. The server's reason is not repeated: it may echo a key.
 */
export function closedError(closeCode: number | undefined, opened: boolean, peer: Peer = 'node'): BridgeConnectError {
  return new BridgeConnectError(
    opened ? `The connection to the ${peer} was closed.` : `The ${peer} could not be reached.`,
    {
      got: closeCode === undefined ? 'the end of the connection' : `close code ${closeCode}`,
      closeCode,
      fatal: closeCode !== undefined && FATAL_CLOSE_CODES.has(closeCode)
    }
  )
}

/** Returns the error for a server that answered the upgrade with a plain HTTP status. */
export function refusedUpgradeError(httpStatus: number): BridgeConnectError {
  const fatal = httpStatus === 401 || httpStatus === 403
  return new BridgeConnectError(fatal ? 'The node refused the credentials.' : 'The server did not open a WebSocket.', {
    expected: 'HTTP 101',
    got: `HTTP ${httpStatus}`,
    httpStatus,
    fatal
  })
}

/** Returns the error for a gateway that answered with a status other than success. */
export function gatewayStatusError(httpStatus: number): BridgeConnectError {
  const fatal = httpStatus === 401 || httpStatus === 403
  // Browsers show a redirect as status 0.
  const redirect = httpStatus === 0 || (httpStatus >= 300 && httpStatus < 400)
  return new BridgeConnectError(
    fatal
      ? 'The gateway refused the credentials.'
      : redirect
        ? 'The gateway redirects: give the URL that it redirects to, redirects are not followed.'
        : 'The gateway could not be reached.',
    {
      got: httpStatus === 0 ? 'a redirect' : `HTTP ${httpStatus}`,
      httpStatus,
      fatal
    }
  )
}

/**
 * Returns the error for a socket that failed below HTTP. Keeps short system codes only, because a message may contain
 * the URL.
 */
export function networkError(error: unknown, peer: Peer = 'node'): BridgeConnectError {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return new BridgeConnectError(`The ${peer} could not be reached.`, {
    got: typeof code === 'string' ? code : undefined
  })
}

/** Returns the error for a socket of `ws`, by the code of its own error. */
export function socketError(
  error: unknown,
  maxBytes: number,
  peer: Peer = 'node'
): BridgeConnectError | MessageTooLargeError {
  const code = (error as { code?: unknown } | undefined)?.code
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return new MessageTooLargeError(`A message of the ${peer}`, maxBytes)
  if (code === 'WS_ERR_INVALID_UTF8') return closedError(1007, true, peer)
  return typeof code === 'string' && code.startsWith('WS_ERR')
    ? closedError(1002, true, peer)
    : networkError(error, peer)
}

/**
 * Returns the error for an attempt that failed before it began. An error of this package is returned as it is. The
 * error of a caller's `url` or `token` function does not end reconnecting, because the function may work next time.
 */
export function preparationError(error: unknown): Error {
  if (!isLayerError(error)) return new BridgeConnectError('The connection could not be prepared.', { cause: error })
  return error.code === 'RUNTIME_UNSUPPORTED' ? Object.assign(error, { fatal: true }) : error
}
