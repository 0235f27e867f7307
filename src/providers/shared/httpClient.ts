import { isLayerError } from '../../errors/base.js'
import { RuntimeUnsupportedError } from '../../errors/input.js'
import {
  ProviderAuthError,
  ProviderHttpError,
  ProviderNetworkError,
  ProviderResponseError
} from '../../errors/provider.js'
import { parseJson } from '../../codec/json.js'
import { readCappedText } from '../../net/cappedBody.js'
import { retryAfterMs } from '../../net/retryAfter.js'
import type { Endpoint } from './endpoint.js'
import type { Limiter } from './rateLimiter.js'
import type { Policy } from './retry.js'
import { withRetries } from './retry.js'

/** The part of `fetch` that is used; any function of this shape can replace it. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>

/** One HTTP request. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  /** Path below the endpoint, with its query. */
  path: string
  body?: BodyInit
  contentType?: string
  /** True for a request that only reads: it may be repeated after a failure. */
  repeatable: boolean
  /** Statuses other than 2xx that the caller reads itself. */
  accept: readonly number[]
  signal?: AbortSignal | undefined
}

/** A status the caller accepts, and the whole body. */
export interface HttpResponse {
  status: number
  text: string
  /** The request's public name. */
  url: string
}

export interface HttpClient {
  endpoint: Endpoint
  policy: Policy
  headers: Record<string, string>
  fetch: FetchLike | undefined
  limiter?: Limiter | undefined
}

/** Sends a request and reads the whole response, within one deadline over all attempts. */
export async function sendHttp(client: HttpClient, request: HttpRequest): Promise<HttpResponse> {
  const fetch = client.fetch ?? (globalThis.fetch as FetchLike | undefined)
  if (!fetch) throw new RuntimeUnsupportedError('fetch', 'a runtime with fetch, or one in the option fetch')
  const details = { method: request.method, url: client.endpoint.label + request.path.replace(/\?.*/, '') }
  const { maxBytes } = client.policy
  return withRetries(client.policy, { ...request, details, limiter: client.limiter }, async (signal) => {
    let response: Response
    let text: string
    try {
      response = await exchange(fetch, client, request, signal)
      text = await readCappedText(
        response,
        maxBytes,
        () => new ProviderResponseError(details.url, '', `at most ${maxBytes} bytes`, 'more')
      )
    } catch (error) {
      signal.throwIfAborted()
      // Errors of the runtime are not kept as a cause: they may carry the URL or the headers, and with them a key.
      throw isLayerError(error) ? error : new ProviderNetworkError(details, describeFailure(error))
    }
    const { status } = response
    if (response.ok || request.accept.includes(status)) return { status, text, url: details.url }
    // Browsers show a redirect as status 0.
    const got = status < 400 ? 'a redirect, which is not followed' : serverMessage(text, client.endpoint)
    if (status === 401 || status === 403) throw new ProviderAuthError(status, details, got)
    throw new ProviderHttpError(
      status,
      details,
      got,
      retryAfterMs(response.headers.get('retry-after'), response.headers.get('date'))
    )
  })
}

/**
 * Sends a request once. A redirect is an error in every runtime, because the key must not leave the origin and browsers
 * do not show the target of a redirect.
 */
function exchange(
  fetch: FetchLike,
  { endpoint, headers }: HttpClient,
  request: HttpRequest,
  signal: AbortSignal
): Promise<Response> {
  const { method, path, body = null, contentType } = request
  return fetch(endpoint.url + path + (path.includes('?') ? endpoint.query.replace('?', '&') : endpoint.query), {
    method,
    headers: { ...headers, ...endpoint.headers, ...(contentType ? { 'content-type': contentType } : {}) },
    body,
    signal,
    redirect: 'manual'
  })
}

/** Returns only the system's error code, such as ECONNRESET, never the text of the error. */
function describeFailure(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  const found = [cause?.code, code].find((each) => typeof each === 'string' && /^[A-Z_]+$/.test(each))
  return (found as string | undefined) ?? 'a failed connection'
}

/** Returns the reason in the server's error body when it is JSON, with keys removed. */
export function serverMessage(text: string, { redact }: Endpoint): string {
  try {
    const { message } = parseJson(text) as { message?: unknown }
    if (typeof message === 'string') return redact(message).slice(0, 4000)
  } catch {
    // An HTML page of a proxy: the status says enough.
  }
  return 'no message'
}
