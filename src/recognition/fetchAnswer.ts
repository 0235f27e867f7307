import { isEndpoint, MAX_ENDPOINTS as MAX_HINTED } from '../codec/endpointHint.js'
import { isLoopback } from '../net/loopback.js'
import { byType } from '../errors/base.js'
import { InvalidArgumentError, RuntimeUnsupportedError } from '../errors/input.js'
import { withTimeLimit } from '../net/abort.js'
import { readCappedText } from '../net/cappedBody.js'
import type { EndpointAnswer } from './readBundle.js'

/** Type of a `fetch` function that may be passed in: called with the URL as text, and the request. */
export type RecognitionFetch = (url: string, init: RequestInit) => Promise<Response>

/** Bounds of a request to an endpoint. */
export interface FetchAnswerOptions {
  readonly fetchImpl?: RecognitionFetch | undefined
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

/** Maximum number of endpoints that are asked. */
const MAX_ENDPOINTS = 16
/** Hosts of private, link-local, shared, test and multicast networks by their address (RFC 6890). */
const PRIVATE_HOST =
  /^(0|10|127|169\.254|192\.168|192\.0|198\.1[89]|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|2[2-5]\d)\./
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|lan|home\.arpa)\.?$/

/**
 * Returns the endpoints to ask, each once. Those that a stranger's hint names have to be https on public hosts, and are
 * at most four; others are left out.
 *
 * @throws {@link InvalidArgumentError} on a configured endpoint that is not an http or https address.
 */
export function readEndpoints(endpoints: unknown, isHinted: boolean): string[] {
  if (!Array.isArray(endpoints) || endpoints.length > MAX_ENDPOINTS)
    throw new InvalidArgumentError('endpoints', `an array of at most ${MAX_ENDPOINTS} base addresses`, endpoints)
  if (isHinted) {
    const isAsked = (each: unknown): each is string => typeof each === 'string' && isPublicEndpoint(each)
    return distinct((endpoints as unknown[]).filter(isAsked)).slice(0, MAX_HINTED)
  }
  const configured = (endpoints as unknown[]).map((each) => {
    // The address is not repeated: it may hold a key.
    if (typeof each !== 'string' || !/^https?:\/\/[^/?#@]+(\/[^?#@]*)?$/.test(each) || !URL.canParse(each))
      throw new InvalidArgumentError('endpoints', 'addresses of http or https without credentials', byType(each))
    return each
  })
  return distinct(configured)
}

/** Returns each base address once, with or without a slash at its end. */
function distinct(endpoints: readonly string[]): string[] {
  return [...new Map(endpoints.map((each) => [baseOf(each), each] as const)).values()]
}

function baseOf(endpoint: string): string {
  return endpoint.replace(/\/+$/, '')
}

/** Returns true for an address that a hint may name: https on a public host. */
export function isPublicEndpoint(text: string): boolean {
  if (!isEndpoint(text)) return false
  const { hostname } = new URL(text)
  return !(
    // IPv6 addresses, and names without a dot, which a resolver looks for in the local domain.
    hostname.startsWith('[') ||
    !hostname.replace(/\.$/, '').includes('.') ||
    isLoopback(hostname) ||
    PRIVATE_HOST.test(hostname) ||
    PRIVATE_NAME.test(hostname)
  )
}

/**
 * Requests `GET base/snapshot`, without redirects, credentials, referrer or data of the wallet. A failure is returned
 * as an answer; it rejects only when the caller aborts.
 */
export async function fetchAnswer(endpoint: string, options: FetchAnswerOptions): Promise<EndpointAnswer> {
  const { timeoutMs, maxBytes, signal } = options
  const fetchImpl = options.fetchImpl ?? (globalThis.fetch as RecognitionFetch | undefined)
  if (fetchImpl === undefined)
    throw new RuntimeUnsupportedError('fetch', 'a runtime with fetch, or one in the option fetchImpl')
  const none = (problem: EndpointAnswer['problem'] & string): EndpointAnswer => ({
    endpoint,
    status: 0,
    body: '',
    problem
  })
  let tooLarge = false
  try {
    return await withTimeLimit({ signal, timeoutMs, onTimeout: () => new Error('timeout') }, async (scope) => {
      const response = await fetchImpl(`${baseOf(endpoint)}/snapshot`, {
        method: 'GET',
        headers: { accept: 'application/json' },
        redirect: 'manual',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        signal: scope
      })
      const body = await readCappedText(response, maxBytes, () => {
        tooLarge = true
        return new Error('too large')
      })
      return { endpoint, status: response.status, body }
    })
  } catch {
    signal?.throwIfAborted()
    return none(tooLarge ? 'too-large' : 'unreachable')
  }
}
