import { BridgeDisconnectedError, BridgeTimeoutError, NodeTimeoutError } from '../../errors/bridge.js'
import { BridgeRequestError, UnsupportedByNodeError } from '../../errors/operation.js'
import type { Connector, ConnectorReply } from './Connector.js'
import { withTimeLimit } from '../../net/abort.js'
import { type Backoff, isRetryableStatus, type Outcome, retry, type Transient } from '../../net/retry.js'
import { retryAfterMs } from '../../net/retryAfter.js'
import { now } from '../../net/timers.js'
import type { Reply } from '../protocol/replies.js'
import type { WireRequest } from '../protocol/routes.js'

/** Options of a request. */
export interface NodeRequestOptions {
  /** Time limit, ms; retries and the body's arrival included. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** One attempt only, even where a retry would be safe. */
  readonly once?: boolean
}

/** Makes one request to the node and reads the answer. Only GET is ever repeated. */
export type SendNodeRequest = <T>(
  request: WireRequest,
  decode: (status: number, text: string) => T | Promise<T>,
  options?: NodeRequestOptions
) => Promise<T>

const BACKOFF: Backoff = { attempts: 3, delayMs: 250, maxDelayMs: 8_000 }

/**
 * Creates the function that sends a bridge's HTTP requests over its connector. `life` returns the signal that
 * `disconnect()` aborts; the loss of a connection aborts none of these requests.
 */
export function createNodeRequests(
  connector: Connector,
  defaultTimeoutMs: number,
  life: () => AbortSignal
): SendNodeRequest {
  return async (request, decode, options = {}) => {
    const what = nameOf(request)
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    const deadline = now() + timeoutMs
    const attempts = request.method === 'GET' && options.once !== true ? BACKOFF.attempts : 1
    const reply = await withTimeLimit(
      {
        signal: options.signal,
        lifetime: { signal: life(), onClose: () => new BridgeDisconnectedError(what) },
        timeoutMs,
        onTimeout: () => new BridgeTimeoutError(what, timeoutMs)
      },
      (signal) =>
        retry({ ...BACKOFF, attempts, deadline, signal, classify }, () => connector.request({ ...request, signal }))
    )
    return decode(reply.status, reply.text)
  }
}

/** Decides whether to retry: a failed request and a retryable status are transient, any other error is final. */
function classify(outcome: Outcome<ConnectorReply>): Transient | undefined {
  if ('error' in outcome) return outcome.error instanceof BridgeRequestError ? {} : undefined
  const { status, retryAfter } = outcome.value
  return isRetryableStatus(status) ? { retryAfterMs: retryAfterMs(retryAfter) } : undefined
}

function nameOf({ method, path }: WireRequest): string {
  return `${method} ${path}`
}

/** Returns the value of a reply, or throws the error that explains why there is none. */
export function valueOf<T>(what: WireRequest, reply: Reply<T>, needs = 'a newer node'): T {
  switch (reply.kind) {
    case 'ok':
      return reply.value
    case 'absent':
      throw new BridgeRequestError(nameOf(what), { status: 404, reason: 'there is no head' })
    case 'noRoute':
      throw new UnsupportedByNodeError(nameOf(what), { expected: needs })
    case 'timedOut':
      throw new NodeTimeoutError(nameOf(what), reply.reason)
    case 'refused':
      throw new BridgeRequestError(nameOf(what), reply)
  }
}
