import { ProviderResponseError } from '../../errors/provider.js'
import type { Endpoint } from '../shared/endpoint.js'
import type { HttpClient } from '../shared/httpClient.js'
import { sendHttp } from '../shared/httpClient.js'
import { AnswerReader } from '../shared/ResponseReader.js'
import type { Policy } from '../shared/retry.js'
import { withRetries } from '../shared/retry.js'
import type { RpcFailure } from './errors.js'
import type { RpcSocket } from './RpcSocket.js'

/** One call. */
export interface RpcCall {
  method: string
  params?: unknown
  /** Whether it may be sent again after a failure: it only reads. */
  repeatable: boolean
  signal?: AbortSignal | undefined
}

/** What a call is answered with. */
export type RpcOutcome = { result: unknown; read: AnswerReader } | { failure: RpcFailure }

/** Calls over HTTP, one request each. */
export function callOverHttp(client: HttpClient): (call: RpcCall) => Promise<RpcOutcome> {
  return async ({ method, params, repeatable, signal }) => {
    const id = nextId()
    // Ogmios answers a browser's preflight without allowing headers: there the body goes as plain text, which needs none.
    const contentType = (globalThis as { location?: unknown }).location ? 'text/plain' : 'application/json'
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, id })
    // Ogmios sends error objects with status 400.
    const answer = await sendHttp(client, { method: 'POST', path: '', body, contentType, repeatable, accept: [400], signal })
    const read = new AnswerReader(`${method} at ${answer.url}`, client.endpoint.redact)
    const message = read.object(read.parse(answer.text), '')
    // A request that cannot be read at all is answered without its id.
    if (message['id'] !== id && !(message['id'] == null && message['error'])) read.check(false, 'id', `the request's own, ${id}`, message['id'])
    return readOutcome(message, read, client.endpoint)
  }
}

/** Calls over one WebSocket, which is opened when needed. */
export function callOverSocket(socket: RpcSocket, endpoint: Endpoint, policy: Policy): (call: RpcCall) => Promise<RpcOutcome> {
  return ({ method, params, repeatable, signal }) => {
    const facts = { method, url: endpoint.label }
    return withRetries(policy, { facts, repeatable, signal }, async (scope) => {
      const id = nextId()
      const message = await socket.request({ id, facts, text: JSON.stringify({ jsonrpc: '2.0', method, params, id }), signal: scope })
      return readOutcome(message, new AnswerReader(`${method} at ${endpoint.label}`, endpoint.redact), endpoint)
    })
  }
}

let lastId = 0
// One count for all: an answer that strays to another connection is never taken for its own.
function nextId(): number {
  return ++lastId
}

function readOutcome(message: Record<string, unknown>, read: AnswerReader, endpoint: Endpoint): RpcOutcome {
  if ('result' in message) return { result: message['result'], read }
  const error = read.object(message['error'], 'error')
  const { code, message: said, data } = error
  if (!Number.isSafeInteger(code)) throw new ProviderResponseError(read.url, 'error.code', 'a whole number', typeof code)
  const details = data === undefined ? '' : ` ${JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))}`
  const short = (text: string): string => endpoint.redact(text).slice(0, 4000)
  return { failure: { code: code as number, message: typeof said === 'string' ? short(said) : '', data: short(details) } }
}
