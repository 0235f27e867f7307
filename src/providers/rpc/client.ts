import { ProviderResponseError } from '../../errors/provider.js'
import type { Endpoint } from '../shared/endpoint.js'
import type { HttpClient } from '../shared/httpClient.js'
import { sendHttp } from '../shared/httpClient.js'
import { ResponseReader } from '../shared/ResponseReader.js'
import type { Policy } from '../shared/retry.js'
import { withRetries } from '../shared/retry.js'
import type { ServerFailure } from './errors.js'
import type { RpcSocket } from './RpcSocket.js'

/** One JSON-RPC call. */
export interface RpcCall {
  method: string
  params?: unknown
  /** True for a request that only reads: it may be repeated after a failure. */
  repeatable: boolean
  signal?: AbortSignal | undefined
}

/** Outcome of a call: a result with the reader for it, or the server's error object. */
export type RpcOutcome = { result: unknown; read: ResponseReader } | { failure: ServerFailure }

/** Returns the function that makes calls over HTTP, one request each. */
export function callOverHttp(client: HttpClient): (call: RpcCall) => Promise<RpcOutcome> {
  return async ({ method, params, repeatable, signal }) => {
    const id = nextId()
    // Ogmios answers a browser's preflight without allowing headers: there the body goes as plain text, which needs
    // none.
    const contentType = (globalThis as { location?: unknown }).location ? 'text/plain' : 'application/json'
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, id })
    // Ogmios sends error objects with status 400.
    const response = await sendHttp(client, {
      method: 'POST',
      path: '',
      body,
      contentType,
      repeatable,
      accept: [400],
      signal
    })
    const read = new ResponseReader(`${method} at ${response.url}`, client.endpoint.redact)
    const message = read.object(read.parse(response.text), '')
    // The response to a request that cannot be parsed has no id.
    if (message['id'] !== id && !(message['id'] == null && message['error']))
      read.check(false, 'id', `the request's own, ${id}`, message['id'])
    return readOutcome(message, read, client.endpoint)
  }
}

/** Returns the function that makes calls over one WebSocket, which is opened when needed. */
export function callOverSocket(
  socket: RpcSocket,
  endpoint: Endpoint,
  policy: Policy
): (call: RpcCall) => Promise<RpcOutcome> {
  return ({ method, params, repeatable, signal }) => {
    const details = { method, url: endpoint.label }
    return withRetries(policy, { details, repeatable, signal }, async (scope) => {
      const id = nextId()
      const message = await socket.request({
        id,
        details,
        text: JSON.stringify({ jsonrpc: '2.0', method, params, id }),
        signal: scope
      })
      return readOutcome(message, new ResponseReader(`${method} at ${endpoint.label}`, endpoint.redact), endpoint)
    })
  }
}

let lastId = 0
// One counter for all connections: a response that strays to another one matches no request there.
function nextId(): number {
  return ++lastId
}

function readOutcome(message: Record<string, unknown>, read: ResponseReader, endpoint: Endpoint): RpcOutcome {
  if ('result' in message) return { result: message['result'], read }
  const error = read.object(message['error'], 'error')
  const { code, message: text, data } = error
  if (!Number.isSafeInteger(code))
    throw new ProviderResponseError(read.url, 'error.code', 'a whole number', typeof code)
  const details =
    data === undefined
      ? ''
      : ` ${JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))}`
  const short = (long: string): string => endpoint.redact(long).slice(0, 4000)
  return {
    failure: { code: code as number, message: typeof text === 'string' ? short(text) : '', data: short(details) }
  }
}
