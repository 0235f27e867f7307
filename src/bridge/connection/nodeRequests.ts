import { BridgeDisconnectedError, BridgeTimeoutError, NodeTimeoutError } from '../../errors/bridge.js'
import { BridgeRequestError, UnsupportedByNodeError } from '../../errors/operation.js'
import type { Connector, ConnectorReply } from './Connector.js'
import { now, sleep, startTimer } from '../../net/timers.js'
import type { Reply } from '../protocol/replies.js'
import type { WireRequest } from '../protocol/routes.js'

/** How a request is made. */
export interface AskOptions {
  /** Over all, ms; retries and the body's arrival included. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Ask once only, even where asking again would do no harm. */
  readonly once?: boolean
}

/** Makes one request to the node and reads the answer. Only GET is ever repeated. */
export type Ask = <T>(request: WireRequest, decode: (status: number, text: string) => T, options?: AskOptions) => Promise<T>

const RETRIED_STATUS: ReadonlySet<number> = /* @__PURE__ */ new Set([408, 429, 500, 502, 503, 504])
const MAX_ATTEMPTS = 3
const RETRY_MS = 250

/** Requests of one bridge over its connector. `life` ends with `disconnect()`; a connection that is lost ends none of them. */
export function createAsk(connector: Connector, defaultTimeoutMs: number, life: () => AbortSignal): Ask {
  return async (request, decode, options = {}) => {
    const what = nameOf(request)
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    const deadline = now() + timeoutMs
    const abort = new AbortController()
    const signals = [life(), options.signal].filter((signal) => signal !== undefined)
    const forward = signals.map((signal, index) => {
      const onAbort = (): void => abort.abort(index === 0 ? new BridgeDisconnectedError(what) : signal.reason)
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      return () => signal.removeEventListener('abort', onAbort)
    })
    const stopTimer = startTimer(timeoutMs, () => abort.abort(new BridgeTimeoutError(what, timeoutMs)))
    try {
      const attempts = request.method === 'GET' && options.once !== true ? MAX_ATTEMPTS : 1
      const reply = await attempt(connector, request, { attempts, deadline, signal: abort.signal })
      return decode(reply.status, reply.text)
    } catch (error) {
      // Whatever the connector threw on being aborted, the reason is the truth.
      throw abort.signal.aborted ? abort.signal.reason : error
    } finally {
      stopTimer()
      for (const stop of forward) stop()
    }
  }
}

async function attempt(
  connector: Connector, request: WireRequest, limits: { attempts: number; deadline: number; signal: AbortSignal }
): Promise<ConnectorReply> {
  for (let count = 1; ; count++) {
    let reply: ConnectorReply | null = null
    let failure: unknown
    limits.signal.throwIfAborted()
    try {
      reply = await untilAborted(connector.request({ ...request, signal: limits.signal }), limits.signal)
      if (!RETRIED_STATUS.has(reply.status)) return reply
    } catch (error) {
      failure = error
      if (limits.signal.aborted || !(error instanceof BridgeRequestError)) throw error
    }
    const waitMs = retryAfterMs(reply?.retryAfter) ?? RETRY_MS * 2 ** (count - 1) * (0.75 + Math.random() / 2)
    if (count < limits.attempts && now() + waitMs < limits.deadline) await sleep(waitMs, limits.signal)
    else if (reply !== null) return reply
    else throw failure
  }
}

// A connector of somebody else's may not heed the signal.
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

// RFC 9110 10.2.3: seconds or a date.
function retryAfterMs(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

function nameOf({ method, path }: WireRequest): string {
  return `${method} ${path}`
}

/** The value of a reply, or the error that says why there is none. */
export function valueOf<T>(what: WireRequest, reply: Reply<T>, needs = 'a newer node'): T {
  switch (reply.kind) {
    case 'ok': return reply.value
    case 'absent': throw new BridgeRequestError(nameOf(what), { status: 404, reason: 'there is no head' })
    case 'noRoute': throw new UnsupportedByNodeError(nameOf(what), { expected: needs })
    case 'timedOut': throw new NodeTimeoutError(nameOf(what), reply.reason)
    case 'refused': throw new BridgeRequestError(nameOf(what), reply)
  }
}
