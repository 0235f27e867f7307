import { parseJson, stringifyJson } from '../../../codec/json.js'
import { BridgeConnectError, ProtocolError } from '../../../errors/bridge.js'
import { UnsupportedByConnectorError } from '../../../errors/operation.js'
import type { ConnectorListener } from '../Connector.js'

/** Passes an event of a gateway to the listener: a message of the node, or an error. */
export function deliver(message: unknown, listener: ConnectorListener): void {
  const { status, data, tag } = (typeof message === 'object' && message !== null ? message : {}) as Record<
    string,
    unknown
  >
  if (typeof data === 'object' && data !== null) listener.onMessage(data)
  else if (typeof tag === 'string') listener.onMessage(message)
  else
    listener.onInvalid(
      new ProtocolError('An event of the gateway', {
        expected: 'a message of the node',
        got: status === 'fail' ? 'a failure without data' : 'none'
      })
    )
}

/** Returns the error for a connection that the gateway refused. */
export function refusal(error: Error): BridgeConnectError {
  const { context, type } = error as { context?: { status?: unknown }; type?: unknown }
  const httpStatus = typeof context?.status === 'number' ? context.status : undefined
  // An error without a type was sent by the gateway itself; its text is not repeated, it may echo the token.
  const denied =
    httpStatus === 401 ||
    httpStatus === 403 ||
    (type === undefined && /auth|token|jwt|credential|forbidden|denied|expired/i.test(error.message))
  const misused = type === undefined && error.message === 'bad request'
  const summary = denied
    ? 'The gateway refused the credentials.'
    : misused
      ? 'The gateway refused the options.'
      : 'The gateway could not be reached.'
  return new BridgeConnectError(summary, {
    got:
      httpStatus === undefined
        ? type === undefined
          ? 'a refusal of the namespace'
          : String(type)
        : `HTTP ${httpStatus}`,
    httpStatus,
    fatal: denied || misused
  })
}

/** Returns the body of a commit for a gateway, which drafts deposits of plain outputs only. */
export function commitBody(text: string): string {
  const body = parseJson(text) as Record<string, unknown>
  if ('blueprintTx' in body) throw new UnsupportedByConnectorError('A commit of a blueprint transaction', 'a UTxO map')
  return stringifyJson({ type: 'simple', data: { utxo: body['utxoToCommit'] ?? body } })
}

/** Returns the node's own JSON text of a gateway's answer, which may be wrapped: `{ data }` or `{ status, data }`. */
export function unwrap(text: string): string {
  if (!/^\s*\{\s*("\w+"\s*:\s*("[^"]*"|\w+)\s*,\s*)*"data"/.test(text)) return text
  try {
    return stringifyJson((parseJson(text) as Record<string, unknown>)['data'])
  } catch {
    return text
  }
}
